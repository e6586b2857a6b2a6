import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { keyOf, modelOf, referenceOf, writeModelRun } from "../../../test/decided-model.ts";
import { carryDecisions } from "./carry-decisions.ts";
import { clusterReference } from "./cluster-reference.ts";
import type { Action, Decision } from "./decision.ts";
import { DecisionLog } from "./decision-log.ts";
import { decisionsFile } from "./file-names.ts";
import { foldDecisions, type ModelClusters } from "./fold-decisions.ts";
import { UndoStack } from "./undo-stack.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-carry-"));
const model = modelOf(60, 6);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The same clusters with other numbers. */
const permuted: ModelClusters = {
  ...model,
  assignments: Int32Array.from(model.assignments, (cluster) => [3, 5, 0, 1, 2, 4][cluster]),
};

type Step = (reference: (cluster: number) => ReturnType<typeof clusterReference>, next: number) => Action;

const undo = "undo" as const;

/** A log as the studio would write it: examples are of the moment. */
function decide(steps: readonly (Step | typeof undo)[], on: ModelClusters = model): Decision[] {
  const decisions: Decision[] = [];
  const stack = new UndoStack();
  for (const step of steps) {
    const decided = foldDecisions(decisions, on);
    const scores = on.keys.map(() => 1);
    const action =
      step === undo
        ? { kind: undo, decision: stack.undoable?.number ?? 0 }
        : step((cluster) => clusterReference(cluster, { keys: on.keys, scores, decided }), decided.nextCluster);
    const decision: Decision = { number: decisions.length + 1, at: "2026-01-02T03:04:05.000Z", ...action };
    stack.push(decision);
    decisions.push(decision);
  }
  return decisions;
}

const some: readonly (Step | typeof undo)[] = [
  (of) => ({ kind: "rename", of: of(0), name: "zero" }),
  (of) => ({ kind: "merge", into: of(1), from: [of(2), of(3)] }),
  (of) => ({ kind: "rename", of: of(1), name: "one to three" }),
  (of, next) => ({
    kind: "split",
    of: of(1),
    parts: [{ cluster: next, name: "part", images: [1, 7, 13].map(keyOf) }],
  }),
  (of) => ({ kind: "rename", of: of(4), name: "a slip" }),
  undo,
  (of) => ({ kind: "rename", of: of(6), name: "the part" }),
  (_, next) => ({ kind: "move", images: [0, 5].map(keyOf), to: { cluster: next } }),
  (of) => ({ kind: "move", images: [keyOf(6)], to: of(7) }),
  () => ({ kind: "aside", images: [keyOf(8), keyOf(9)] }),
  (of) => ({ kind: "confirm", images: [keyOf(10)], of: of(4) }),
  () => ({ kind: "same", images: [keyOf(14), keyOf(20)] }),
  (of) => ({ kind: "learn", moves: [{ images: [keyOf(16), keyOf(17)], to: of(0) }] }),
  (of) => ({ kind: "merge", into: of(7), from: [of(6)] }),
];

/** Which images are together, under which name; by the first image of each. */
function partition({ cluster, clusters }: ReturnType<typeof foldDecisions>) {
  const names = new Map(clusters.map((one) => [one.cluster, one.name]));
  return Array.from(cluster, (own) => (own < 0 ? "aside" : `${cluster.indexOf(own)} ${names.get(own) ?? ""}`));
}

test("a run of other numbers comes out the same, and so does one that is carried back", () => {
  const decisions = decide(some);
  const carried = carryDecisions(decisions, permuted);
  expect(carried.filter(({ conflict }) => conflict !== undefined)).toEqual([]);
  const there = foldDecisions(carried, permuted);
  const here = foldDecisions(decisions, model);
  expect(partition(there)).toEqual(partition(here));
  expect([there.by, there.confirmed]).toEqual([here.by, here.confirmed]);
  expect(carryDecisions(carried, model)).toEqual(decisions);
});

test("some of the images: decisions hold for those that are here", () => {
  const here = [...model.keys.keys()].filter((image) => image % 3 !== 0 || image < 10);
  const fewer: ModelClusters = {
    k: 6,
    keys: here.map(keyOf),
    assignments: here.map((image) => permuted.assignments[image]),
  };
  const decided = foldDecisions(carryDecisions(decide(some), fewer), fewer);
  const all = foldDecisions(decide(some), model);
  const together = (clusters: ArrayLike<number>, a: number, b: number): boolean => clusters[a] === clusters[b];
  here.forEach((image, place) => {
    expect(together(decided.cluster, place, here.indexOf(1))).toBe(together(all.cluster, image, 1));
    expect(decided.cluster[place] < 0).toBe(all.cluster[image] < 0);
  });
});

test.each<[string, readonly Step[], ModelClusters, string]>([
  [
    "whose images are spread evenly",
    [(of) => ({ kind: "rename", of: of(0), name: "zero" })],
    { ...model, assignments: model.assignments.map((_, image) => Math.floor(image / 6) % 6) },
    "spread over 6 clusters",
  ],
  [
    "of which no image is here",
    [(of) => ({ kind: "rename", of: of(0), name: "zero" })],
    { k: 1, keys: [keyOf(1)], assignments: [0] },
    "none of the typical images of a cluster is here",
  ],
  [
    "that has another name here",
    [(of) => ({ kind: "rename", of: of(0), name: "cats" }), (of) => ({ kind: "rename", of: of(1), name: "dogs" })],
    { ...model, k: 1, assignments: new Int32Array(60) },
    "that cluster is called “cats” here",
  ],
  [
    "one image of which is not here",
    [() => ({ kind: "different", images: [keyOf(1), keyOf(3)] })],
    modelOf(2, 1),
    "one of its images is not here",
  ],
  ["no image of which is here", [() => ({ kind: "aside", images: [keyOf(3)] })], modelOf(2, 1), "none of its images"],
])("a decision about what is %s stays, says why, and holds again where it can", (_, steps, there, why) => {
  const decisions = decide(steps);
  const carried = carryDecisions(decisions, there);
  expect(carried).toHaveLength(decisions.length);
  expect(carried.at(-1)?.conflict).toContain(why);
  foldDecisions(carried, there);
  expect(carryDecisions(carried, model)).toEqual(decisions);
});

test("two clusters that are one here are merged already, and two again where they are two", () => {
  const decisions = decide([(of) => ({ kind: "merge", into: of(0), from: [of(1)] })]);
  const one = carryDecisions(decisions, { ...model, k: 2, assignments: model.assignments.map((c) => Number(c > 1)) });
  expect(one[0].conflict).toBeUndefined();
  expect(foldDecisions(carryDecisions(one, permuted), permuted).cluster.slice(0, 2)).toEqual(Int32Array.of(3, 3));
});

test("a run that is made again in its folder keeps its decisions, for whoever opens them", async () => {
  const run = writeModelRun(join(folder, "again"), model);
  const log = await DecisionLog.open(run, { write: true });
  log.append({ kind: "rename", of: referenceOf(2, model), name: "two" });
  log.close();
  writeModelRun(run, permuted);
  const before = readFileSync(join(run, decisionsFile), "utf8");
  const { decisions } = await DecisionLog.open(run);
  expect(foldDecisions(decisions, permuted).clusters.find(({ name }) => name === "two")?.cluster).toBe(0);
  expect(readFileSync(join(run, decisionsFile), "utf8")).toBe(before);
  const again = await DecisionLog.open(run, { write: true });
  expect(again.decisions).toEqual(decisions);
  again.undo();
  again.close();
  expect((await DecisionLog.open(run)).decisions).toHaveLength(2);
});
