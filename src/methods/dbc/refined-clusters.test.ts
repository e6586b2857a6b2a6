import { expect, test } from "vitest";
import { modelOf, referenceOf } from "../../../test/decided-model.ts";
import type { Action } from "../../runs/decisions/decision.ts";
import { type Decided, foldDecisions } from "../../runs/decisions/fold-decisions.ts";
import { clusterNumbers, decidedScores } from "./refined-clusters.ts";

const model = modelOf(20, 4);

const decided = (...actions: readonly Action[]): Decided =>
  foldDecisions(
    actions.map((action, index) => ({ number: index + 1, at: "", ...action })),
    model,
  );

const split: Action = { kind: "move", images: [model.keys[0]], to: { cluster: 4 } };
const merge: Action = { kind: "merge", into: referenceOf(0, model), from: [referenceOf(1, model)] };

test("clusters keep their numbers, those that were made too", () => {
  expect([...clusterNumbers(decided(split))]).toEqual([0, 1, 2, 3, 4].map((cluster) => [cluster, cluster]));
});

test("the highest number fills the gap of a merge", () => {
  expect([...clusterNumbers(decided(merge))]).toEqual([
    [0, 0],
    [2, 2],
    [3, 1],
  ]);
  expect([...clusterNumbers(decided(split, merge)).values()].toSorted()).toEqual([0, 1, 2, 3]);
});

test("merged clusters have the sum of their scores, and rows add up as before", () => {
  const after = decided(merge);
  const scores = decidedScores(Float32Array.of(0.5, 0.25, 0.125, 0.125), after, clusterNumbers(after));
  expect([...scores]).toEqual([0.75, 0.125, 0.125]);
});
