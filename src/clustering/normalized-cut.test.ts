import { expect, test } from "vitest";
import { matrix } from "../numeric/matrix.ts";
import { neighbourGraph } from "./neighbour-graph.ts";
import { nearestNeighbours } from "./neighbours.ts";
import { meanNormalizedCut } from "./normalized-cut.ts";

/** Two groups of four on a line, far apart. */
const samples = matrix(Float32Array.from([0, 1, 2, 3, 100, 101, 102, 103]), 1);
const cutOf = async (labels: number[]): Promise<number> =>
  meanNormalizedCut(
    neighbourGraph(await nearestNeighbours(samples, { neighbours: 3, threads: 1 })),
    Int32Array.from(labels),
    2,
  );

test("separate groups have a cut of zero", async () => {
  expect(await cutOf([0, 0, 0, 0, 1, 1, 1, 1])).toBe(0);
  expect(await cutOf([1, 1, 1, 1, 0, 0, 0, 0])).toBe(0);
});

test("the cut grows with the links that are cut; links to unlabelled samples count as cut", async () => {
  const one = await cutOf([0, 0, 0, 1, 1, 1, 1, 1]);
  const all = await cutOf([0, 1, 0, 1, 0, 1, 0, 1]);
  expect(one).toBeGreaterThan(0);
  expect(all).toBeGreaterThan(one);
  expect(await cutOf([0, 0, 0, -1, 1, 1, 1, 1])).toBeGreaterThan(0);
});

test("an empty cluster counts as fully cut", async () => {
  expect(await cutOf([0, 0, 0, 0, 0, 0, 0, 0])).toBe(0.5);
});
