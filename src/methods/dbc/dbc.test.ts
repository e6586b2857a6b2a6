import { expect, test } from "vitest";
import { shapeDataset } from "../../../test/shapes.ts";
import { StoppingStore } from "../../../test/stopping-store.ts";
import { accuracy, nmi } from "../../metrics/external.ts";
import { deriveArchitecture } from "../../network/architecture.ts";
import type { Fitted } from "../../runs/fitted.ts";
import { fitFcaeKms } from "../baselines/fcae-kms.ts";
import type { ProgressEvent } from "../training/progress.ts";
import { fitDbc } from "./dbc.ts";
import type { DbcOptions } from "./options.ts";

const dataset = shapeDataset(240);
const few = shapeDataset(64);
const truth = dataset.labels?.values ?? new Int32Array();
const quick: DbcOptions = { preset: "paper", k: 4, batch: 32, pretrainEpochs: 6, epochs: 8, restarts: 5 };

test("FCAE-KMS and DBC find groups that are there", async () => {
  const kms = await fitFcaeKms(dataset, quick);
  const dbc = await fitDbc(dataset, { ...quick, epochs: 30 });
  expect(accuracy(truth, kms.assignments)).toBeGreaterThan(0.6);
  expect(accuracy(truth, dbc.assignments)).toBeGreaterThan(0.9);
  expect(nmi(truth, dbc.assignments)).toBeGreaterThanOrEqual(nmi(truth, kms.assignments));
});

test("stage II sharpens the scores, which add up to one and give the assignments", async () => {
  const kms = await fitFcaeKms(dataset, quick);
  const dbc = await fitDbc(dataset, { ...quick, epochs: 20 });
  const meanLargest = (scores: Float32Array) => {
    let total = 0;
    for (let i = 0; i < dataset.count; i++) total += Math.max(...scores.subarray(4 * i, 4 * i + 4));
    return total / dataset.count;
  };
  expect(meanLargest(dbc.scores)).toBeGreaterThan(meanLargest(kms.scores));
  for (let i = 0; i < dataset.count; i++) {
    const scores = dbc.scores.subarray(4 * i, 4 * i + 4);
    expect(scores.reduce((a, b) => a + b)).toBeCloseTo(1, 5);
    expect(scores[dbc.assignments[i]]).toBe(Math.max(...scores));
  }
});

test("the same seed gives the same bits, another seed others", async () => {
  const [first, again, other] = [
    await fitDbc(few, quick),
    await fitDbc(few, quick),
    await fitDbc(few, { ...quick, seed: 1 }),
  ];
  expect(again.parameters).toEqual(first.parameters);
  expect(again.scores).toEqual(first.scores);
  expect(again.history).toEqual(first.history);
  expect(other.parameters).not.toEqual(first.parameters);
});

// More clusters than groups and one batch an epoch: assignments go on changing.
const changing = { ...quick, k: 9, batches: 1, optimizer: { kind: "sgd", learningRate: 0.5 } as const };
let uninterrupted: Promise<Fitted> | undefined;

test.each([1, 3, 6, 7])("a run stopped after checkpoint %i goes on to the very same end", async (stopAfter) => {
  uninterrupted ??= fitDbc(few, changing);
  const whole = await uninterrupted;
  const store = new StoppingStore(undefined, stopAfter);
  await expect(fitDbc(few, { ...changing, checkpoints: store })).rejects.toThrow("stopped");
  const resumed = await fitDbc(few, { ...changing, checkpoints: new StoppingStore(store.last, -1) });
  expect(resumed.parameters).toEqual(whole.parameters);
  expect(resumed.statistics).toEqual(whole.statistics);
  expect(resumed.assignments).toEqual(whole.assignments);
  expect(resumed.features).toEqual(whole.features);
  expect(resumed.history).toEqual(whole.history);
});

test("it stops when assignments no longer change, and says so", async () => {
  const { converged, history } = await fitDbc(dataset, { ...quick, epochs: 60, tolerance: 0.05 });
  expect(converged).toBe(true);
  const epochs = history.filter(({ stage }) => stage === "clustering");
  expect(epochs.length).toBeLessThan(60);
  expect(epochs[0].changed).toBeUndefined();
  for (const { changed } of epochs.slice(1)) expect(changed).toBeGreaterThan(0.05);
});

test("one cluster, and a batch larger than the dataset, are no obstacle", async () => {
  const few = shapeDataset(10);
  const { assignments, scores, converged } = await fitDbc(few, { ...quick, k: 1, batch: 64 });
  expect(assignments).toEqual(new Int32Array(10));
  expect(scores).toEqual(new Float32Array(10).fill(1));
  expect(converged).toBe(true);
});

test("a learning rate that breaks the network is reported, and no broken checkpoint is kept", async () => {
  const store = new StoppingStore(undefined, -1);
  const options = { ...quick, checkpoints: store, pretrainOptimizer: { kind: "sgd", learningRate: 1e30 } as const };
  await expect(fitDbc(dataset, options)).rejects.toThrow(/the (weights are no longer finite|loss became)/);
  expect(store.last).toBeUndefined();
});

test("a network for images of another size is refused", async () => {
  const architecture = deriveArchitecture({ channels: 1, height: 28, width: 28 });
  await expect(fitDbc(dataset, { ...quick, architecture })).rejects.toThrow(
    'network "derived-28x28x1" takes images of 28x28 grey, and shapes has 12x12 grey',
  );
});

test("every option of the paper's ablations runs: balance, α, v, initialization, B", async () => {
  const variants: Partial<DbcOptions>[] = [
    { balance: "scores" },
    { balance: "none" },
    { alpha: 1.5 },
    { alpha: 4 },
    { v: 3 },
    { initialization: "half-trained" },
    { initialization: "random" },
    { batches: 2 },
  ];
  const brief: DbcOptions = { ...quick, batch: 16, pretrainEpochs: 2, epochs: 2 };
  const base = await fitDbc(few, brief);
  for (const variant of variants) {
    const { parameters, history } = await fitDbc(few, { ...brief, ...variant });
    expect(parameters).not.toEqual(base.parameters);
    const pretraining = { trained: 2, "half-trained": 1, random: 0 }[variant.initialization ?? "trained"];
    expect(history.filter(({ stage }) => stage === "auto-encoder")).toHaveLength(pretraining);
  }
});

test("progress tells of every batch and epoch; labels come in through `evaluate` only", async () => {
  const events: ProgressEvent[] = [];
  const { history } = await fitDbc(dataset, {
    ...quick,
    onProgress: (event) => events.push(event),
    evaluate: (assignments) => ({ acc: accuracy(truth, assignments) }),
  });
  const of = (kind: string, stage: string) =>
    events.filter((event) => event.kind === kind && "stage" in event && event.stage === stage);
  expect(of("batch", "auto-encoder")).toHaveLength(6 * 8);
  expect(of("epoch", "auto-encoder")).toHaveLength(6);
  expect(of("epoch", "clustering")).toHaveLength(history.length - 6);
  for (const { stage, metrics } of history) expect(metrics === undefined).toBe(stage === "auto-encoder");
});

test("a cluster that dies is reported with what to change", async () => {
  const warnings: string[] = [];
  await fitDbc(dataset, {
    ...quick,
    k: 30,
    balance: "none",
    alpha: 8,
    epochs: 15,
    optimizer: { kind: "sgd", learningRate: 3 },
    onProgress: (event) => {
      if (event.kind === "warning") warnings.push(event.message);
    },
  });
  expect(warnings[0]).toMatch(/of 30 clusters have died; lower the learning rate of stage II, use balance "boosted"/);
});

test("work can be aborted", async () => {
  const abort = new AbortController();
  const fitting = fitDbc(dataset, { ...quick, signal: abort.signal, onProgress: () => abort.abort() });
  await expect(fitting).rejects.toThrow("aborted");
});

test.each<[string, Partial<DbcOptions>, string]>([
  ["k", { k: 0 }, "k must be a whole number from 1, not 0"],
  ["k over the number of images", { k: 241 }, "k = 241 is more than the number of images, 240"],
  ["alpha", { alpha: 1 }, "alpha must be a number over 1, not 1"],
  ["v", { v: 0 }, "v must be a number over 0, not 0"],
  ["tolerance", { tolerance: 2 }, "tolerance must be from 0 to 1, not 2"],
  ["epochs", { epochs: 1.5 }, "epochs must be a whole number from 0, not 1.5"],
  ["batches", { batches: 0 }, "batches must be a whole number from 1, not 0"],
  ["batch", { batch: 1 }, "batch must be a whole number from 2, not 1"],
  [
    "learning rate",
    { optimizer: { kind: "sgd", learningRate: -1 } },
    "the learning rate must be a positive number, not -1",
  ],
])("bad input is refused before anything is trained: %s", async (_, options, message) => {
  let events = 0;
  const fitting = fitDbc(dataset, { ...quick, ...options, onProgress: () => events++ });
  await expect(fitting).rejects.toThrow(message);
  expect(events).toBe(0);
});

test("one image cannot be clustered", async () => {
  await expect(fitDbc(shapeDataset(1), { k: 1 })).rejects.toThrow("shapes: clustering needs at least 2 images, not 1");
});
