import { expect, test } from "vitest";
import { certaintyOf, rankedClusters } from "./ranking.ts";

test("the images of each cluster are ranked by score, equal ones in order", () => {
  const clusters = rankedClusters({ k: 3, assignments: [0, 2, 0, 0, 2], certainty: [0.5, 0.4, 0.9, 0.5, 0.8] });
  expect(clusters.map((members) => members.map(({ image }) => image))).toEqual([[2, 0, 3], [], [4, 1]]);
});

test("certainty is the score for the image's own cluster", () => {
  const scores = Float32Array.of(0.25, 0.75, 0.5, 0.5);
  expect([...certaintyOf({ k: 2, assignments: [1, 0], scores })]).toEqual([0.75, 0.5]);
  expect(() => certaintyOf({ k: 3, assignments: [1, 0], scores })).toThrow("do not make 2 images of 3 clusters");
});

test("invalid clusterings are refused", () => {
  expect(() => rankedClusters({ k: 0, assignments: [], certainty: [] })).toThrow("k must be a whole number from 1");
  expect(() => rankedClusters({ k: 2, assignments: [0], certainty: [] })).toThrow("1 assignments and 0 scores");
  expect(() => rankedClusters({ k: 2, assignments: [2], certainty: [1] })).toThrow("image 0: its cluster must be");
  expect(() => rankedClusters({ k: 2, assignments: [1], certainty: [Number.NaN] })).toThrow(
    "its score is not a number",
  );
});
