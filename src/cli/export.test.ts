import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { InferenceSession, Tensor } from "onnxruntime-node";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { boostcluster, type Outcome } from "../../test/command-line.ts";
import { writeShapeFolder } from "../../test/image-folder.ts";
import { preprocessing } from "../images/preprocessing.ts";
import { readAssignments, removeRun } from "../runs/run-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-export-"));
const images = join(folder, "shapes");
const others = join(folder, "others");
const cache = ["--cache-folder", join(folder, "cache")];
const run = join(folder, "run");
const tools = join(folder, "tools");

const exportRun = (to: string, ...args: string[]): Outcome =>
  boostcluster(["export", run, "--to", to, ...cache, ...args]);

beforeAll(async () => {
  await writeShapeFolder(images, 20);
  await writeShapeFolder(others, 19);
  renameSync(join(images, "group0", "0.png"), join(images, "group0", '0 "größe"\tzero.png'));
  writeFileSync(join(images, "group0", "broken.png"), "this is no image");
  const args = ["cluster", images, "-k", "4", "--method", "kms", "--labels", "folders", "--quiet", "--out", run];
  const { status, stderr } = boostcluster([...args, "--no-report", ...cache]);
  expect(status, stderr).toBe(0);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test("projector: into the run's folder, and how to look at it", () => {
  const { status, stdout, stderr } = exportRun("projector");
  expect(status, stderr).toBe(0);
  const out = join(run, "projector");
  expect(stdout).toBe(`written; look at it with: tensorboard --logdir ${out}\n`);
  expect(readdirSync(out).sort()).toEqual(["metadata.tsv", "projector_config.pbtxt", "sprite.png", "vectors.tsv"]);
  const lines = readFileSync(join(out, "metadata.tsv"), "utf8").trimEnd().split("\n");
  expect(lines).toHaveLength(21);
  expect(lines[1]).toContain('group0/0 "größe"\\tzero.png\t');
});

test("parquet: the images of the files, without the one that could not be read", async () => {
  const { status, stderr } = exportRun("parquet");
  expect(status, stderr).toBe(0);
  const file = await asyncBufferFromFile(join(run, "clusters.parquet"));
  const rows = await parquetReadObjects({ file, utf8: false, rowEnd: 20 });
  expect(rows.map(({ item }) => item)).toEqual(readAssignments(run).map(({ item }) => item));
  for (const { item, image } of rows) {
    const original = await sharp(join(images, item)).toColourspace("b-w").raw().toBuffer();
    const pixels = await sharp(image.bytes).toColourspace("b-w").raw().toBuffer();
    expect(pixels.equals(original), item).toBe(true);
  }
});

test("onnx: a model that runs by itself, and what to know of it", async () => {
  const out = join(tools, "model", "shapes.onnx");
  const { status, stdout, stderr } = exportRun("onnx", "--out", out);
  expect(status, stderr).toBe(0);
  expect(stdout).toContain("float32 [batch, 1, 12, 12]");
  const { words, python } = preprocessing({ channels: 1, height: 12, width: 12 }, "cover");
  expect(stdout).toContain(words);
  expect(stdout).toContain(python("image.png"));
  expect(readFileSync(out, "latin1")).toContain(words);
  expect(stdout).toContain(`onnxruntime.InferenceSession("${out}")`);
  const [first] = readAssignments(run);
  const pixels = await sharp(join(images, first.item)).toColourspace("b-w").raw().toBuffer();
  const values = Float32Array.from(pixels, (value) => value / 255);
  const session = await InferenceSession.create(out);
  const { scores } = await session.run({ images: new Tensor("float32", values, [1, 1, 12, 12]) });
  expect(Number(scores.data[first.cluster])).toBeCloseTo(first.score, 5);
});

test("what is there is written over with --force only, and images may have moved", () => {
  const out = join(run, "projector", "sprite.png");
  const sprite = readFileSync(out);
  writeFileSync(out, "old");
  expect(exportRun("projector").stderr).toContain("it exists already; write over it with --force, or choose another");
  expect(readFileSync(out, "utf8")).toBe("old");
  const moved = join(folder, "moved");
  renameSync(images, moved);
  try {
    expect(exportRun("projector", "--force").stderr).toContain(
      "the images are not there; set images to where they are (--images)",
    );
    const { status, stderr } = exportRun("projector", "--force", "--images", moved);
    expect(status, stderr).toBe(0);
    expect(readFileSync(out).equals(sprite)).toBe(true);
  } finally {
    renameSync(moved, images);
  }
});

test.each<[string, string[], RegExp]>([
  ["no format", [run], /export needs a format: --to projector\|parquet\|onnx/],
  ["an unknown format", [run, "--to", "excel"], /--to takes projector \| parquet \| onnx, not "excel"/],
  ["no run", ["--to", "onnx"], /export takes the folder of one run; --help has examples/],
  ["a run that is not there", [folder, "--to", "onnx"], /there is no finished run here \(no run\.json\)/],
  [
    "other images",
    [run, "--to", "parquet", "--images", others],
    /others: these are not the images that the run was made of/,
  ],
  ["images that are not there", [run, "--to", "projector", "--images", "nowhere"], /nowhere: the images are not there/],
  [
    "a file for a folder",
    [run, "--to", "projector", "--out", join(run, "run.json"), "--force"],
    /it is a file; choose/,
  ],
  ["a folder for a file", [run, "--to", "onnx", "--out", images, "--force"], /shapes: it is a folder; choose/],
])("%s: one line on stderr, exit code 2, nothing written", (_, args, message) => {
  const out = join(folder, "nothing");
  const { status, stdout, stderr } = boostcluster([
    "export",
    ...(args.includes("--out") ? args : [...args, "--out", out]),
    ...cache,
  ]);
  expect(stderr).toMatch(/^boostcluster: .*\n$/);
  expect(stderr).toMatch(message);
  expect(status).toBe(2);
  expect(stdout).toBe("");
  expect(existsSync(out)).toBe(false);
});

test("a run that is removed takes its exports along", () => {
  exportRun("onnx");
  expect(existsSync(join(run, "clusters.onnx"))).toBe(true);
  removeRun(run);
  expect(readdirSync(run)).toEqual([]);
});
