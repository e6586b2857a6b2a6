import { expect, test } from "vitest";
import { matrix } from "../../numeric/matrix.ts";
import { constrainedKMeans } from "./constrained-k-means.ts";

const samples = matrix(Float32Array.of(0, 1, 2, 10, 11, 12, 20, 21, 22), 1);

test("centres begin at what is known, others at what the model has, and known samples stay", () => {
  const known = Int32Array.of(0, -1, -1, -1, 1, -1, -1, -1, 0);
  const model = Int32Array.of(0, 0, 0, 0, 0, 0, 2, 2, 2);
  // The last is known to be in the first cluster, however far it is.
  expect([...constrainedKMeans(samples, known, model, { k: 3 })]).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 0]);
});

test("without constraints it is k-means from the model's clusters", () => {
  const model = Int32Array.of(0, 0, 0, 0, 1, 1, 2, 2, 2);
  const nothing = new Int32Array(9).fill(-1);
  expect([...constrainedKMeans(samples, nothing, model, { k: 3 })]).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2]);
});
