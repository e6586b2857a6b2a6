import { expect, test } from "vitest";
import { readOracle } from "../../../test/oracles.ts";
import { nearestNeighbours } from "../../clustering/neighbours.ts";
import { matrix } from "../../numeric/matrix.ts";
import { largestShares, propagateLabels, propagationNeighbours } from "./label-propagation.ts";

test("labels propagate as scikit-learn has them, and where none arrives there is none", async () => {
  const { x, known, shares } = readOracle("label-propagation");
  const samples = matrix(Float32Array.from(x.data), x.shape[1]);
  const neighbours = await nearestNeighbours(samples, { neighbours: propagationNeighbours, threads: 1 });
  const ours = propagateLabels(neighbours, Int32Array.from(known), { k: 3 });
  ours.forEach((share, place) => {
    expect(share).toBeCloseTo(shares.data[place], 9);
  });
  const labels = largestShares(ours, 3);
  expect([...labels.subarray(36)]).toEqual(new Array(9).fill(-1));
  expect(known.every((label, sample) => label < 0 || labels[sample] === label)).toBe(true);
});
