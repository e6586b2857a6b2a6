import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { boostcluster } from "../../test/command-line.ts";
import { writeShapeFolder } from "../../test/image-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-report-cli-"));
const images = join(folder, "shapes");
const run = join(folder, "a run");
const cache = ["--cache-folder", join(folder, "cache")];
const quick = ["-k", "4", "--pretrain-epochs", "2", "--epochs", "3", "--batch", "32", "--restarts", "2", ...cache];
let printed = "";

beforeAll(async () => {
  await writeShapeFolder(images, 60);
  writeFileSync(join(images, "group0", "broken.png"), "this is no image");
  const { status, stdout, stderr } = boostcluster([
    ...["cluster", images, ...quick, "--labels", "folders", "--quiet", "--out", run],
  ]);
  expect(status, stderr).toBe(0);
  expect(stderr).toBe("");
  printed = stdout;
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const report = (...args: string[]) => boostcluster(["report", run, "--quiet", ...cache, ...args]);

test("cluster writes the report and says where it is", () => {
  expect(printed).toContain(`report: ${join(run, "report.html")} (open it in a browser)\n`);
  const page = readFileSync(join(run, "report.html"), "utf8");
  expect(page).toContain("<h1>shapes</h1>");
  expect(page).toContain("1 file was left out.");
  expect(page).toContain("group0/broken.png");
  expect(page).toMatch(/boostcluster cluster \S*shapes -k 4 --size 12x12 --channels 1 --labels folders --seed 0 /);
});

test("report writes the same page again, or another one elsewhere", () => {
  const before = readFileSync(join(run, "report.html"), "utf8");
  const again = report();
  expect(again.stdout, again.stderr).toBe(`${join(run, "report.html")}: open it in a browser\n`);
  expect(readFileSync(join(run, "report.html"), "utf8")).toBe(before);
  const other = join(folder, "other.html");
  expect(report("--out", other, "--labels", "none", "--points", "20").status).toBe(0);
  const page = readFileSync(other, "utf8");
  expect(page).toContain("Every dot is one of 20 images, chosen evenly.");
  expect(page).not.toContain("Against the labels");
});

test("--no-report leaves it out; --json tells where it is", () => {
  const without = join(folder, "without");
  const kms = ["--method", "kms", "-k", "3", "--json", "--quiet", ...cache];
  const { stdout } = boostcluster(["cluster", images, ...kms, "--no-report", "--out", without]);
  expect(JSON.parse(stdout).report).toBeUndefined();
  expect(readdirSync(without)).not.toContain("report.html");
  const out = join(folder, "with");
  const reported = boostcluster(["cluster", images, ...kms, "--out", out]);
  expect(JSON.parse(reported.stdout).report).toBe(join(out, "report.html"));
  expect(existsSync(join(out, "report.html"))).toBe(true);
});

test("a report that cannot be written is told in one line, and the run stays", () => {
  const out = join(folder, "unwritable");
  const args = ["cluster", images, ...quick, "--quiet", "--out", out];
  boostcluster([...args, "--no-report"]);
  rmSync(join(out, "run.json"));
  mkdirSync(join(out, "report.html", "in the way"), { recursive: true });
  const { status, stdout, stderr } = boostcluster([...args, "--resume"]);
  expect(status).toBe(0);
  expect(stderr).toMatch(
    /^the report could not be made \(.*\); the run is saved, make it with: boostcluster report .*\n$/,
  );
  expect(stdout).toContain(`results: ${out}`);
  expect(stdout).not.toContain("report:");
  expect(existsSync(join(out, "run.json"))).toBe(true);
});

test("images that have moved are found with --images; others are refused", async () => {
  const moved = join(folder, "moved");
  renameSync(images, moved);
  const out = join(folder, "moved.html");
  const gone = report("--out", out);
  expect(gone.stderr).toMatch(
    /^boostcluster: .*shapes: the images are not there; set images to where they are \(--images\)\n$/,
  );
  expect(gone.status).toBe(2);
  const found = report("--images", moved, "--points", "10", "--out", out);
  expect(found.status, found.stderr).toBe(0);
  const others = join(folder, "others");
  await writeShapeFolder(others, 59);
  const refused = report("--images", others);
  expect(refused.stderr).toMatch(/^boostcluster: .*others: these are not the images that .* \(--images\)\n$/);
  expect(refused.status).toBe(2);
  renameSync(moved, images);
});

test.each<[string, string[], RegExp]>([
  ["no run", ["report"], /report takes the folder of one run/],
  ["a run that is not there", ["report", join(folder, "nowhere")], /there is no finished run here/],
  ["too many points", ["report", run, "--points", "10001", ...cache], /points must be a whole number from 1 to 10000/],
  ["labels that are not there", ["report", run, "--labels", join(folder, "no.csv"), ...cache], /no\.csv/],
  ["a file in the way", ["report", run, "--out", join(run, "run.json", "r.html"), ...cache], /run\.json/],
])("%s: one line on stderr, exit code 2", (_, args, message) => {
  const { status, stdout, stderr } = boostcluster(args);
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(status).toBe(2);
  expect(stdout).toBe("");
});
