/** What every method must do, whatever it computes: one suite for all nine. */

import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { allImages, labelsOf, oblongColourShapes, unlabelled } from "../../test/datasets.ts";
import { relativeError } from "../../test/evaluate.ts";
import { common, dataset, k, subjects } from "../../test/method-subjects.ts";
import { shapeDataset } from "../../test/shapes.ts";
import { Stopped, StoppingStore } from "../../test/stopping-store.ts";
import { Session } from "../engine/session.ts";
import { InputError } from "../files/errors.ts";
import type { Dataset } from "../images/dataset.ts";
import { accuracy } from "../metrics/external.ts";
import { type Prediction, Predictor } from "../network/predictor.ts";
import { featureSize } from "../network/shapes.ts";
import type { Checkpoint } from "../runs/checkpoint.ts";
import type { Fitted } from "../runs/fitted.ts";
import { loadRun, saveRun } from "../runs/run-folder.ts";
import { methodNames } from "./methods.ts";
import { hardAssignments } from "./training/assignments.ts";
import type { BatchEvent, EpochEvent, ProgressEvent } from "./training/progress.ts";

const unseen = shapeDataset(80, 1);
/** One of four groups at random is right a quarter of the time; the best of all ways to name them, a little more. */
const wellOverChance = 0.8;

test("no method is left out", () => {
  expect(subjects.map(({ name }) => name)).toEqual(methodNames);
});

const folder = mkdtempSync(join(tmpdir(), "boostcluster-methods-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function predict(fitted: Fitted, images: Dataset): Promise<Prediction> {
  const { architecture, k, v } = fitted;
  const predictor = await Predictor.open(architecture, fitted, { k, v, threads: common.threads });
  try {
    return await predictor.predict(allImages(images));
  } finally {
    await predictor.close();
  }
}

/** What the exported model says to those who know nothing of us. */
async function runExported(path: string, images: Dataset): Promise<Prediction> {
  const { channels, height, width } = images.image;
  const session = await InferenceSession.create(path, { intraOpNumThreads: common.threads });
  const tensor = new Tensor("float32", allImages(images), [images.count, channels, height, width]);
  const { features, scores } = await session.run({ images: tensor });
  await session.release();
  return { features: floatsOf(features), scores: floatsOf(scores) };
}

function floatsOf({ data }: Tensor): Float32Array {
  if (!(data instanceof Float32Array)) throw new Error("the model gives no float32");
  return data;
}

function expectWhole(fitted: Fitted, images: Dataset): void {
  const { assignments, scores, features, architecture, history, settings } = fitted;
  expect(assignments).toHaveLength(images.count);
  expect(scores).toHaveLength(images.count * fitted.k);
  expect(features).toHaveLength(images.count * featureSize(architecture));
  expect(features.every(Number.isFinite)).toBe(true);
  assignments.forEach((cluster, image) => {
    const row = scores.subarray(image * fitted.k, (image + 1) * fitted.k);
    expect(row.reduce((a, b) => a + b)).toBeCloseTo(1, 5);
    expect(row[cluster]).toBe(Math.max(...row));
  });
  expect(history.length).toBeGreaterThan(0);
  expect(history.every(({ loss }) => Number.isFinite(loss))).toBe(true);
  expect(JSON.parse(JSON.stringify(settings))).toStrictEqual(settings);
}

/** Stops the run at every checkpoint, and goes on from it. */
async function inPieces(run: (store: StoppingStore) => Promise<Fitted>): Promise<{ fitted: Fitted; stops: number }> {
  let last: Checkpoint | undefined;
  for (let stops = 0; ; stops++) {
    const store = new StoppingStore(last, 1);
    try {
      return { fitted: await run(store), stops };
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      last = store.last;
    }
  }
}

/** All there is in a result, vectors as their digests: quick to compare, and short to read where they differ. */
const bitsOf = (value: object): object =>
  JSON.parse(JSON.stringify(value, (_, entry) => (ArrayBuffer.isView(entry) ? digestOf(entry) : entry)));

const digestOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): string =>
  createHash("sha256")
    .update(new Uint8Array(buffer, byteOffset, byteLength))
    .digest("hex");

const [open, close] = [vi.spyOn(Session, "open"), vi.spyOn(Session.prototype, "close")];
const sessionsOpen = (): number => open.mock.calls.length - close.mock.calls.length;

const isEpoch = (event: ProgressEvent): event is EpochEvent => event.kind === "epoch";
const isBatch = (event: ProgressEvent): event is BatchEvent => event.kind === "batch";

describe.each(subjects)("$name", ({ name, stages, cluster, clusterBriefly, refusals }) => {
  let fitted: Fitted;
  const events: ProgressEvent[] = [];

  beforeAll(async () => {
    fitted = await cluster(dataset, { onProgress: (event) => events.push(event) });
  });

  test("finds the groups, and those of images it has not seen", async () => {
    expect(accuracy(labelsOf(dataset), fitted.assignments)).toBeGreaterThan(wellOverChance);
    const { features, scores } = await predict(fitted, unseen);
    expect(features).toHaveLength(unseen.count * featureSize(fitted.architecture));
    expect(accuracy(labelsOf(unseen), hardAssignments(scores, k))).toBeGreaterThan(wellOverChance);
  });

  test("gives clusters, scores, features, history and settings that fit together", () => {
    expect(fitted.method).toBe(name);
    expect(fitted.settings).toMatchObject({ k, seed: 0, restarts: common.restarts });
    expectWhole(fitted, dataset);
  });

  test("predicts for the images it was trained on what it gave them", async () => {
    const { features, scores } = await predict(fitted, dataset);
    expect(hardAssignments(scores, k)).toEqual(fitted.assignments);
    expect(bitsOf({ features, scores })).toEqual(bitsOf({ features: fitted.features, scores: fitted.scores }));
  });

  test("saved and loaded it predicts the same bits, and so does, but for rounding, the exported model", async () => {
    const run = join(folder, name);
    saveRun(run, fitted, dataset);
    const { record, trained } = loadRun(run);
    expect(bitsOf(trained)).toEqual(bitsOf({ parameters: fitted.parameters, statistics: fitted.statistics }));
    const loaded = await predict({ ...fitted, ...trained, architecture: record.architecture }, dataset);
    expect(loaded.scores).toEqual(fitted.scores);
    const exported = await runExported(join(run, "model.onnx"), dataset);
    expect(hardAssignments(exported.scores, k)).toEqual(fitted.assignments);
    expect(relativeError(exported.scores, fitted.scores)).toBeLessThan(1e-4);
    expect(relativeError(exported.features, fitted.features)).toBeLessThan(1e-4);
  });

  test("the same seed gives the same bits, with or without labels; another seed others", async () => {
    expect(bitsOf(await cluster(unlabelled(dataset)))).toEqual(bitsOf(fitted));
    const other = await cluster(dataset, { seed: 1 });
    expect(digestOf(other.parameters)).not.toBe(digestOf(fitted.parameters));
  });

  test("tells of every epoch, stage by stage, and the history says the same", () => {
    const epochs = events.filter(isEpoch);
    expect([...new Set(epochs.map(({ stage }) => stage))]).toEqual(stages);
    for (const stage of stages) {
      const own = epochs.filter((event) => event.stage === stage);
      expect(own.map(({ epoch }) => epoch)).toEqual(own.map((_, index) => index + 1));
      for (const { epochs: most } of own) expect(own.length).toBeLessThanOrEqual(most);
    }
    for (const { done, total, epoch, epochs: most } of events.filter(isBatch)) {
      expect(done).toBeLessThanOrEqual(total);
      expect(epoch).toBeLessThanOrEqual(most);
    }
    const told = epochs.map(({ stage, epoch, loss, changed }) => ({ stage, epoch, loss, changed }));
    expect(fitted.history.map(({ stage, epoch, loss, changed }) => ({ stage, epoch, loss, changed }))).toEqual(told);
  });

  test("an abort ends the work in every stage, and no session stays open", async () => {
    const before = sessionsOpen();
    await expect(clusterBriefly(dataset, { signal: AbortSignal.abort() })).rejects.toThrow("aborted");
    for (const stage of stages) {
      const abort = new AbortController();
      const late: ProgressEvent[] = [];
      const onProgress = (event: ProgressEvent) => {
        if (abort.signal.aborted) late.push(event);
        else if ("stage" in event && event.stage === stage) abort.abort();
      };
      await expect(clusterBriefly(dataset, { signal: abort.signal, onProgress })).rejects.toThrow("aborted");
      // At most, the epoch it was in is told to its end.
      expect(late.filter((event) => !isEpoch(event) || event.epoch > 1)).toEqual([]);
    }
    expect(sessionsOpen()).toBe(before);
  });

  test("colour images that are not square are clustered too", async () => {
    const images = oblongColourShapes(60);
    const result = await clusterBriefly(images);
    expectWhole(result, images);
    const run = join(folder, `${name} oblong`);
    saveRun(run, result, images);
    const exported = await runExported(join(run, "model.onnx"), images);
    expect(relativeError(exported.features, result.features)).toBeLessThan(1e-4);
  });

  test("one cluster, two images and images that are all black are no obstacle", async () => {
    const single = await clusterBriefly(shapeDataset(10), { k: 1 });
    expect(single.assignments).toEqual(new Int32Array(10));
    expect(single.scores).toEqual(new Float32Array(10).fill(1));
    const pair = shapeDataset(2);
    expectWhole(await clusterBriefly(pair, { k: 2 }), pair);
    const black: Dataset = { ...shapeDataset(10), read: (_, target) => target.fill(0) };
    expectWhole(await clusterBriefly(black, { k: 2 }), black);
  });

  test("bad input is refused in one line before anything begins", async () => {
    const onProgress = vi.fn();
    const expectRefusal = async (message: string, fitting: Promise<Fitted>) => {
      const refusal = await fitting.catch((error: unknown) => error);
      expect(refusal, message).toBeInstanceOf(InputError);
      expect(refusal).toHaveProperty("message", expect.stringContaining(message));
      expect(refusal).toHaveProperty("message", expect.not.stringContaining("\n"));
    };
    const few = shapeDataset(10);
    await expectRefusal("k must be a whole number from 1, not 0", cluster(few, { k: 0, onProgress }));
    await expectRefusal("k = 11 is more than the number of images, 10", cluster(few, { k: 11, onProgress }));
    await expectRefusal("restarts must be a whole number from 1, not 0", cluster(few, { restarts: 0, onProgress }));
    await expectRefusal("seed must be a whole number from 0", cluster(few, { seed: -1, onProgress }));
    await expectRefusal("threads must be a whole number from 1, not 0", cluster(few, { threads: 0, onProgress }));
    await expectRefusal("clustering needs at least 2 images, not 1", cluster(shapeDataset(1), { k: 1, onProgress }));
    for (const [message, refused] of refusals) await expectRefusal(message, refused({ onProgress }));
    expect(onProgress).not.toHaveBeenCalled();
  });
});

/** k-means on the pixels is done before a checkpoint would be worth it. */
const long = subjects.filter(({ name }) => name !== "kms").map((method) => [method.name, method] as const);

test.each(long)(
  "%s stopped at every checkpoint, to go on each time, ends as if never stopped",
  async (_, { clusterBriefly }) => {
    const images = shapeDataset(40);
    const steady = new StoppingStore(undefined, -1);
    const before = sessionsOpen();
    const whole = await clusterBriefly(images, { checkpoints: steady });
    const { fitted, stops } = await inPieces((checkpoints) => clusterBriefly(images, { checkpoints }));
    expect(stops).toBe(steady.saves);
    expect(stops).toBeGreaterThan(2);
    expect(bitsOf(fitted)).toEqual(bitsOf(whole));
    expect(sessionsOpen()).toBe(before);
  },
);
