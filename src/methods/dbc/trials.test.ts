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

test("of several trials those clusters are kept that hang together best, and the history tells of all", async () => {
  const graph = await pixelGraph(digits, { k: 10, threads: 1 });
  const cuts: number[] = [];
  for (const trials of [1, 2, 3]) {
    const { assignments, history } = await fitDbc(digits, { ...options, trials });
    cuts.push(meanNormalizedCut(graph, assignments, 10));
    expect(history.map(({ epoch }) => epoch)).toEqual(Array.from({ length: 3 * trials }, (_, epoch) => epoch + 1));
  }
  const best = cuts.map((_, index) => Math.min(...cuts.slice(0, index + 1)));
  expect(cuts).toEqual(best);
  expect(cuts[2], "a seed whose first trial is not the best").toBeLessThan(cuts[0]);
});
