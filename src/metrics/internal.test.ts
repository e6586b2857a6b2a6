import { expect, test } from "vitest";
import { randomValues } from "../../test/evaluate.ts";
import { readOracle } from "../../test/oracles.ts";
import { type Matrix, matrix } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { calinskiHarabasz, daviesBouldin } from "./dispersion.ts";
import { silhouette } from "./silhouette.ts";

/** Groups that overlap a little, one after another. */
function groups(count: number, each: number, columns: number): { samples: Matrix; labels: Int32Array } {
  const random = new Random(1, "groups");
  const values = randomValues(random, count * each * columns);
  const labels = Int32Array.from({ length: count * each }, (_, row) => Math.floor(row / each));
  const shifted = values.map((value, index) => value + labels[Math.floor(index / columns)]);
  return { samples: matrix(shifted, columns), labels };
}

test("all three agree with scikit-learn", () => {
  const oracle = readOracle("kmeans");
  const samples = matrix(Float32Array.from(oracle.x.data), oracle.x.shape[1]);
  expect(Math.abs(silhouette(samples, oracle.labels) / oracle.silhouette - 1)).toBeLessThan(1e-6);
  expect(Math.abs(daviesBouldin(samples, oracle.labels) / oracle.daviesBouldin - 1)).toBeLessThan(1e-6);
  expect(Math.abs(calinskiHarabasz(samples, oracle.labels) / oracle.calinskiHarabasz - 1)).toBeLessThan(1e-6);
});

test("values worked out by hand", () => {
  const samples = matrix(Float32Array.of(0, 2, 10, 14), 1);
  const labels = [1, 1, 0, 0];
  expect(silhouette(samples, labels)).toBeCloseTo((10 / 12 + 8 / 10 + 5 / 9 + 9 / 13) / 4, 12);
  expect(daviesBouldin(samples, labels)).toBeCloseTo((1 + 2) / (12 - 1), 12);
  expect(calinskiHarabasz(samples, labels)).toBeCloseTo((2 * 5.5 ** 2 * 2 * (4 - 2)) / (2 + 8), 12);
});

test("names of clusters do not matter", () => {
  const { samples, labels } = groups(4, 30, 3);
  const renamed = labels.map((label) => [70, 3, 1000, 0][label]);
  expect(silhouette(samples, renamed)).toBeCloseTo(silhouette(samples, labels), 12);
  expect(daviesBouldin(samples, renamed)).toBeCloseTo(daviesBouldin(samples, labels), 12);
  expect(calinskiHarabasz(samples, renamed)).toBeCloseTo(calinskiHarabasz(samples, labels), 9);
});

test("the silhouette of a random sample is near that of all, and depends on the seed alone", () => {
  const { samples, labels } = groups(3, 400, 5);
  const exact = silhouette(samples, labels, { sampleSize: 1200 });
  expect(silhouette(samples, labels)).toBe(exact);
  const sampled = silhouette(samples, labels, { sampleSize: 600 });
  expect(sampled).not.toBe(exact);
  expect(Math.abs(sampled - exact)).toBeLessThan(0.03);
  expect(silhouette(samples, labels, { sampleSize: 600, seed: 0 })).toBe(sampled);
  expect(silhouette(samples, labels, { sampleSize: 600, seed: 1 })).not.toBe(sampled);
});

test("degenerate cases are as in scikit-learn", () => {
  const coinciding = matrix(new Float32Array(8).fill(3), 2);
  expect(silhouette(coinciding, [0, 0, 1, 1])).toBe(0);
  expect(daviesBouldin(coinciding, [0, 0, 1, 1])).toBe(0);
  expect(calinskiHarabasz(coinciding, [0, 0, 1, 1])).toBe(1);
  const alone = matrix(Float32Array.of(0, 1, 9), 1);
  expect(silhouette(alone, [0, 0, 1])).toBeCloseTo((8 / 9 + 7 / 8) / 3, 12);
});

test("partitions and options for which no metric is defined are refused in one line", () => {
  const samples = matrix(new Float32Array(8), 2);
  for (const metric of [silhouette, daviesBouldin, calinskiHarabasz]) {
    expect(() => metric(samples, [0, 0, 0, 0])).toThrow("4 samples in 1 clusters; it needs 2 clusters");
    expect(() => metric(samples, [0, 1, 2, 3])).toThrow("4 samples in 4 clusters");
    expect(() => metric(samples, [0, 1])).toThrow("2 labels for 4 samples; give one for each");
    expect(() => metric(samples, [0, 1, -1, 1])).toThrow("the label of item 2 must be a whole number from 0, not -1");
  }
  expect(() => silhouette(samples, [0, 0, 1, 1], { sampleSize: 1 })).toThrow("sampleSize must be a whole number");
  const { samples: many } = groups(1, 1000, 2);
  const rare = Int32Array.from({ length: 1000 }, (_, row) => (row === 0 ? 1 : 0));
  expect(() => silhouette(many, rare, { sampleSize: 2 })).toThrow("drawn are of one cluster; use a larger sampleSize");
});
