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

const answer = (kind: "same" | "different", a: number, b: number): Action => ({ kind, images: [keyOf(a), keyOf(b)] });

test("answers about two images move nothing, and all that follows from them is said", () => {
  const { known, together, apart, decided, contradictions } = constraints(
    answer("same", 0, 1),
    answer("same", 1, 5),
    answer("different", 5, 8),
    { kind: "confirm", images: [keyOf(4)] },
    answer("same", 4, 3),
  );
  expect([...decided.cluster]).toEqual([...model.assignments]);
  expect(knownIn(known)).toEqual([
    [3, 1],
    [4, 1],
  ]);
  expect(together.map((pair) => pair.join())).toEqual(["0,1", "0,5", "1,5"]);
  expect(apart.map((pair) => pair.join())).toEqual(["0,8", "1,8", "5,8"]);
  expect(contradictions).toEqual([]);
});

test.each<[string, readonly Action[], { earlier: number; later: number; known?: [number, number][] }]>([
  ["the same pair", [answer("same", 0, 1), answer("different", 1, 0)], { earlier: 1, later: 2 }],
  [
    "others between them",
    [answer("same", 0, 1), answer("same", 1, 2), answer("different", 0, 2)],
    { earlier: 1, later: 3 },
  ],
  [
    "the other way round",
    [answer("different", 0, 2), answer("same", 0, 1), answer("same", 1, 2)],
    { earlier: 1, later: 3 },
  ],
  [
    "images that are known to be in two clusters",
    [move([0], 1), move([3], 2), answer("same", 0, 3)],
    {
      earlier: 1,
      later: 3,
      known: [
        [0, 2],
        [3, 2],
      ],
    },
  ],
  [
    "images that are known to be in one",
    [move([0], 1), move([3], 1), answer("different", 0, 3)],
    { earlier: 1, later: 3, known: [[3, 1]] },
  ],
  [
    "where one is moved later on",
    [move([3], 1), answer("different", 0, 3), move([0], 1)],
    {
      earlier: 1,
      later: 3,
      known: [[0, 1]],
    },
  ],
  [
    "clusters that are merged later on",
    [answer("different", 0, 1), { kind: "merge", into: reference(0, [3]), from: [reference(1, [4])] }],
    { earlier: 1, later: 2 },
  ],
])(
  "a contradiction about %s is listed, and what was said later holds",
  (_, actions, { earlier, later, known = [] }) => {
    const found = constraints(...actions);
    expect(found.contradictions).toEqual([{ image: expect.any(Number), earlier, later }]);
    expect(knownIn(found.known)).toEqual(known);
    expect(found.answers.length).toBe(
      actions.filter(({ kind }) => kind === "same" || kind === "different").length - Number(known.length === 0),
    );
  },
);

test("what was learned and accepted is no statement, and contradicts none; what is confirmed there is one", () => {
  const learn: Action = { kind: "learn", moves: [{ images: [0, 2, 6, 7].map(keyOf), to: reference(1, []) }] };
  const { known, together, decided, contradictions } = constraints(
    { kind: "merge", into: reference(0, [0, 3]), from: [reference(2, [2, 5])] },
    move([6], 2),
    learn,
    { kind: "rename", of: reference(0, []), name: "zero" },
    { kind: "confirm", images: [keyOf(0), keyOf(9)] },
  );
  expect(contradictions).toEqual([{ image: 0, earlier: 1, later: 5 }]);
  expect(knownIn(known)).toEqual([
    [0, 1],
    [6, 2],
    [9, 0],
  ]);
  expect(together.map((pair) => pair.join())).toEqual(["3,5"]);
  expect([2, 6, 7].map((image) => decided.cluster[image])).toEqual([0, 2, 1]);
});
