import { expect, test } from "vitest";
import { relativeError } from "../../test/evaluate.ts";
import { readOracle } from "../../test/oracles.ts";
import { matrix } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { kMeans } from "./k-means.ts";

/** Groups around random centres, each coordinate within `spread` of its centre's. */
function groups(count: number, each: number, columns: number, { spread = 0.5, offset = 0 } = {}) {
  const random = new Random(5, "groups");
  const centres = Array.from({ length: count }, () => Array.from({ length: columns }, () => 10 * random.uniform()));
  const values = new Float32Array(count * each * columns);
  for (let row = 0; row < count * each; row++)
    for (let d = 0; d < columns; d++)
      values[row * columns + d] = offset + centres[row % count][d] + spread * (2 * random.uniform() - 1);
  return matrix(values, columns);
}

test("from given centres the result agrees with scikit-learn", async () => {
  const { x, init, centers, labels, inertia } = readOracle("kmeans");
  const result = await kMeans(matrix(Float32Array.from(x.data), x.shape[1]), {
    k: init.shape[0],
    centres: Float32Array.from(init.data),
  });
  expect([...result.labels]).toEqual(labels);
  expect(Math.abs(result.inertia / inertia - 1)).toBeLessThan(1e-6);
  expect(relativeError(result.centres, centers.data)).toBeLessThan(1e-6);
});

test("separate groups are found, also over several blocks and far from zero", async () => {
  for (const offset of [0, 1000]) {
    const samples = groups(7, 1500, 6, { offset });
    const { labels, centres } = await kMeans(samples, { k: 7, seed: 1 });
    for (let row = 0; row < samples.rows; row++) expect(labels[row]).toBe(labels[row % 7]);
    expect(new Set(labels).size).toBe(7);
    const sums = new Float64Array(centres.length);
    labels.forEach((label, row) => {
      for (let d = 0; d < 6; d++) sums[label * 6 + d] += samples.values[row * 6 + d] / 1500;
    });
    expect(relativeError(centres, sums)).toBeLessThan(1e-6);
  }
});

test("labels are the nearest centres and inertia is their squared distances", async () => {
  const samples = groups(5, 1000, 4, { spread: 5 });
  const { labels, centres, inertia } = await kMeans(samples, { k: 8, restarts: 3 });
  let total = 0;
  for (let row = 0; row < samples.rows; row++) {
    const distances = Array.from({ length: 8 }, (_, j) => {
      let distance = 0;
      for (let d = 0; d < 4; d++) distance += (samples.values[row * 4 + d] - centres[j * 4 + d]) ** 2;
      return distance;
    });
    expect(distances[labels[row]]).toBeCloseTo(Math.min(...distances), 3);
    total += distances[labels[row]];
  }
  expect(Math.abs(inertia / total - 1)).toBeLessThan(1e-6);
});

test("the same seed gives the same clusters, and more restarts never worse ones", async () => {
  const samples = groups(20, 60, 5, { spread: 4 });
  const options = { k: 12, seed: 3, tolerance: 0 };
  const [once, again] = [await kMeans(samples, options), await kMeans(samples, options)];
  expect(again).toEqual(once);
  const single = await kMeans(samples, { ...options, restarts: 1 });
  expect(once.inertia).toBeLessThanOrEqual(single.inertia);
});

test("no cluster stays empty: a far centre takes the sample farthest from its own", async () => {
  const samples = groups(3, 100, 2);
  const far = Float32Array.of(5, 5, 4, 6, 1e4, 1e4);
  const { labels } = await kMeans(samples, { k: 3, centres: far });
  expect(new Set(labels).size).toBe(3);
});

test("with tolerance 0 the result is a fixed point: a start from there changes nothing", async () => {
  const samples = groups(10, 200, 3, { spread: 4 });
  const first = await kMeans(samples, { k: 6, tolerance: 0, restarts: 2 });
  const second = await kMeans(samples, { k: 6, tolerance: 0, centres: first.centres });
  expect(second.labels).toEqual(first.labels);
  expect(second.iterations).toBeLessThanOrEqual(2);
});

test("the number of iterations can be bounded, and the work aborted", async () => {
  const samples = groups(10, 200, 3, { spread: 4 });
  expect((await kMeans(samples, { k: 6, tolerance: 0, maxIterations: 2 })).iterations).toBe(2);
  await expect(kMeans(samples, { k: 6, signal: AbortSignal.abort() })).rejects.toThrow("aborted");
});

test("coinciding samples are clustered too", async () => {
  const { labels, inertia } = await kMeans(matrix(new Float32Array(40).fill(3), 2), { k: 4 });
  expect(labels).toHaveLength(20);
  expect(inertia).toBe(0);
});

test("bad input is refused in one line", async () => {
  const samples = groups(2, 3, 2);
  await expect(kMeans(samples, { k: 7 })).rejects.toThrow("k-means: k = 7 is more than the number of samples, 6");
  await expect(kMeans(samples, { k: 0 })).rejects.toThrow("k-means: k must be a whole number from 1, not 0");
  await expect(kMeans(samples, { k: 2, restarts: 0.5 })).rejects.toThrow("restarts must be a whole number");
  await expect(kMeans(samples, { k: 2, centres: new Float32Array(3) })).rejects.toThrow("2 of 2 columns are 4");
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
    const values = Float32Array.of(1, 2, 3, bad, 5, 6);
    await expect(kMeans({ rows: 3, columns: 2, values }, { k: 2 })).rejects.toThrow(`k-means: sample 1 holds ${bad}`);
    expect(() => matrix(values, 2)).toThrow(`samples: row 1 holds ${bad}`);
  }
});
