/** Vectors that someone else computed, from a file: of images, or of anything. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { npy } from "../../test/array-files.ts";
import { blobs } from "../../test/blobs.ts";
import { boostcluster, type Outcome } from "../../test/command-line.ts";
import { parquet } from "../../test/parquet-file.ts";
import { writeColours } from "../../test/tiny-backbones.ts";
import { rowOf } from "../numeric/matrix.ts";
import { readAssignments } from "../runs/run-folder.ts";
import { readRecord } from "../runs/run-record.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-feature-runs-"));
const cache = ["--cache-folder", join(folder, "cache")];
const [count, dimensions] = [90, 20];
const { samples, labels } = blobs({ groups: 3, count, dimensions, distance: 3 });
const rows = Array.from({ length: count }, (_, row) => Array.from(rowOf(samples, row)));
const images = join(folder, "colours");
const run = join(folder, "run");

const at = (name: string): string => join(folder, name);
const writeArray = (name: string, values: Float32Array, columns: number): void =>
  writeFileSync(at(name), npy("<f4", [values.length / columns, columns], values));

function succeed(args: readonly string[], cwd = folder): Outcome {
  const outcome = boostcluster(args, { cwd });
  expect(outcome.status, outcome.stderr).toBe(0);
  return outcome;
}

/** The one line that it ends with. */
function refused(args: readonly string[]): string | undefined {
  const { status, stderr } = boostcluster(args, { cwd: folder });
  expect(status, stderr).toBe(2);
  return stderr.trimEnd().split("\n").at(-1);
}

const clustersOf = (of: string): number[] => readAssignments(of).map(({ cluster }) => cluster);

beforeAll(async () => {
  await writeColours(images, count);
  writeArray("texts.npy", samples.values, dimensions);
  writeArray("fewer.npy", samples.values.slice(0, 40 * dimensions), dimensions);
  writeArray("shorter.npy", samples.values.slice(0, 50), 5);
  writeFileSync(at("classes.txt"), Array.from(labels, (label) => `class ${label}\n`).join(""));
  const header = `item,label,${rows[0].map((_, column) => `f${column}`).join(",")}`;
  const lines = rows.map((row, index) => `text ${index},class ${labels[index]},${row.join(",")}`);
  writeFileSync(at("texts.csv"), `${[header, ...lines].join("\n")}\n`);
  writeFileSync(at("texts.parquet"), parquet({ item: rows.map((_, index) => `text ${index}`), features: rows }));
  succeed(["cluster", "--features", "texts.npy", "-k", "3", "--labels", "classes.txt", "--out", run, ...cache]);
});

afterAll(() => rmSync(folder, { recursive: true }));

test("vectors alone: clusters, what they are called, and numbers against classes", () => {
  const { settings, metrics, dataset } = readRecord(run);
  expect(metrics?.acc).toBe(1);
  expect(settings).toMatchObject({ source: at("texts.npy"), features: at("texts.npy"), vectorEncoder: "linear" });
  expect(dataset.name).toBe("texts.npy");
  const report = readFileSync(join(run, "report.html"), "utf8");
  expect(report).toContain("90 vectors of 20 numbers, sorted into 3 clusters");
  expect(report).toContain("boostcluster predict . new-vectors.npy");
  expect(report).not.toContain("ImageOps");
  expect(succeed(["info", run]).stdout).toContain("texts.npy: 90 vectors of 20 numbers");
});

test.each(["texts.csv", "texts.parquet"])("%s gives the clusters of the .npy file", (file) => {
  const out = at(`of ${file}`);
  const { stdout, stderr } = succeed(["cluster", "--features", file, "-k", "3", "--no-report", "--out", out, ...cache]);
  expect(stderr).toContain(`${file}: 90 vectors of 20 numbers`);
  expect(stdout).toContain("90 vectors in 3 clusters of 30 to 30");
  expect(stdout).toMatch(/next: boostcluster predict .* <vectors>/);
  expect(clustersOf(out)).toEqual(clustersOf(run));
  expect(readAssignments(out)[7].item).toBe("text 7");
});

test("the report's command makes the same run again, from anywhere", () => {
  const page = readFileSync(join(run, "report.html"), "utf8");
  const [, words] = /<code>boostcluster (cluster [^<]*)<\/code>/.exec(page) ?? [];
  const again = at("again");
  succeed([...words.split(" "), "--labels", at("classes.txt"), "--no-report", "--out", again, ...cache], tmpdir());
  for (const file of ["model.onnx", "assignments.csv", "features.npy"])
    expect(readFileSync(join(again, file)).equals(readFileSync(join(run, file))), file).toBe(true);
});

test("predict takes new vectors, of the same length", () => {
  const lines = succeed(["predict", run, "fewer.npy"]).stdout.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).cluster)).toEqual(clustersOf(run).slice(0, 40));
  expect(refused(["predict", run, "shorter.npy"])).toBe(
    "boostcluster: shorter.npy: holds vectors of 5 numbers, and the run was made of vectors of 20 numbers; compute them as those were",
  );
  expect(refused(["predict", run, images])).toMatch(
    /colours: vectors come from an \.npy, \.npz, \.parquet or \.csv file/,
  );
});

test("report, exports and evaluate find the vectors again, wherever they are now", () => {
  succeed(["report", run, "--images", at("texts.npy"), "--out", at("report.html"), ...cache]);
  const described = succeed(["export", run, "--to", "onnx"]).stdout;
  expect(described).toContain("float32 [batch, 20, 1, 1]");
  expect(described).not.toContain("pillow");
  succeed(["export", run, "--to", "parquet", ...cache]);
  succeed(["export", run, "--to", "projector", ...cache]);
  expect(JSON.parse(succeed(["evaluate", run, "--labels", "classes.txt", "--json"]).stdout).acc).toBe(1);
  expect(refused(["report", run, "--images", "fewer.npy", ...cache])).toMatch(
    /fewer\.npy: these are not the images that the run was made of, or they have changed/,
  );
});

test("vectors of images: the images are shown and organized, the vectors clustered", () => {
  const out = at("both");
  succeed(["cluster", images, "--features", "texts.npy", "-k", "3", "--duplicates", "keep", "--out", out, ...cache]);
  const { settings, dataset } = readRecord(out);
  expect(settings).toMatchObject({ source: images, features: at("texts.npy") });
  expect(dataset.image).toEqual({ channels: 3, height: 20, width: 24 });
  expect(clustersOf(out)).toEqual(clustersOf(run));
  expect(readFileSync(join(out, "report.html"), "utf8")).toContain(
    "24 × 20 pixels, by vectors of texts.npy, sorted into",
  );
  succeed(["organize", out, "--out", at("sorted")]);
  succeed(["report", out, ...cache]);
});

test("k and -k auto count the groups of vectors", () => {
  expect(succeed(["k", "--features", "texts.npy"]).stdout).toContain(
    "next: boostcluster cluster --features texts.npy -k 3",
  );
  const out = at("auto");
  succeed(["cluster", "--features", "texts.npy", "-k", "auto", "--no-report", "--out", out, ...cache]);
  expect(clustersOf(out)).toEqual(clustersOf(run));
});

test.each([
  [
    ["colours", "--features", "fewer.npy"],
    /^boostcluster: fewer\.npy: has 40 vectors for the 90 images of colours; there must be one for each \(--features\)$/,
  ],
  [
    ["--features", "texts.npy", "--backbone", "tiny"],
    /^boostcluster: --features has vectors already; leave out --backbone$/,
  ],
  [
    ["--features", "texts.npy", "--augmentation", "move"],
    /augmentation "move" changes images, and these are vectors; .* \(--augmentation\)$/,
  ],
  [
    ["texts.npy"],
    /^boostcluster: texts\.npy: holds 90 vectors of 20 numbers, not images; give vectors as features, .* \(--features\)$/,
  ],
  [[], /^boostcluster: cluster takes one folder, file or name of a set/],
])("cluster %j is refused in one line", (args, message) => {
  expect(refused(["cluster", ...args, "-k", "3", "--out", at("refused"), ...cache])).toMatch(message);
});
