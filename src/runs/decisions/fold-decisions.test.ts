import { expect, test } from "vitest";
import { keyOf, modelOf, referenceOf } from "../../../test/decided-model.ts";
import { Random } from "../../numeric/random.ts";
import type { Action, Decision } from "./decision.ts";
import { foldDecisions, type ModelClusters } from "./fold-decisions.ts";

const model = modelOf(60, 6);

const logged = (actions: readonly (Action | { kind: "undo" | "redo"; decision: number })[]): Decision[] =>
  actions.map((action, index) => ({ number: index + 1, at: "2026-01-02T03:04:05.000Z", ...action }));

const fold = (actions: readonly Action[], on: ModelClusters = model) => foldDecisions(logged(actions), on);

const rename = (cluster: number, name: string): Action => ({ kind: "rename", of: referenceOf(cluster, model), name });

/** As many decisions of every kind, about any clusters that there are. */
function randomActions(count: number, seed: number): Action[] {
  const random = new Random(seed, "decisions");
  let next = model.k;
  const reference = () => ({ cluster: random.integer(next), examples: [] });
  const images = () => Array.from({ length: 1 + random.integer(8) }, () => keyOf(random.integer(model.keys.length)));
  const kinds: readonly (() => Action)[] = [
    () => ({ kind: "rename", of: reference(), name: ["", "cats", "dogs"][random.integer(3)] }),
    () => ({ kind: "merge", into: reference(), from: [reference(), reference()] }),
    () => ({ kind: "split", of: reference(), parts: [1, 2].map(() => ({ cluster: next++, images: images() })) }),
    () => ({ kind: "move", images: images(), to: reference() }),
    () => ({ kind: "move", images: images(), to: { cluster: next++, name: "new" } }),
    () => ({ kind: "aside", images: images() }),
    () => ({ kind: "take-back", images: images() }),
    () => ({ kind: "confirm", images: images() }),
    () => ({ kind: "same", images: [keyOf(random.integer(30)), keyOf(30 + random.integer(30))] }),
    () => ({ kind: "learn", moves: [1, 2].map(() => ({ images: images(), to: reference() })) }),
  ];
  return Array.from({ length: count }, () => kinds[random.integer(kinds.length)]());
}

test("without decisions, clusters are the model's", () => {
  const { cluster, by, confirmed, goesTo, clusters, aside, nextCluster } = fold([]);
  expect(cluster).toEqual(model.assignments);
  expect(Math.max(...by, ...confirmed, aside)).toBe(0);
  expect([...goesTo]).toEqual([0, 1, 2, 3, 4, 5]);
  expect(clusters.map(({ size, made }) => [size, made])).toEqual(Array(6).fill([10, false]));
  expect(nextCluster).toBe(6);
});

test.each([1, 2, 3])("undo all is the model, redo all is what was before (%i)", (seed) => {
  const actions = randomActions(50, seed);
  const numbers = actions.map((_, index) => index + 1);
  const undone = [...actions, ...numbers.toReversed().map((decision) => ({ kind: "undo" as const, decision }))];
  const redone = [...undone, ...numbers.map((decision) => ({ kind: "redo" as const, decision }))];
  expect(foldDecisions(logged(undone), model)).toEqual(fold([]));
  expect(foldDecisions(logged(redone), model)).toEqual(fold(actions));
});

test("what was learned moves images of which nobody has said anything, and who says something later wins", () => {
  const { cluster, by, confirmed, clusters } = fold([
    { kind: "move", images: [keyOf(0)], to: referenceOf(5, model) },
    { kind: "confirm", images: [keyOf(1)] },
    { kind: "aside", images: [keyOf(2)] },
    { kind: "learn", moves: [{ images: [0, 1, 2, 3, 4, 10].map(keyOf), to: referenceOf(5, model) }] },
    { kind: "move", images: [keyOf(4)], to: referenceOf(0, model) },
    { kind: "confirm", images: [keyOf(10)] },
    { kind: "merge", into: referenceOf(1, model), from: [referenceOf(5, model)] },
  ]);
  expect([0, 1, 2, 3, 4, 10].map((image) => [cluster[image], by[image], confirmed[image]])).toEqual([
    [1, 1, 0],
    [1, 0, 1],
    [-1, 1, 0],
    [1, 2, 0],
    [0, 1, 0],
    [1, 2, 1],
  ]);
  expect(clusters.find((one) => one.cluster === 1)).toMatchObject({ moved: 1, confirmed: 2 });
});

test("names of several clusters come out the same in any order", () => {
  const names = [rename(3, "three"), rename(0, "zero"), rename(5, "five")];
  expect(fold(names.toReversed())).toEqual(fold(names));
});

test("copies go together, wherever they are", () => {
  const copies = { ...model, keys: model.keys.map((key, image) => (image % 20 === 7 ? keyOf(7) : key)) };
  for (const kind of ["aside", "confirm"] as const) {
    const { cluster, confirmed } = fold([{ kind, images: [keyOf(7)] }], copies);
    const marked = kind === "aside" ? [...cluster].map((own) => own === -1) : [...confirmed].map((one) => one === 1);
    expect(marked.flatMap((one, image) => (one ? [image] : []))).toEqual([7, 27, 47]);
  }
  const { cluster } = fold([{ kind: "move", images: [keyOf(7)], to: referenceOf(2, model) }], copies);
  expect([cluster[7], cluster[27], cluster[47]]).toEqual([2, 2, 2]);
});

test("a merge takes all images, new ones too, and the first name that there is", () => {
  const merge: Action = {
    kind: "merge",
    into: referenceOf(1, model),
    from: [referenceOf(4, model), referenceOf(2, model)],
  };
  const { cluster, goesTo, clusters, by } = fold([rename(2, "two"), rename(4, "four"), merge]);
  expect(cluster[1] + cluster[2] + cluster[4]).toBe(3);
  expect([...goesTo]).toEqual([0, 1, 1, 3, 1, 5]);
  expect(clusters.map(({ cluster: number, name, size }) => [number, name, size])).toEqual([
    [0, undefined, 10],
    [1, "four", 30],
    [3, undefined, 10],
    [5, undefined, 10],
  ]);
  expect(Math.max(...by)).toBe(0);
  const after = fold([merge, { kind: "move", images: [keyOf(0)], to: referenceOf(4, model) }]);
  expect([after.cluster[0], after.cluster[4]]).toEqual([4, 1]);
});

test("what is put aside comes back to where its cluster is by then", () => {
  const aside: Action = { kind: "aside", images: [keyOf(2), keyOf(3)] };
  const merge: Action = { kind: "merge", into: referenceOf(0, model), from: [referenceOf(2, model)] };
  const { cluster, aside: count } = fold([aside, merge, { kind: "take-back", images: [keyOf(2)] }]);
  expect([cluster[2], cluster[3], count]).toEqual([0, -1, 1]);
});

test("whoever moves an image no longer confirms it where it was; sizes add up to all images", () => {
  const confirm: Action = { kind: "confirm", images: [keyOf(0), keyOf(6)] };
  const { confirmed, by } = fold([confirm, { kind: "move", images: [keyOf(0)], to: { cluster: 6 } }]);
  expect([confirmed[0], confirmed[6], by[0], by[6]]).toEqual([0, 1, 1, 0]);
  for (const seed of [4, 5, 6]) {
    const { clusters, aside, cluster } = fold(randomActions(80, seed));
    expect(clusters.reduce((sum, { size }) => sum + size, aside)).toBe(60);
    for (const { cluster: number, size } of clusters)
      expect(cluster.filter((own) => own === number)).toHaveLength(size);
  }
});

test("a decision about a cluster that there is not is refused", () => {
  expect(() => fold([rename(99, "nobody")])).toThrow("a decision is about cluster 99, which there is not");
  expect(() => fold([{ kind: "move", images: [], to: { cluster: 99 } }])).toThrow("makes cluster 99, and 6 is next");
});
