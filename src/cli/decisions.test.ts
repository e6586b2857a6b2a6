import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { boostcluster } from "../../test/command-line.ts";
import { writeShapeFolder } from "../../test/image-folder.ts";
import { readDecided } from "../runs/decisions/decided-run.ts";
import { DecisionLog } from "../runs/decisions/decision-log.ts";
import { readModelClusters } from "../runs/decisions/model-clusters.ts";
import { readAssignments } from "../runs/run-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-decisions-"));
const images = join(folder, "images");
const run = join(folder, "run");
const at = (name: string): string => join(folder, name);

function succeed(args: readonly string[]): string {
  const { status, stdout, stderr } = boostcluster(args);
  expect(status, stderr).toBe(0);
  return stdout;
}

const cluster = (seed: number, ...more: readonly string[]): string =>
  succeed([
    "cluster",
    images,
    "--method",
    "kms",
    "-k",
    "4",
    "--seed",
    String(seed),
    "--quiet",
    "--cache-folder",
    at("cache"),
    ...more,
  ]);

/** As the studio does it. */
async function merge(into: number, from: number, name: string): Promise<void> {
  const { keys, assignments } = await readModelClusters(run);
  const of = (number: number) => ({
    cluster: number,
    examples: keys.filter((_, image) => assignments[image] === number),
  });
  const log = await DecisionLog.open(run, { write: true });
  log.append({ kind: "rename", of: of(from), name });
  log.append({ kind: "merge", into: of(into), from: [of(from)] });
  log.close();
}

beforeAll(async () => {
  await writeShapeFolder(images, 40);
  cluster(1, "--out", run, "--no-report");
  const table = readAssignments(run).map(({ item, cluster: own }) => `${item},${own === 0 ? "first, of all" : own}`);
  const quoted = table.map((line) => line.replace("first, of all", '"first, of all"'));
  writeFileSync(at("by-hand.csv"), ["item,cluster", ...quoted].join("\n"));
  expect(succeed(["decisions", run, "--import", at("by-hand.csv")])).toBe("1 decision applied\n");
  await merge(2, 1, "two");
}, 120_000);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The images of each name. */
async function named(folderOfRun: string, name: string): Promise<readonly string[]> {
  return (await readDecided(folderOfRun)).rows.flatMap((row) => (row.name === name ? [row.item] : []));
}

test("decisions are listed in words", () => {
  const lines = succeed(["decisions", run]).trimEnd().split("\n");
  expect(
    lines.map((line) =>
      line.replace(/^ +(\d) {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}/, "$1 ").replace(/\d+ images/, "n images"),
    ),
  ).toEqual(["1 moved n images to the new “first, of all”", "2 called 1 “two”", "3 merged 2 and 1 into “two”"]);
});

test("answers about two images are imported from a table, and contradictions are listed", () => {
  const [first, second] = readAssignments(run).map(({ item }) => item);
  for (const answer of ["same", "different"]) {
    writeFileSync(at("pairs.csv"), `item,other,answer\n${first},${second},${answer}\n`);
    expect(succeed(["decisions", run, "--import", at("pairs.csv")])).toBe("1 decision applied\n");
  }
  const listed = succeed(["decisions", run]);
  expect(listed).toMatch(/^ +5 {2}.* said that 2 images do not belong together\n\d contradictions?:\n/m);
  expect(listed).toContain(`  ${first}: decision 5 contradicts decision 4, and holds\n`);
});

test("folders are called as clusters are", () => {
  expect(succeed(["organize", run, "--out", at("sorted")])).toContain("40 images in");
  expect(readdirSync(at("sorted")).toSorted()).toEqual(["3", "first, of all", "two"]);
});

test("tables, reports and exports have what was decided", () => {
  const [heading] = readFileSync(join(run, "assignments.csv"), "utf8").split("\n");
  expect(heading).toBe("item,cluster,score,secondCluster,margin,belonging,none,name,by,modelCluster");
  const report = at("decided.html");
  succeed(["report", run, "--out", report, "--points", "40", "--quiet", "--cache-folder", at("cache")]);
  expect(readFileSync(report, "utf8")).toContain("</i>first, of all</h3>");
  succeed(["export", run, "--to", "projector", "--out", at("projector"), "--cache-folder", at("cache")]);
  expect(readFileSync(at("projector/metadata.tsv"), "utf8")).toContain("\tfirst, of all\tperson\t0\n");
});

test("predict puts images into clusters as they were merged", () => {
  const item = readAssignments(run).find(({ cluster: own }) => own === 1)?.item ?? "";
  expect(JSON.parse(succeed(["predict", run, join(images, item)]))).toMatchObject({
    cluster: 2,
    name: "two",
    by: "model",
    modelCluster: 1,
  });
  const plain = JSON.parse(succeed(["predict", run, join(images, item), "--model"]));
  expect([plain.cluster, plain.name, plain.by]).toEqual([1, undefined, undefined]);
});

test("a run that is made again keeps its decisions; another run takes them over", async () => {
  const before = await named(run, "first, of all");
  cluster(2, "--out", run, "--force", "--no-report");
  expect(await named(run, "first, of all")).toEqual(before);
  const other = at("other");
  cluster(3, "--out", other, "--no-report", "--decisions", join(run, "decisions.jsonl"));
  expect(await named(other, "first, of all")).toEqual(before);
  expect(readFileSync(join(other, "assignments.csv"), "utf8")).toContain('"first, of all"');
});

test("originals are moved and taken back", () => {
  const out = at("moved");
  expect(succeed(["organize", run, "--by", "move", "--out", out])).toContain(`organize --undo ${out}`);
  expect(succeed(["organize", "--undo", out])).toBe(`40 images moved back from ${out}\n`);
  expect(existsSync(out)).toBe(false);
});
