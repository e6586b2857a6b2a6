import { expect, test } from "vitest";
import { keyOf } from "../../../test/decided-model.ts";
import { matrix } from "../../numeric/matrix.ts";
import { constraintsOf } from "../../runs/decisions/constraints.ts";
import type { Action, Decision } from "../../runs/decisions/decision.ts";
import { foldDecisions } from "../../runs/decisions/fold-decisions.ts";
import { ask } from "./ask.ts";

/** Images on a line, ten in each of three clusters; where two clusters meet, the model is in doubt. */
const count = 30;
const model = {
  k: 3,
  keys: Array.from({ length: count }, (_, image) => keyOf(image)),
  assignments: Array.from({ length: count }, (_, image) => Math.floor(image / 10)),
};
const features = matrix(
  Float32Array.from({ length: 2 * count }, (_, at) => (at % 2 === 0 ? at / 2 : 0)),
  2,
  "features",
);
const answers = model.assignments.map((cluster, image) => {
  const toNext = Math.abs(image - (image < 15 ? 9.5 : 19.5));
  return { cluster, secondCluster: cluster === 1 ? (image < 15 ? 0 : 2) : 1, margin: Math.min(1, toNext / 10) };
});

function questions(...actions: readonly Action[]) {
  const decisions = actions.map((action, index): Decision => ({ number: index + 1, at: "2026-01-02", ...action }));
  const decided = foldDecisions(decisions, model);
  return ask({ features, answers, decided, constraints: constraintsOf(decisions, model) }, { count: 4, threads: 1 });
}

const reference = (cluster: number) => ({ cluster, examples: [] });

test("questions are about images between two clusters, the likelier first, and both borders have their turn", async () => {
  const asked = await questions();
  expect(asked).toHaveLength(4);
  const borders = asked.map((one) => (one.kind === "image" ? one.candidates.slice(0, 2).toSorted().join() : ""));
  expect(new Set(borders)).toEqual(new Set(["0,1", "1,2"]));
  for (const one of asked) if (one.kind === "image") expect(one.candidates[0]).toBe(model.assignments[one.image]);
});

test("clusters are those that were decided: between what is merged there is no doubt, and what is known is not asked", async () => {
  const asked = await questions(
    { kind: "merge", into: reference(0), from: [reference(1)] },
    { kind: "confirm", images: [keyOf(20)] },
    { kind: "move", images: [keyOf(19)], to: { cluster: 3, name: "between" } },
    { kind: "aside", images: [keyOf(18)] },
    { kind: "same", images: [keyOf(21), keyOf(20)] },
  );
  for (const one of asked) {
    if (one.kind !== "image") continue;
    expect([18, 19, 20, 21]).not.toContain(one.image);
    expect(one.candidates).not.toContain(1);
    expect(one.candidates.slice(0, 2).toSorted()).toEqual([0, 2]);
  }
  expect(asked.flatMap((one) => (one.kind === "image" ? one.candidates : []))).toContain(3);
});
