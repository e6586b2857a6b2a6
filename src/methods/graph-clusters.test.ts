import { expect, expectTypeOf, test, vi } from "vitest";
import type { Images } from "../dataset.ts";
import { accuracy } from "../metrics/external.ts";
import { Random } from "../random.ts";
import { chooseLandmarks, graphClusters, looseness } from "./graph-clusters.ts";
import { targetsBeside } from "./self-training.ts";

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
  return { features, truth };
}

test("landmarks cover every group, and no others are labelled", async () => {
  const { features, truth } = groups(5, 200);
  const { labels, centres } = await graphClusters(features, 2, { k: 5, landmarks: 250, threads: 1 });
  const labelled = [...labels.keys()].filter((row) => labels[row] >= 0);
  expect(labelled.length).toBeLessThanOrEqual(250);
  expect(labelled.length).toBeGreaterThan(200);
  const pick = (values: Int32Array): Int32Array => Int32Array.from(labelled, (row) => values[row]);
  expect(new Set(pick(truth)).size).toBe(5);
  expect(accuracy(pick(truth), pick(labels))).toBe(1);
  expect(centres.length).toBe(10);
});

test("landmarks are different rows, the same for the same seed, all where there are no more", () => {
  const chosen = chooseLandmarks(1000, 100, 3);
  expect(new Set(chosen).size).toBe(100);
  expect(chooseLandmarks(1000, 100, 3)).toEqual(chosen);
  expect(chooseLandmarks(1000, 100, 4)).not.toEqual(chosen);
  expect([...chooseLandmarks(4, 100, 0)]).toEqual([0, 1, 2, 3]);
});

test("finding and comparing clusters has no access to true classes", async () => {
  expectTypeOf<Images>().not.toHaveProperty("labels");
  expectTypeOf(graphClusters).parameter(2).not.toHaveProperty("evaluate");
  expectTypeOf(looseness).parameter(3).not.toHaveProperty("evaluate");
  const evaluate = vi.fn();
  const { features, truth } = groups(3, 20);
  await graphClusters(features, 2, { k: 3, threads: 1, ...{ evaluate } });
  await looseness(features, 2, truth, { k: 3, threads: 1, ...{ evaluate } });
  expect(evaluate).not.toHaveBeenCalled();
});

test("where the graph has fewer clusters than asked for, k-means finds them", async () => {
  const { features } = groups(2, 8);
  const { labels, centres } = await graphClusters(features, 2, { k: 7, threads: 1 });
  expect(new Set(labels).size).toBe(7);
  expect(labels.every((label) => label >= 0)).toBe(true);
  expect(centres.length).toBe(14);
});

test("a lesson alone is the target while it is taught, and leans the scores afterwards", () => {
  const scores = Float32Array.from([0.6, 0.4, 0.6, 0.4, 0.999, 0.001]);
  const taught = Int32Array.from([1, -1, 1]);
  const settings = { k: 2, alpha: 2, balance: "none", trust: 1 } as const;
  const lesson = targetsBeside(taught, scores, { ...settings, teach: true });
  expect(lesson[0]).toBeCloseTo(0.05, 5);
  expect(lesson[1]).toBeCloseTo(0.95, 5);
  expect(lesson[2]).toBeCloseTo(0.6, 5);
  const own = 0.36 / (0.36 + 0.16);
  const leaning = targetsBeside(taught, scores, { ...settings, teach: false });
  expect(leaning[1]).toBeCloseTo((0.16 * 0.95) / (0.16 * 0.95 + 0.36 * 0.05), 5);
  expect(leaning[2]).toBeCloseTo(own, 5);
  // A network that is sure overrules it.
  expect(leaning[4]).toBeGreaterThan(0.99);
  const alone = targetsBeside(taught, scores, { ...settings, trust: 0, teach: false });
  expect(alone[0]).toBeCloseTo(own, 5);
});
