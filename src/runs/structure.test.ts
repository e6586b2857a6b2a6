import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shapeDataset, withCheckerboards } from "../../test/shapes.ts";
import { cutAtLevel } from "../clustering/cluster-tree.ts";
import { fitKms } from "../methods/baselines/kms.ts";
import type { Fitted } from "./fitted.ts";
import { readAssignments, saveRun } from "./run-folder.ts";
import { readRecord } from "./run-record.ts";
import { comparedAtOnce, type Structure, structureOf } from "./structure.ts";
import { readTree } from "./tree-file.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-structure-"));
const run = join(folder, "run");
const foreign = [5, 60];
const dataset = withCheckerboards(shapeDataset(160), foreign);
let fitted: Fitted;
let structure: Structure;

beforeAll(async () => {
  fitted = await fitKms(dataset, { k: 4, threads: 1 });
  structure = await structureOf(fitted, dataset, { threads: 1 });
  saveRun(run, fitted, dataset, { structure });
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test("foreign images are put aside; the model's cluster stays, and files and record tell", () => {
  const rows = readAssignments(run);
  expect(rows.flatMap(({ none }, image) => (none ? [image] : []))).toEqual(foreign);
  expect(rows.map(({ cluster }) => cluster)).toEqual([...fitted.assignments]);
  const usual = rows.filter(({ none }) => !none).map(({ belonging }) => belonging ?? Number.NaN);
  for (const image of foreign) expect(rows[image].belonging).toBeLessThan(Math.min(...usual));
  expect(readRecord(run)).toMatchObject({ none: 2, settings: { none: "auto" } });
  expect(readRecord(run).sizes.reduce((a, b) => a + b)).toBe(160);
  const lines = readFileSync(join(run, "assignments.csv"), "utf8").split("\n");
  expect(lines[0]).toBe("item,cluster,score,secondCluster,margin,belonging,none,label");
  expect(lines.slice(1, -1).flatMap((line, image) => (line.split(",")[6] === "1" ? [image] : []))).toEqual(foreign);
});

test("a share can be asked for, and nothing at all", async () => {
  const { belonging } = await structureOf(fitted, dataset, { none: 0.1, threads: 1 });
  expect(belonging?.none.reduce((a, b) => a + b)).toBe(16);
  const off = await structureOf(fitted, dataset, { none: "off", threads: 1 });
  expect(off.belonging).toBeUndefined();
  saveRun(join(folder, "off"), fitted, dataset, { structure: off });
  expect(readRecord(join(folder, "off")).settings.none).toBe("off");
  expect(readAssignments(join(folder, "off"))[0]).not.toHaveProperty("none");
});

test("the tree comes back as it was, and its level k is the run's clusters", () => {
  const tree = readTree(run);
  expect(tree?.groups).toEqual(structure.tree.groups);
  expect(tree?.clusters).toEqual(structure.tree.clusters);
  if (tree === undefined) throw new Error("there is no tree");
  const { names, groups } = cutAtLevel(tree, 4);
  expect(Array.from(groups, (group) => Number(names[group]))).toEqual([...fitted.assignments]);
});

test("a run without a tree is a run; a file that is no tree is refused in one line", () => {
  const other = join(folder, "other");
  saveRun(other, fitted, dataset);
  expect(readTree(other)).toBeUndefined();
  expect(readRecord(other).settings).not.toHaveProperty("none");
  writeFileSync(join(other, "tree.json"), '{"format": "boostcluster tree 1"}');
  expect(() => readTree(other)).toThrow(/tree\.json: it is no tree of clusters; delete it/);
});

test("of very many images fewer are compared with one another: the work grows no faster than their number", () => {
  expect([1000, 70_000, 100_000].map((count) => comparedAtOnce(count, 784))).toEqual([85_598, 85_598, 85_598]);
  const workOf = (count: number): number => count * comparedAtOnce(count, 784);
  expect(workOf(1_000_000)).toBeLessThanOrEqual(10 * workOf(100_000));
  expect(workOf(10_000_000)).toBe(10 * workOf(1_000_000));
});
