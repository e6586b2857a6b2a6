import { expect, test } from "vitest";
import { firstImages } from "../../../test/datasets.ts";
import { meanNormalizedCut } from "../../clustering/normalized-cut.ts";
import { openDataset } from "../../images/sources/open.ts";
import { fitDbc } from "./dbc.ts";
import type { DbcOptions } from "./options.ts";
import { pixelGraph } from "./trials.ts";

const digits = firstImages(await openDataset("mnist-test"), 300);
const options: DbcOptions = {
  preset: "paper",
  initialization: "random",
  k: 10,
  batch: 100,
  epochs: 3,
  seed: 2,
  threads: 1,
};

test("of several trials those clusters are kept that hang together best, whichever came first", async () => {
  const graph = await pixelGraph(digits, { k: 10, threads: 1 });
  const cuts: number[] = [];
  for (const trials of [1, 2, 3, 4]) {
    const { assignments } = await fitDbc(digits, { ...options, trials });
    cuts.push(meanNormalizedCut(graph, assignments, 10));
  }
  const best = cuts.map((_, index) => Math.min(...cuts.slice(0, index + 1)));
  expect(cuts).toEqual(best);
  expect(cuts[3]).toBeLessThan(cuts[0]);
});

test("a history tells of all trials, and epochs are counted on", async () => {
  const { history } = await fitDbc(digits, { ...options, trials: 2 });
  expect(history.map(({ epoch }) => epoch)).toEqual([1, 2, 3, 4, 5, 6]);
});
