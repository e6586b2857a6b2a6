import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { keyOf, modelOf, referenceOf, writeModelRun } from "../../../test/decided-model.ts";
import { LockedError } from "../../files/lock-file.ts";
import type { Action } from "./decision.ts";
import { DecisionLog } from "./decision-log.ts";
import { decisionsFile, decisionsLock } from "./file-names.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-decisions-"));
const model = modelOf(12, 3);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const rename = (cluster: number, name: string): Action => ({ kind: "rename", of: referenceOf(cluster, model), name });
const aside: Action = { kind: "aside", images: [keyOf(0), keyOf(5)] };

async function decided(run: string, actions: readonly Action[]): Promise<string> {
  const log = await DecisionLog.open(run, { write: true });
  for (const action of actions) log.append(action);
  log.close();
  return join(run, decisionsFile);
}

async function decisionsOf(run: string) {
  return (await DecisionLog.open(run)).decisions;
}

test("decisions are there again in the next process, numbered in order; a run without any has no file", async () => {
  const run = writeModelRun(join(folder, "again"), model);
  expect(await decisionsOf(run)).toEqual([]);
  expect(existsSync(join(run, decisionsFile))).toBe(false);
  await decided(run, [rename(1, "“cats”\n"), aside]);
  await decided(run, [rename(2, "")]);
  expect((await decisionsOf(run)).map(({ number, kind }) => [number, kind])).toEqual([
    [1, "rename"],
    [2, "aside"],
    [3, "rename"],
  ]);
  expect(existsSync(join(run, decisionsLock))).toBe(false);
});

test("undo and redo go step by step and survive; whoever decides anew can redo nothing", async () => {
  const run = writeModelRun(join(folder, "undo"), model);
  await decided(run, [rename(0, "a"), rename(0, "b"), aside]);
  let log = await DecisionLog.open(run, { write: true });
  log.undo();
  log.undo();
  log.close();
  log = await DecisionLog.open(run, { write: true });
  expect([log.undoable?.number, log.redoable?.number]).toEqual([1, 2]);
  log.redo();
  expect([log.undoable?.number, log.redoable?.number]).toEqual([2, 3]);
  log.append(rename(1, "c"));
  expect(log.redoable).toBeUndefined();
  expect(log.redo()).toBeUndefined();
  for (let step = 0; step < 3; step++) expect(log.undo()).toBeDefined();
  expect(log.undo()).toBeUndefined();
  log.close();
});

test("a last line that was torn at any byte counts as never said, and the next one is whole", async () => {
  const run = writeModelRun(join(folder, "torn"), model);
  const path = await decided(run, [rename(0, "whole"), rename(1, "tôrn")]);
  const bytes = readFileSync(path);
  const lastLine = bytes.lastIndexOf("\n", bytes.length - 2) + 1;
  for (let length = lastLine; length < bytes.length; length++) {
    writeFileSync(path, bytes.subarray(0, length));
    expect(await decisionsOf(run)).toHaveLength(1);
    expect(readFileSync(path)).toHaveLength(length);
    await decided(run, [aside]);
    expect((await decisionsOf(run)).map(({ kind }) => kind)).toEqual(["rename", "aside"]);
  }
});

test("a heading that was torn at any byte is written anew", async () => {
  const run = writeModelRun(join(folder, "torn heading"), model);
  const path = await decided(run, [aside]);
  const bytes = readFileSync(path);
  for (let length = 0; length < bytes.indexOf("\n"); length++) {
    writeFileSync(path, bytes.subarray(0, length));
    await decided(run, [aside]);
    expect(await decisionsOf(run)).toHaveLength(1);
  }
});

test.each<[string, string]>([
  ["is no JSON", "{"],
  ["is no decision", '{"number":2,"at":"","kind":"rename"}'],
  ["has no key of an image", '{"number":2,"at":"","kind":"aside","images":["../../etc/passwd"]}'],
  ["comes twice", '{"number":1,"at":"","kind":"aside","images":[]}'],
  ["undoes what is not next in turn", '{"number":2,"at":"","kind":"undo","decision":2}'],
])("a line that %s is refused by its number, and nothing is changed", async (name, line) => {
  const run = writeModelRun(join(folder, name), model);
  const path = await decided(run, [aside]);
  writeFileSync(path, `${readFileSync(path, "utf8")}${line}\n`);
  const before = readFileSync(path, "utf8");
  for (const write of [false, true])
    await expect(DecisionLog.open(run, { write })).rejects.toThrow(`${path}: line 3 is damaged`);
  expect(readFileSync(path, "utf8")).toBe(before);
  expect(existsSync(join(run, decisionsLock))).toBe(false);
});

test("one process decides at a time; a second one is told who, and can read", async () => {
  const run = writeModelRun(join(folder, "locked"), model);
  const first = await DecisionLog.open(run, { write: true });
  first.append(aside);
  const second = DecisionLog.open(run, { write: true });
  await expect(second).rejects.toThrow(LockedError);
  await expect(second).rejects.toThrow(`process ${process.pid} has been deciding on this run`);
  expect(await decisionsOf(run)).toHaveLength(1);
  first.close();
  (await DecisionLog.open(run, { write: true })).close();
});

test("several decisions are appended together", async () => {
  const run = writeModelRun(join(folder, "together"), model);
  await decided(run, [aside]);
  const log = await DecisionLog.open(run, { write: true });
  log.appendAll([rename(0, "a"), { ...rename(1, "b"), conflict: "for a test" }]);
  log.append(aside);
  log.close();
  expect((await decisionsOf(run)).map(({ number, conflict }) => [number, conflict])).toEqual([
    [1, undefined],
    [2, undefined],
    [3, "for a test"],
    [4, undefined],
  ]);
});
