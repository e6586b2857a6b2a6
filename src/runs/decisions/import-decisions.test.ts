import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { keyOf, modelOf, referenceOf, writeModelRun } from "../../../test/decided-model.ts";
import { constraintsOf } from "./constraints.ts";
import { readDecided, renewAssignments } from "./decided-run.ts";
import type { Action } from "./decision.ts";
import { DecisionLog } from "./decision-log.ts";
import { exportDecisions } from "./decisions-file.ts";
import { decisionsFile } from "./file-names.ts";
import { importDecisions } from "./import-decisions.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-import-"));
const model = modelOf(30, 3);
const permuted = { ...model, assignments: model.assignments.map((cluster) => (cluster + 1) % 3) };

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const decisions: readonly Action[] = [
  { kind: "rename", of: referenceOf(0, model), name: 'cats, "black" ones' },
  { kind: "move", images: [1, 4].map(keyOf), to: { cluster: 3, name: "kittens" } },
  { kind: "move", images: [keyOf(7)], to: { cluster: 4 } },
  { kind: "merge", into: referenceOf(0, model), from: [referenceOf(2, model)] },
  { kind: "aside", images: [keyOf(5)] },
];

/** A run that people have decided about. */
async function decidedRun(name: string): Promise<string> {
  const run = writeModelRun(join(folder, name), model);
  const log = await DecisionLog.open(run, { write: true });
  for (const action of decisions) log.append(action);
  log.append({ kind: "confirm", images: [keyOf(0)] });
  log.undo();
  log.close();
  return run;
}

function file(name: string, text = ""): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Which images are together, by the first of each. */
async function partitionOf(run: string): Promise<readonly (number | "aside")[]> {
  const { rows } = await readDecided(run);
  const clusters = rows.map(({ cluster }) => cluster);
  return clusters.map((cluster) => (cluster < 0 ? "aside" : clusters.indexOf(cluster)));
}

async function namesOf(run: string): Promise<readonly (string | undefined)[]> {
  return (await readDecided(run)).rows.map(({ name }) => name);
}

test.each([".json", ".csv"])("what is exported as %s comes out the same where it is imported", async (extension) => {
  const run = await decidedRun(`from${extension}`);
  const path = join(folder, `exported${extension}`);
  exportDecisions(path, await readDecided(run));
  const other = writeModelRun(join(folder, `to${extension}`), permuted);
  expect((await importDecisions(other, path)).conflicts).toEqual([]);
  expect(await partitionOf(other)).toEqual(await partitionOf(run));
  if (extension === ".json") expect(await namesOf(other)).toEqual(await namesOf(run));
  // Once more, and nothing happens.
  expect((await importDecisions(other, path)).applied).toBe(0);
});

test("the log of another run is applied without what was undone there", async () => {
  const run = await decidedRun("log");
  const other = writeModelRun(join(folder, "other"), permuted);
  const { applied, known } = await importDecisions(other, join(run, decisionsFile));
  expect([applied, known]).toEqual([5, 0]);
  expect(await partitionOf(other)).toEqual(await partitionOf(run));
  expect((await readDecided(other)).rows.some(({ confirmed }) => confirmed)).toBe(false);
});

test("a table moves items to clusters by number or name, and makes those that there are not", async () => {
  const run = await decidedRun("table");
  const table = file(
    "by-hand.csv",
    "\ufeffcluster,item\r\nkittens,2.png\r\n1,3.png\r\n birds ,6.png\r\nbirds,8.png\r\n,9.png\r\n",
  );
  expect(await importDecisions(run, table)).toEqual({ applied: 3, known: 0, conflicts: [] });
  const { rows } = await readDecided(run);
  expect([2, 3, 6, 8, 9].map((image) => [rows[image].cluster, rows[image].name])).toEqual([
    [3, "kittens"],
    [1, undefined],
    [5, "birds"],
    [5, "birds"],
    [0, 'cats, "black" ones'],
  ]);
  expect(rows[2]).toMatchObject({ by: "person", modelCluster: 2, aside: false });
});

test("a row says that an image belongs where it is only if it says so", async () => {
  const run = await decidedRun("confirmed");
  const table = file("looked-at.csv", "item,cluster,confirmed\n0.png,0,1\n3.png,0,0\n6.png,1,1\n9.png,birds,1\n");
  expect((await importDecisions(run, table)).applied).toBe(5);
  const { rows } = await readDecided(run);
  expect([0, 3, 6, 9].map((image) => [rows[image].cluster, rows[image].by, rows[image].confirmed])).toEqual([
    [0, "model", true],
    [0, "model", false],
    [1, "person", true],
    [5, "person", true],
  ]);
  // Once more, and nothing happens; nor does it with what the run itself has written.
  expect((await importDecisions(run, table)).applied).toBe(0);
  await renewAssignments(run);
  expect((await importDecisions(run, join(run, "assignments.csv"))).applied).toBe(0);
});

test("answers come back as answers, beside corrections, and once", async () => {
  const run = await decidedRun("answers");
  const before = (await readDecided(run)).decisions.length;
  const table = file("answers.csv", "item,cluster,asked\n0.png,0,1\n3.png,owls,1\n6.png,owls,\n9.png,,1\n");
  await importDecisions(run, table);
  const decisions = (await readDecided(run)).decisions.slice(before);
  const told = decisions.map((one) => [one.kind, "asked" in one && one.asked === true]);
  expect(told.toSorted()).toEqual([
    ["confirm", true],
    ["move", false],
    ["move", true],
  ]);
  const { rows } = await readDecided(run);
  expect(rows[3].name).toBe("owls");
  expect(rows[6].cluster).toBe(rows[3].cluster);
  expect((await importDecisions(run, table)).applied).toBe(0);
});

test("a table of pairs says which images belong together, and says it once", async () => {
  const run = writeModelRun(join(folder, "pairs"), model);
  const table = file("pairs.csv", "answer,item,other\nsame,0.png,1.png\nDifferent,2.png,3.png\nsame,1.png,0.png\n");
  expect((await importDecisions(run, table)).applied).toBe(2);
  expect((await importDecisions(run, table)).applied).toBe(0);
  const { together, apart } = constraintsOf((await readDecided(run)).decisions, model);
  expect([together, apart]).toEqual([[[0, 1]], [[2, 3]]]);
});

test.each([
  [
    "unknown.csv",
    "item,cluster\n0.png,1\nnobody.png,1\n",
    "1 of the items are not in this run: nobody.png; nothing was",
  ],
  [
    "columns.csv",
    "name,group\n0.png,1\n",
    "its first line must name the columns item and cluster, or item, other and answer, not name, group",
  ],
  ["short.csv", "item,cluster\n0.png\n", "row 1 has 1 fields, not 2"],
  ["answer.csv", "item,other,answer\n0.png,1.png,maybe\n", 'row 1: the answer is "same" or "different", not "maybe"'],
  ["itself.csv", "item,other,answer\n0.png,0.png,same\n", "row 1: 0.png and 0.png are the same picture"],
  ["stranger.csv", "item,other,answer\n0.png,nobody.png,same\n", "1 of the items are not in this run: nobody.png"],
  ["quote.csv", 'item,cluster\n"0.png,1\n', "has a quote that is not closed"],
  ["other.json", '{"format":"something"}', 'its format is "something"'],
  ["damaged.json", '{"format":"boostcluster decisions 1","decisions":[{}]}', "are no decisions"],
  ["decisions.txt", "", "decisions are read from .json, .jsonl and .csv"],
])("%s is refused, and nothing is imported", async (name, text, message) => {
  const run = writeModelRun(join(folder, `refused ${name}`), model);
  await expect(importDecisions(run, file(name, text))).rejects.toThrow(message);
  expect(existsSync(join(run, decisionsFile))).toBe(false);
});

test("assignments.csv has what was decided, and without decisions is what it was", async () => {
  const run = writeModelRun(join(folder, "csv"), model);
  await renewAssignments(run);
  const before = readFileSync(join(run, "assignments.csv"), "utf8");
  expect(before.split("\n", 2)).toEqual(["item,cluster,score,secondCluster,margin", "0.png,0,0.9,,0.8"]);
  const log = await DecisionLog.open(run, { write: true });
  log.append(decisions[0]);
  log.append({ kind: "aside", images: [keyOf(1)] });
  await renewAssignments(run);
  const lines = readFileSync(join(run, "assignments.csv"), "utf8").split("\n");
  expect(lines.slice(0, 4)).toEqual([
    "item,cluster,score,secondCluster,margin,name,by,modelCluster",
    '0.png,0,0.9,,0.8,"cats, ""black"" ones",model,0',
    "1.png,,0.9,,0.8,,person,1",
    "2.png,2,0.9,,0.8,,model,2",
  ]);
  log.undo();
  log.undo();
  log.close();
  await renewAssignments(run);
  expect(readFileSync(join(run, "assignments.csv"), "utf8")).toBe(before);
});
