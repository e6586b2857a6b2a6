import { expect, test } from "vitest";
import { labelsOf } from "../../../test/datasets.ts";
import { keyOf } from "../../../test/decided-model.ts";
import { shapeDataset } from "../../../test/shapes.ts";
import { constraintsOf } from "../../runs/decisions/constraints.ts";
import type { Action, Decision } from "../../runs/decisions/decision.ts";
import { ask } from "./ask.ts";
import { fitDbc } from "./dbc.ts";

const shapes = shapeDataset(200);
const truth = labelsOf(shapes);
const keys = Array.from({ length: shapes.count }, (_, image) => keyOf(image));
/** Four shapes in five clusters: one shape has two. */
const fitted = await fitDbc(shapes, {
  ...{ k: 5, batch: 32, pretrainEpochs: 4, overClusteringEpochs: 0, epochs: 6, autoEncoders: 1, threads: 1 },
});
const { k, v, architecture, settings, assignments, parameters, statistics, autoEncoder } = fitted;

function questions(...actions: readonly Action[]) {
  const decisions = actions.map((action, index): Decision => ({ number: index + 1, at: "2026-01-02", ...action }));
  const learned = { k, v, architecture, settings, trained: { parameters, statistics } };
  const constraints = constraintsOf(decisions, { k, keys, assignments });
  const whole = autoEncoder === undefined ? learned : { ...learned, autoEncoder };
  return ask(shapes, whole, constraints, { count: 6, threads: 1 });
}

const reference = (cluster: number) => ({ cluster, examples: [] });
const imagesIn = (cluster: number): number[] =>
  [...assignments.keys()].filter((image) => assignments[image] === cluster);

/** The two clusters of one shape. */
function double(): readonly [number, number] {
  const shapeOf = (cluster: number): number => truth[imagesIn(cluster)[0]];
  const clusters = Array.from({ length: k }, (_, cluster) => cluster);
  for (const a of clusters) for (const b of clusters) if (a < b && shapeOf(a) === shapeOf(b)) return [a, b];
  throw new Error("no shape has two clusters");
}

test("a question names the likeliest clusters first, among them the one where the image is", async () => {
  const asked = await questions();
  expect(asked.length).toBeGreaterThan(0);
  for (const one of asked) {
    if (one.kind !== "image") throw new Error("nobody has moved anything");
    expect(one.candidates).toContain(assignments[one.image]);
    expect(one.candidates.length).toBeLessThanOrEqual(4);
    expect(one.speaksFor).toBeGreaterThanOrEqual(1);
  }
});

test("what is known or put aside is not asked, and merged clusters are one", async () => {
  const before = (await questions()).flatMap((one) => (one.kind === "image" ? [one.image] : []));
  const [into, from] = double();
  const asked = await questions(
    { kind: "merge", into: reference(into), from: [reference(from)] },
    { kind: "confirm", images: [keyOf(before[0])] },
    { kind: "aside", images: [keyOf(before[1])] },
  );
  for (const one of asked) {
    if (one.kind !== "image") continue;
    expect(before.slice(0, 2)).not.toContain(one.image);
    expect(one.candidates).not.toContain(from);
  }
});

test("where images of a cluster go to another and none stays, it is asked whether the two are one", async () => {
  const [into, from] = double();
  const moved = imagesIn(from).slice(0, 3);
  const move: Action = { kind: "move", images: moved.map(keyOf), to: reference(into) };
  const [first] = await questions(move);
  expect(first).toMatchObject({ kind: "clusters", clusters: [into, from] });
  if (first.kind !== "clusters") return;
  const [examples, others] = first.examples;
  const different: Action = { kind: "different", images: [keyOf(examples[0]), keyOf(others[0])] };
  for (const one of await questions(move, different)) expect(one.kind).toBe("image");
  const stays: Action = { kind: "confirm", images: [keyOf(imagesIn(from)[5])] };
  for (const one of await questions(move, stays)) expect(one.kind).toBe("image");
});
