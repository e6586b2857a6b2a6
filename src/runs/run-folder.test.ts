import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shapeDataset } from "../../test/shapes.ts";
import { readSafetensors } from "../files/safetensors.ts";
import { fitDbc } from "../methods/dbc/dbc.ts";
import { Predictor } from "../network/predictor.ts";
import type { Fitted } from "./fitted.ts";
import { runCheckpoints } from "./run-checkpoints.ts";
import { loadRun, readAssignments, saveRun } from "./run-folder.ts";
import { readRecord } from "./run-record.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-run-"));
const run = join(folder, "run");
const dataset = shapeDataset(64);
let fitted: Fitted;

beforeAll(async () => {
  // Not smoothed, so that it says what its model says.
  fitted = await fitDbc(dataset, { k: 4, batch: 16, pretrainEpochs: 2, epochs: 2, restarts: 2, smoothing: 0 });
  saveRun(run, fitted, dataset, { metrics: { acc: 0.5 }, seconds: { clustering: 1 } });
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test("a loaded run predicts what was saved", async () => {
  const { record, trained } = loadRun(run);
  expect(trained.parameters).toEqual(fitted.parameters);
  expect(trained.statistics).toEqual(fitted.statistics);
  const predictor = await Predictor.open(record.architecture, trained, { k: record.k, v: record.v });
  const images = new Float32Array(64 * 144);
  dataset.read(
    Array.from({ length: 64 }, (_, image) => image),
    images,
  );
  expect((await predictor.predict(images)).scores).toEqual(fitted.scores);
  await predictor.close();
});

test("the record says what made it: every setting, defaults filled in, versions, history", () => {
  const record = readRecord(run);
  expect(record.settings).toMatchObject({
    source: "shapes",
    k: 4,
    seed: 0,
    alpha: 2,
    balance: "boosted",
    batch: 16,
    preset: "boosted",
    optimizer: { kind: "adam", learningRate: 3e-3 },
    pretrainOptimizer: { kind: "adam", learningRate: 3e-3 },
  });
  expect(record.history).toHaveLength(fitted.history.length);
  expect(Object.keys(record.versions)).toEqual(["boostcluster", "onnxruntime", "node", "platform"]);
  expect(record.sizes.reduce((a, b) => a + b)).toBe(64);
});

test("assignments name each image, its cluster, the next best one and its label", () => {
  const rows = readAssignments(run);
  expect(rows).toHaveLength(64);
  rows.forEach((row, image) => {
    const scores = [...fitted.scores.subarray(4 * image, 4 * image + 4)];
    const [first, second] = [...scores].sort((a, b) => b - a);
    expect(row).toMatchObject({ item: String(image), cluster: fitted.assignments[image], label: `shape ${image % 4}` });
    expect(row.secondCluster).toBe(scores.indexOf(second));
    expect(row.margin).toBeCloseTo(first - second, 6);
  });
});

test("every weight is kept under its name, and the auto-encoder of stage I beside it", () => {
  const { tensors } = readSafetensors(join(run, "weights.safetensors"));
  for (const name of ["conv1.weight", "feature.gamma", "centres", "feature.variance", "auto-encoder.defeature.weight"])
    expect(tensors.has(name), name).toBe(true);
  const { autoEncoder } = loadRun(run);
  expect(autoEncoder?.parameters).toEqual(fitted.autoEncoder?.parameters);
  expect(autoEncoder?.statistics).toEqual(fitted.autoEncoder?.statistics);
});

test("what is no run, or a damaged one, is refused in one line", () => {
  expect(() => loadRun(folder)).toThrow("there is no finished run here (no run.json)");
  const damaged = join(folder, "damaged");
  saveRun(damaged, fitted, dataset);
  const path = join(damaged, "run.json");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replaceAll('"k": 4', '"k": 5'));
  expect(() => loadRun(damaged)).toThrow(
    'weights.safetensors does not fit run.json: "centres" is missing or of another size',
  );
  writeFileSync(path, text.slice(0, 100));
  expect(() => loadRun(damaged)).toThrow("this is not JSON; the run must be made again");
  writeFileSync(path, text.replace("boostcluster run 2", "boostcluster run 0"));
  expect(() => loadRun(damaged)).toThrow(
    'its format is "boostcluster run 0", not "boostcluster run 2" or "boostcluster run 1"',
  );
});

test("checkpoints belong to their settings", () => {
  const out = join(folder, "deep", "checkpoints");
  const checkpoint = { notes: { stage: "auto-encoder" }, vectors: { parameters: Float32Array.of(1, 2) } };
  runCheckpoints(out, { k: 4 }).save(checkpoint);
  expect(runCheckpoints(out, { k: 4 }).load()?.vectors.parameters).toEqual(Float32Array.of(1, 2));
  expect(() => runCheckpoints(out, { k: 5 }).load()).toThrow("this run cannot go on: k was 4 and is 5");
  expect(() => runCheckpoints(out, { k: 4, seed: 1 }).load()).toThrow("seed was not given and is 1");
});

test("where writing is slow, not every checkpoint is written, and the last one is known", () => {
  const out = join(folder, "slow");
  const store = runCheckpoints(out, {});
  expect(store.last).toBeUndefined();
  const slow = {
    get parameters(): Float32Array {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
      return Float32Array.of(1);
    },
  };
  store.save({ notes: { epochs: 1 }, vectors: slow });
  store.save({ notes: { epochs: 2 }, vectors: { parameters: Float32Array.of(2) } });
  expect(store.last?.epochs).toBe(1);
  const later = runCheckpoints(out, {});
  expect(later.load()?.notes.epochs).toBe(1);
  expect(later.last?.epochs).toBe(1);
});

test("a checkpoint that cannot be written leaves no folder behind", () => {
  const out = join(folder, "not", "written");
  const unwritable = {
    get parameters(): Float32Array {
      throw new Error("the disk is full");
    },
  };
  expect(() => runCheckpoints(out, {}).save({ notes: {}, vectors: unwritable })).toThrow("the disk is full");
  expect(existsSync(join(folder, "not"))).toBe(false);
});
