import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { boostcluster, startBoostcluster } from "../../test/command-line.ts";
import { writeShapeFolder } from "../../test/image-folder.ts";
import { lastCheckpoint } from "../runs/run-checkpoints.ts";
import { loadRun } from "../runs/run-folder.ts";
import { savedWork } from "./interruption.ts";
import { describeRun } from "./run-summary.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-cli-"));
const images = join(folder, "shapes");
const cache = ["--cache-folder", join(folder, "cache")];
// Not smoothed, so that a run says what its model says.
const training = ["--pretrain-epochs", "3", "--epochs", "3", "--batch", "32", "--restarts", "2", "--smoothing", "0"];
const quick = ["-k", "4", ...training, "--no-report", ...cache];
const run = join(folder, "run");
const labelled = ["cluster", images, ...quick, "--labels", "folders"];
let said = "";

beforeAll(async () => {
  await writeShapeFolder(images, 120);
  writeFileSync(join(images, "group0", "broken.png"), "this is no image");
  const { status, stderr } = boostcluster([...labelled, "--out", run]);
  expect(status, stderr).toBe(0);
  said = stderr;
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test("a run is a folder with everything in it, and says what was left out", () => {
  expect(readdirSync(run).sort()).toEqual([
    "assignments.csv",
    "assignments.jsonl",
    "checkpoint.safetensors",
    "features.npy",
    "images.sha256",
    "model.onnx",
    "run.json",
    "snapshots",
    "tree.json",
    "weights.safetensors",
  ]);
  expect(said).toContain("120 images, 12x12 grey");
  expect(said).toMatch(/1 files were left out:\n {2}group0\/broken\.png: /);
});

test("clusters that ended empty are told", () => {
  const { record } = loadRun(run);
  expect(describeRun(record, run, undefined)).not.toContain("empty");
  expect(describeRun({ ...record, sizes: [70, 50, 0, 0] }, run, undefined)).toContain("2 clusters ended empty");
});

test("--json prints one object with settings, sizes, times and metrics", () => {
  const { stdout, stderr, status } = boostcluster([...labelled, "--json", "--quiet", "--out", join(folder, "json")]);
  expect(status, stderr).toBe(0);
  expect(stderr).toBe("");
  const result = JSON.parse(stdout);
  expect(result.sizes.reduce((a: number, b: number) => a + b)).toBe(120);
  expect(result.settings).toMatchObject({ k: 4, epochs: 3, seed: 0, fit: "cover", source: images });
  expect(result.acc).toBeGreaterThan(0.5);
  expect(result.nmi).toBe(result.metrics.nmi);
  expect(result.seconds.clustering).toBeGreaterThan(0);
  const first = readFileSync(join(run, "assignments.csv"), "utf8");
  expect(readFileSync(join(folder, "json", "assignments.csv"), "utf8")).toBe(first);
});

test("predict gives the assignments of the run for its own images, as JSON lines and as CSV", () => {
  const { stdout, stderr, status } = boostcluster(["predict", run, images]);
  expect(status, stderr).toBe(0);
  expect(stderr).toContain("left out:");
  const rows = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const saved = readFileSync(join(run, "assignments.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(rows.map(({ cluster }) => cluster)).toEqual(saved.map(({ cluster }) => cluster));
  rows.forEach(({ score }, index) => {
    expect(score).toBeCloseTo(saved[index].score, 4);
  });
  const one = join(images, "group1", "1.png");
  const csv = boostcluster(["predict", run, one, "--format", "csv"]).stdout.trim().split("\n");
  expect(csv).toHaveLength(2);
  expect(csv[0]).toBe("item,cluster,score,secondCluster,margin");
  expect(csv[1]).toContain(`${one},`);
});

test("predict writes as it goes: what could be read is out when a later source cannot", () => {
  const one = join(images, "group1", "1.png");
  const { stdout, stderr, status } = boostcluster(["predict", run, one, join(folder, "missing.png")]);
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("missing.png: there is no such file");
  const many = boostcluster(["predict", run, images, join(folder, "missing.png")]);
  expect(many.status).toBe(2);
  expect(many.stdout.trim().split("\n").length).toBeGreaterThanOrEqual(64);
});

test("model.onnx alone, in plain ONNX Runtime, gives the scores of predict", async () => {
  const file = join(images, "group2", "2.png");
  const [row] = boostcluster(["predict", run, file])
    .stdout.trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const pixels = await sharp(file).greyscale().raw().toBuffer();
  const session = await InferenceSession.create(join(run, "model.onnx"));
  const tensor = new Tensor(
    "float32",
    Float32Array.from(pixels, (value) => value / 255),
    [1, 1, 12, 12],
  );
  const { scores } = await session.run({ images: tensor });
  expect(Number(scores.data[row.cluster])).toBeCloseTo(row.score, 5);
});

test("model.onnx in OpenCV gives the scores of predict", (context) => {
  const python = "/usr/bin/python3";
  if (spawnSync(python, ["-c", "import cv2"]).status !== 0) {
    console.warn("not compared with OpenCV: install Debian's python3-opencv");
    context.skip();
  }
  const files = [1, 2, 3].map((image) => join(images, `group${image}`, `${image}.png`));
  const script = `
import cv2, json, sys, numpy
net = cv2.dnn.readNetFromONNX(sys.argv[1])
net.setInput(numpy.stack([cv2.imread(f, 0)[None].astype(numpy.float32) / 255 for f in sys.argv[2:]]))
print(json.dumps(net.forward("scores").tolist()))`;
  const opencv = spawnSync(python, ["-c", script, join(run, "model.onnx"), ...files], { encoding: "utf8" });
  const scores: number[][] = JSON.parse(opencv.stdout);
  const rows = boostcluster(["predict", run, ...files])
    .stdout.trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  rows.forEach(({ cluster, score }, index) => {
    expect(scores[index][cluster]).toBeCloseTo(score, 5);
  });
});

test("evaluate, info and data tell what they should", () => {
  const { stdout } = boostcluster(["evaluate", run, "--labels", "folders", "--json"]);
  const record = JSON.parse(boostcluster(["info", run, "--json"]).stdout);
  expect(JSON.parse(stdout)).toEqual(record.metrics);
  expect(boostcluster(["info", run]).stdout).toContain("clusters");
  expect(boostcluster(["data"]).stdout).toMatch(/mnist-test +10000 images, 28x28 grey: /);
  const unlabelled = join(folder, "unlabelled");
  boostcluster(["cluster", images, "-k", "4", "--method", "kms", "--no-report", ...cache, "--out", unlabelled]);
  expect(boostcluster(["evaluate", unlabelled]).stdout).toMatch(/silhouette +-?0\.\d+/);
});

test("organize makes a folder a cluster and leaves the originals alone", () => {
  const before = readdirSync(join(images, "group0"));
  expect(boostcluster(["organize", run]).status).toBe(0);
  const clusters = readdirSync(join(run, "clusters"));
  const links = clusters.flatMap((cluster) =>
    readdirSync(join(run, "clusters", cluster)).map((file) => join(run, "clusters", cluster, file)),
  );
  expect(links).toHaveLength(120);
  for (const link of links) expect(lstatSync(link).isSymbolicLink() && existsSync(link)).toBe(true);
  const copies = join(folder, "copies");
  boostcluster(["organize", run, "--by", "copy", "--out", copies]);
  const [cluster] = readdirSync(copies);
  expect(lstatSync(join(copies, cluster, readdirSync(join(copies, cluster))[0])).isFile()).toBe(true);
  expect(readdirSync(join(images, "group0"))).toEqual(before);
  expect(boostcluster(["organize", run]).stderr).toContain("it exists already");
});

test("a run killed at any moment goes on with --resume to the very same files", async () => {
  const out = join(folder, "killed");
  const args = [...labelled, "--quiet", "--out", out];
  let kills = 0;
  for (let attempt = 0; !existsSync(join(out, "run.json")); attempt++) {
    const child = startBoostcluster(existsSync(join(out, "checkpoint.safetensors")) ? [...args, "--resume"] : args);
    const before = existsSync(join(out, "checkpoint.safetensors"))
      ? lstatSync(join(out, "checkpoint.safetensors")).mtimeMs
      : 0;
    const exited = once(child, "exit");
    const watch = setInterval(() => {
      const file = join(out, "checkpoint.safetensors");
      if (attempt < 3 && existsSync(file) && lstatSync(file).mtimeMs !== before) child.kill("SIGKILL");
    }, 2);
    const [, signal] = await exited;
    clearInterval(watch);
    if (signal === "SIGKILL") kills++;
  }
  expect(kills).toBeGreaterThan(0);
  for (const file of ["model.onnx", "weights.safetensors", "assignments.csv", "assignments.jsonl", "features.npy"])
    expect(readFileSync(join(out, file)).equals(readFileSync(join(run, file))), file).toBe(true);
});

test("--force with something wrong leaves the old run as it was", () => {
  const before = readdirSync(run);
  for (const wrong of [
    [join(folder, "nowhere"), ...quick],
    [images, ...quick, "--alpha", "1"],
  ])
    expect(boostcluster(["cluster", ...wrong, "--force", "--quiet", "--out", run]).status).toBe(2);
  expect(readdirSync(run)).toEqual(before);
});

/** Windows ends a process at once that is sent an interrupt: there is no Ctrl-C to try. */
const whereInterruptsReach = test.skipIf(process.platform === "win32");
if (process.platform === "win32") console.warn("Ctrl-C is not tried on Windows, which has no signals to send");

whereInterruptsReach("Ctrl-C saves and says how to go on", async () => {
  const out = join(folder, "interrupted");
  const child = startBoostcluster(["cluster", images, ...quick, "--epochs", "4000", "--out", out]);
  let stderr = "";
  let pressed = false;
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
    if (!pressed && existsSync(join(out, "checkpoint.safetensors"))) pressed = child.kill("SIGINT");
  });
  const [code] = await once(child, "close");
  expect(code).toBe(1);
  const saved = lastCheckpoint(out);
  expect(saved).toBeDefined();
  expect(stderr).toContain(
    `interrupted; saved in ${out}: ${savedWork(saved?.notes ?? {})}; go on with the same command and --resume\n`,
  );
  const other = boostcluster([
    "cluster",
    images,
    ...quick,
    "--epochs",
    "4000",
    "--seed",
    "9",
    "--resume",
    "--out",
    out,
  ]);
  expect(other.stderr).toContain("this run cannot go on: seed was 0 and is 9");
  expect(boostcluster(["cluster", images, ...quick, "--out", out]).stderr).toContain("go on with --resume");
});

test.each<[string, string[], RegExp]>([
  ["an unknown command", ["sort"], /there is no command "sort"; there are: cluster, studio, k, predict/],
  ["an unknown option", ["cluster", images, "-k", "4", "--colour"], /Unknown option '--colour'; --help lists/],
  ["no source", ["cluster", "-k", "4"], /cluster takes one folder, file or name of a set/],
  ["no k", ["cluster", images], /cluster needs the number of clusters: -k N, or -k auto/],
  ["k that is no number", ["cluster", images, "-k", "four"], /--k takes a number or auto, not "four"/],
  ["k = 0", ["cluster", images, ...quick, "-k", "0"], /k must be a whole number from 1, not 0/],
  ["k over the images", ["cluster", images, ...quick, "-k", "500"], /k = 500 is more than the number of images, 120/],
  ["α of 1", ["cluster", images, ...quick, "--alpha", "1"], /alpha must be a number over 1, not 1/],
  [
    "an unknown method",
    ["cluster", images, "-k", "4", "--method", "magic"],
    /--method takes kms \| dae-kms \| .* \| dbc, not "magic"/,
  ],
  [
    "a folder that is not there",
    ["cluster", join(folder, "nowhere"), "-k", "4"],
    /nowhere: there is no such file or folder/,
  ],
  ["a run that is not there", ["predict", join(folder, "nowhere"), images], /nowhere: there is no finished run here/],
  [
    "a run that is there already",
    ["cluster", images, ...quick, "--quiet", "--out", run],
    /a finished run is here already/,
  ],
  ["a folder in use", ["cluster", images, ...quick, "--out", images], /this folder is not empty/],
  ["too small a size", ["cluster", images, ...quick, "--size", "3"], /images must be from 8x8 to 256x256, not 3x3/],
  [
    "an option of another method",
    ["cluster", images, "-k", "4", "--method", "fcae-kms", "--v", "2"],
    /--v is for dbc; leave it out with fcae-kms/,
  ],
  ["--force and --resume", ["cluster", images, ...quick, "--force", "--resume"], /give one of them/],
  ["no image to predict", ["predict", run, join(images, "group0", "broken.png")], /there is no image that can be read/],
])("%s: one line on stderr, exit code 2, nothing written", (_, args, message) => {
  const out = join(folder, "nothing");
  const withOut = args[0] === "cluster" && !args.includes("--out") ? [...args, "--out", out, "--quiet"] : args;
  const { status, stdout, stderr } = boostcluster(withOut);
  const errors = stderr.split("\n").filter((line) => line.startsWith("boostcluster: "));
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatch(message);
  expect(status).toBe(2);
  expect(stdout).toBe("");
  expect(existsSync(out)).toBe(false);
});
