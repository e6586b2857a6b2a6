import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { boostcluster, type Outcome } from "../../test/command-line.ts";
import { writeShapeFolder } from "../../test/image-folder.ts";
import { readDecided } from "../runs/decisions/decided-run.ts";
import { DecisionLog } from "../runs/decisions/decision-log.ts";
import { readModelClusters } from "../runs/decisions/model-clusters.ts";
import { readAssignments } from "../runs/run-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-refine-"));
const at = (name: string): string => join(folder, name);
const run = at("run");
const quick = ["--pretrain-epochs", "2", "--epochs", "2", "--over-clustering-epochs", "0"];

const refine = (...args: readonly string[]): Outcome =>
  boostcluster(["refine", run, "--quiet", "--epochs", "2", "--cache-folder", at("cache"), ...args]);

beforeAll(async () => {
  await writeShapeFolder(at("images"), 40);
  const shared = ["--quiet", "--cache-folder", at("cache"), "--no-report", "--out", run];
  const { status, stderr } = boostcluster(["cluster", at("images"), "-k", "4", ...quick, ...shared]);
  expect(status, stderr).toBe(0);
}, 120_000);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test("a run about which nothing is decided is refused in one line, and nothing is left behind", () => {
  const { status, stderr } = refine();
  expect(status).toBe(2);
  expect(stderr).toContain("nothing has been decided that could be learned");
  expect(existsSync(`${run}-refined`)).toBe(false);
});

test("the new run has the decided clusters with their names, single decisions still hold, the old run stays", async () => {
  const { keys, assignments } = await readModelClusters(run);
  const log = await DecisionLog.open(run, { write: true });
  log.append({ kind: "rename", of: { cluster: 2, examples: [] }, name: "bars" });
  log.append({ kind: "move", images: keys.slice(0, 3), to: { cluster: 4, name: "mine" } });
  log.append({ kind: "aside", images: [keys[7]] });
  log.append({ kind: "different", images: [keys[10], keys[11]] });
  log.append({ kind: "learn", moves: [{ images: [keys[20]], to: { cluster: 4, examples: [] } }] });
  log.close();
  const before = readFileSync(join(run, "assignments.jsonl"), "utf8");
  const { status, stdout, stderr } = refine("--json");
  expect(status, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ out: `${run}-refined`, k: 5, method: "dbc" });
  const { rows, decided, decisions } = await readDecided(`${run}-refined`);
  const kinds = ["aside", "different", "move", "rename", "rename"];
  expect(decisions.map(({ kind }) => kind).toSorted()).toEqual(kinds);
  expect(decided?.clusters.flatMap(({ cluster, name }) => (name === undefined ? [] : [[cluster, name]]))).toEqual([
    [2, "bars"],
    [4, "mine"],
  ]);
  expect(rows.slice(0, 3).map(({ cluster, by }) => [cluster, by])).toEqual(Array(3).fill([4, "person"]));
  expect(rows[7].aside).toBe(true);
  expect(readFileSync(join(run, "assignments.jsonl"), "utf8")).toBe(before);
  expect(readAssignments(run).map(({ cluster }) => cluster)).toEqual([...Int32Array.from(assignments)]);
  expect(readFileSync(join(`${run}-refined`, "report.html"), "utf8")).toContain(`refine ${run}`);
  const predicted = boostcluster(["predict", `${run}-refined`, join(at("images"), "group0", "0.png")]);
  expect(JSON.parse(predicted.stdout).cluster).toBeGreaterThanOrEqual(0);
});

test("ask lists images that nobody has decided about, and between which clusters they are", async () => {
  const { status, stdout, stderr } = boostcluster(["ask", `${run}-refined`, "--count", "3", "--json"]);
  expect(status, stderr).toBe(0);
  const items = readAssignments(run).map(({ item }) => item);
  const { questions } = JSON.parse(stdout);
  expect(questions).toHaveLength(3);
  for (const { kind, image, item, candidates } of questions) {
    expect(kind).toBe("image");
    expect(items[image]).toBe(item);
    expect(image).toBeGreaterThan(2);
    expect(new Set(candidates).size).toBe(candidates.length);
    expect(candidates.length).toBeGreaterThan(1);
  }
  const log = await DecisionLog.open(`${run}-refined`, { write: true });
  for (let cluster = 0; cluster < 5; cluster++)
    log.append({ kind: "rename", of: { cluster, examples: [] }, name: `called ${cluster}` });
  log.close();
  const text = boostcluster(["ask", `${run}-refined`, "--count", "3"]).stdout;
  expect(text).toMatch(/^(group\d\/\d+\.png: called \d, called \d.*\? between called \d and called \d.*\n)+$/);
});

test("questions go into a table, and come back as answers", async () => {
  const table = at("answers.csv");
  const { status, stderr } = boostcluster(["ask", `${run}-refined`, "--count", "3", "--quiet", "--table", table]);
  expect(status, stderr).toBe(0);
  const [heading, ...rows] = readFileSync(table, "utf8").trim().split("\n");
  expect(heading).toBe("item,cluster,asked,likely");
  expect(rows).toHaveLength(3);
  const named = new Map((await readDecided(`${run}-refined`)).rows.map(({ item, cluster }) => [item, cluster]));
  // The first is where it should be, of the others the person knows better.
  const filled = rows.map((row, index) => {
    const [item] = row.split(",");
    const cluster = named.get(item) ?? 0;
    return row.replace(/,,1,/, `,${index === 0 ? cluster : (cluster + 1) % 5},1,`);
  });
  writeFileSync(table, [heading, ...filled].join("\n"));
  const imported = boostcluster(["decisions", `${run}-refined`, "--import", table]);
  expect(imported.status, imported.stderr).toBe(0);
  const answers = (await readDecided(`${run}-refined`)).decisions.filter((one) => "asked" in one && one.asked);
  expect(answers.filter(({ kind }) => kind === "confirm")).toHaveLength(1);
  expect(answers.flatMap((one) => (one.kind === "move" ? one.images : []))).toHaveLength(2);
  // Neither is what somebody has filled in overwritten, nor is anything but a table written.
  for (const name of ["answers.csv", "answers.txt"]) {
    const refused = boostcluster(["ask", `${run}-refined`, "--table", at(name)]);
    expect([refused.status, refused.stderr.trim().split("\n").length]).toEqual([2, 1]);
  }
});

test("a refined run that is there already is not overwritten", () => {
  const { status, stderr } = refine();
  expect(status).toBe(2);
  expect(stderr).toContain("a finished run is here already");
});
