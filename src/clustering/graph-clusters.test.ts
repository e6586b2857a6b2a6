import { expect, expectTypeOf, test, vi } from "vitest";
import type { Images } from "../images/dataset.ts";
import { accuracy } from "../metrics/external.ts";
import { matrix } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { chooseLandmarks, graphClusters, normalizedCutOf } from "./graph-clusters.ts";

/** Groups of points in the plane, far apart. */
function groups(count: number, each: number) {
  const random = new Random(2, "groups");
  const features = new Float32Array(2 * count * each);
  const truth = new Int32Array(count * each);
  for (let row = 0; row < truth.length; row++) {
    truth[row] = row % count;
    features[2 * row] = 4 * Math.cos((2 * Math.PI * truth[row]) / count) + random.uniform();
    features[2 * row + 1] = 4 * Math.sin((2 * Math.PI * truth[row]) / count) + random.uniform();
  }
  return { features: matrix(features, 2), truth };
}

test("a group that is too small for a cluster has no label, and moves no centre", async () => {
  const { features, truth } = groups(3, 100);
  const far = [1000, 0, 1000.1, 0, 1000, 0.1, 1000.1, 0.1, 1000.2, 0, 1000, 0.2, 1000.2, 0.2];
  const withFar = matrix(Float32Array.of(...features.values, ...far), 2);
  const { labels, centres } = await graphClusters(withFar, { k: 3, threads: 1 });
  expect([...labels.subarray(truth.length)]).toEqual(new Array(far.length / 2).fill(-1));
  expect(accuracy(truth, labels.subarray(0, truth.length))).toBe(1);
  expect(Math.max(...centres)).toBeLessThan(10);
});

test("landmarks are distinct rows, determined by the seed; all rows if there are few", () => {
  const chosen = chooseLandmarks(1000, 100, 3);
  expect(new Set(chosen).size).toBe(100);
  expect(chooseLandmarks(1000, 100, 3)).toEqual(chosen);
  expect(chooseLandmarks(1000, 100, 4)).not.toEqual(chosen);
  expect([...chooseLandmarks(4, 100, 0)]).toEqual([0, 1, 2, 3]);
});

test("finding and comparing clusters has no access to true classes", async () => {
  expectTypeOf<Images>().not.toHaveProperty("labels");
  expectTypeOf(graphClusters).parameter(1).not.toHaveProperty("evaluate");
  expectTypeOf(normalizedCutOf).parameter(2).not.toHaveProperty("evaluate");
  const evaluate = vi.fn();
  const { features, truth } = groups(3, 20);
  await graphClusters(features, { k: 3, threads: 1, ...{ evaluate } });
  await normalizedCutOf(features, truth, { k: 3, threads: 1, ...{ evaluate } });
  expect(evaluate).not.toHaveBeenCalled();
});

test("where the graph has fewer clusters than requested, k-means finds them", async () => {
  const { features } = groups(2, 8);
  const { labels, centres } = await graphClusters(features, { k: 7, threads: 1 });
  expect(new Set(labels).size).toBe(7);
  expect(labels.every((label) => label >= 0)).toBe(true);
  expect(centres.length).toBe(14);
});
