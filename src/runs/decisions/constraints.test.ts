import { expect, test } from "vitest";
import { keyOf, modelOf, referenceOf } from "../../../test/decided-model.ts";
import { constraintsOf } from "./constraints.ts";
import type { Action, Decision } from "./decision.ts";

/** Image i is in cluster i mod 3. */
const model = modelOf(30, 3);

const logged = (actions: readonly Action[]): Decision[] =>
  actions.map((action, index) => ({ number: index + 1, at: "2026-01-02T03:04:05.000Z", ...action }));

const constraints = (...actions: Action[]) => constraintsOf(logged(actions), model);

const move = (images: readonly number[], cluster: number): Action => ({
  kind: "move",
  images: images.map(keyOf),
  to: { cluster, examples: [] },
});

const reference = (cluster: number, images: readonly number[]) => ({ cluster, examples: images.map(keyOf) });

const knownIn = (known: Int32Array): [number, number][] =>
  [...known].flatMap((cluster, image): [number, number][] => (cluster < 0 ? [] : [[image, cluster]]));

test("what was moved, confirmed or split off is known, in the cluster that it is in by now", () => {
  const { known, contradictions } = constraints(
    move([0, 3], 1),
    { kind: "confirm", images: [keyOf(2)] },
    { kind: "split", of: reference(0, []), parts: [{ cluster: 3, images: [keyOf(6)] }] },
    { kind: "merge", into: reference(2, []), from: [reference(1, [])] },
  );
  expect(knownIn(known)).toEqual([
    [0, 2],
    [2, 2],
    [3, 2],
    [6, 3],
  ]);
  expect(contradictions).toEqual([]);
});

test("names say nothing of images, and what is put aside is known nowhere", () => {
  const { known, together, apart } = constraints(
    { kind: "rename", of: referenceOf(0, model), name: "zero" },
    move([0, 3], 1),
    { kind: "aside", images: [keyOf(0)] },
  );
  expect(knownIn(known)).toEqual([[3, 1]]);
  expect([...together, ...apart]).toEqual([]);
});

test("merged clusters are linked by their typical images, and all that follows is said", () => {
  const merge = (into: number, images: readonly number[], from: number, others: readonly number[]): Action => ({
    kind: "merge",
    into: reference(into, images),
    from: [reference(from, others)],
  });
  const merges = [merge(0, [0, 3], 1, [1, 4]), merge(0, [1], 2, [2])];
  const { together, known } = constraints(...merges);
  expect(together.map((pair) => pair.toSorted((a, b) => a - b).join()).toSorted()).toEqual([
    "0,1",
    "0,2",
    "1,2",
    "3,4",
  ]);
  expect(knownIn(known)).toEqual([]);
  const after = constraints(...merges, { kind: "confirm", images: [keyOf(2)] });
  expect(knownIn(after.known)).toEqual([
    [0, 0],
    [1, 0],
    [2, 0],
  ]);
  expect(after.together).toEqual([[3, 4]]);
});

test("a split keeps typical images that stay apart from those that go, and from those that belong with them", () => {
  const { apart, known } = constraints(
    { kind: "merge", into: reference(0, [0]), from: [reference(1, [1])] },
    { kind: "split", of: reference(0, [0, 6]), parts: [{ cluster: 3, images: [keyOf(6)] }] },
  );
  expect(knownIn(known)).toEqual([[6, 3]]);
  expect(apart).toEqual([
    [0, 6],
    [1, 6],
  ]);
});

test("contradictions are listed with both decisions, and the later one holds", () => {
  const { known, together, contradictions } = constraints(
    move([0], 1),
    { kind: "merge", into: reference(1, [1, 4]), from: [reference(2, [2, 5])] },
    move([0, 2], 0),
    move([0], 0),
  );
  expect(knownIn(known)).toEqual([
    [0, 0],
    [2, 0],
  ]);
  expect(together).toEqual([[4, 5]]);
  expect(contradictions).toEqual([
    { image: 0, earlier: 1, later: 3 },
    { image: 2, earlier: 2, later: 3 },
  ]);
});

test("what was undone says nothing, and contradicts nothing", () => {
  const log: Decision[] = logged([move([0], 1), move([0], 2)]);
  const at = log[0].at;
  const { known, contradictions } = constraintsOf([...log, { number: 3, at, kind: "undo", decision: 2 }], model);
  expect(knownIn(known)).toEqual([[0, 1]]);
  expect(contradictions).toEqual([]);
});
