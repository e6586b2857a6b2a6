/** What the boosted preset adds to the paper's DBC. */

import { describe, expect, test } from "vitest";
import { firstImages, labelsOf } from "../../../test/datasets.ts";
import { shapeDataset } from "../../../test/shapes.ts";
import { StoppingStore } from "../../../test/stopping-store.ts";
import { openDataset } from "../../images/sources/open.ts";
import { accuracy, nmi } from "../../metrics/external.ts";
import type { OptimizerOptions } from "../../network/optimizer.ts";
import type { Checkpoint } from "../../runs/checkpoint.ts";
import { fitKms } from "../baselines/kms.ts";
import { fitDbc } from "./dbc.ts";
import { type DbcOptions, dbcSettings } from "./options.ts";

const shapes = shapeDataset(240);
const few = shapeDataset(64);
const quick: DbcOptions = {
  k: 4,
  batch: 32,
  pretrainEpochs: 4,
  trials: 2,
  autoEncoders: 2,
  overClusteringEpochs: 2,
  warmUpEpochs: 2,
  epochs: 8,
  reclusterings: 1,
  threads: 1,
};

test("2,000 digits come out far better than by k-means", async () => {
  const digits = firstImages(await openDataset("mnist-test"), 2000);
  const truth = labelsOf(digits);
  const kms = await fitKms(digits, { k: 10 });
  const boosted = await fitDbc(digits, { k: 10, pretrainEpochs: 5, epochs: 10 });
  expect(accuracy(truth, kms.assignments)).toBeLessThan(0.6);
  expect(accuracy(truth, boosted.assignments)).toBeGreaterThan(0.75);
  expect(nmi(truth, boosted.assignments)).toBeGreaterThan(0.75);
  digits.close();
});

test("a run that is stopped again and again, to go on each time, comes to the very same end", async () => {
  const options = { ...quick, batch: 16, pretrainEpochs: 2, batches: 4 };
  const whole = await fitDbc(few, options);
  let last: Checkpoint | undefined;
  const phases: unknown[] = [];
  for (const saves of [2, 2, 1, 3, 3, 6, 4, 3, 16, 4]) {
    const store = new StoppingStore(last, saves);
    await expect(fitDbc(few, { ...options, checkpoints: store })).rejects.toThrow("stopped");
    last = store.last;
    phases.push([last?.notes.training, last?.notes.epochs]);
  }
  expect(phases).toEqual([
    ["auto-encoder training", 2],
    ["auto-encoder training 2", 1],
    ["auto-encoder training 2", 2],
    ["over-clustering training", 1],
    // Between two trainings: the groups of the second auto-encoder were found.
    [undefined, undefined],
    // Before and after the reclustering.
    ["clustering", 2],
    ["clustering", 6],
    // The second trial's.
    ["auto-encoder training 3", 1],
    ["clustering 2", 2],
    ["clustering 2", 6],
  ]);
  const resumed = await fitDbc(few, { ...options, checkpoints: new StoppingStore(last, -1) });
  expect(resumed.parameters).toEqual(whole.parameters);
  expect(resumed.assignments).toEqual(whole.assignments);
  expect(resumed.history).toEqual(whole.history);
});

test("reclusterings never change the number of clusters", async () => {
  const single = { ...quick, trials: 1, autoEncoders: 1 };
  const reclustered = await fitDbc(few, { ...single, reclusterings: 3 });
  expect(new Set(reclustered.assignments).size).toBe(4);
  const unchanged = await fitDbc(few, { ...single, reclusterings: 0 });
  expect(reclustered.parameters).not.toEqual(unchanged.parameters);
});

test("forty images that are all the same are one cluster, and no reason to fail", async () => {
  const read = (indices: ArrayLike<number>, target: Float32Array): void =>
    shapes.read(new Uint32Array(indices.length), target);
  const { assignments } = await fitDbc(
    { ...shapes, count: 40, read },
    { k: 2, pretrainEpochs: 2, epochs: 2, threads: 1 },
  );
  expect(new Set(assignments).size).toBe(1);
});

describe("settings", () => {
  test("of the paper's preset have nothing that the paper does not", () => {
    expect(dbcSettings(shapes, { k: 4, preset: "paper" })).toMatchObject({
      augmentation: "none",
      initialClusters: "k-means",
      warmUpEpochs: 0,
      reclusterings: 0,
      pseudoLabelWeight: 0,
      finalLearningRate: 1,
    });
  });

  test.each([
    [10, 2, { batch: 10, pretrainEpochs: 140, autoEncoders: 2, overClusteringEpochs: 5, batches: 20 }],
    [
      240,
      4,
      { batch: 32, pretrainEpochs: 133, autoEncoders: 2, overClusteringEpochs: 14, epochs: 28, warmUpEpochs: 19 },
    ],
    [
      240,
      2,
      { pretrainEpochs: 133, autoEncoders: 1, overClusteringEpochs: 14, batches: 20, epochs: 28, unaugmentedEpochs: 9 },
    ],
    [1440, 20, { batch: 32, pretrainEpochs: 70, autoEncoders: 2, overClusteringEpochs: 14, batches: 45, epochs: 27 }],
    [7200, 100, { batch: 256, autoEncoders: 2, overClusteringEpochs: 21, epochs: 104 }],
    [10_000, 10, { batch: 256, pretrainEpochs: 23, overClusteringEpochs: 15, epochs: 30, warmUpEpochs: 20 }],
    [70_000, 10, { batch: 256, pretrainEpochs: 10, overClusteringEpochs: 3, epochs: 12, warmUpEpochs: 8 }],
  ])("for %i images of %i clusters are %j", (count, k, expected) => {
    expect(dbcSettings({ ...shapes, count }, { k })).toMatchObject(expected);
  });

  test("of a short run are short, and leave room for the network's own clusters after each reclustering", () => {
    const settings = dbcSettings(shapes, { k: 2, epochs: 12, reclusterings: 1 });
    expect(settings).toMatchObject({ overClusteringEpochs: 6, warmUpEpochs: 4, unaugmentedEpochs: 4 });
  });

  test("that are given count before the preset's", () => {
    expect(dbcSettings(shapes, { k: 4, augmentation: "none", reclusterings: 2 })).toMatchObject({
      preset: "boosted",
      augmentation: "none",
      reclusterings: 2,
      initialClusters: "graph",
    });
  });

  test("of an optimizer that is given by name alone are the preset's, where it is the preset's own", () => {
    const optimizerOf = (optimizer: OptimizerOptions) => dbcSettings(shapes, { k: 4, optimizer }).optimizer;
    expect(optimizerOf({ kind: "adam" })).toMatchObject({ kind: "adam", learningRate: 0.003 });
    expect(optimizerOf({ kind: "adam", learningRate: 0.01 })).toMatchObject({ learningRate: 0.01 });
    expect(optimizerOf({ kind: "sgd" })).toMatchObject({ kind: "sgd", learningRate: 0.1 });
  });

  test.each([
    [{ preset: "best" }, 'there is no preset "best"'],
    [{ augmentation: "flip" }, 'there is no augmentation "flip"'],
    [{ initialClusters: "random" }, 'there is no initialClusters "random"'],
    [{ pseudoLabelWeight: 2 }, "pseudoLabelWeight must be from 0 to 1, not 2"],
    [{ finalLearningRate: -1 }, "finalLearningRate must be from 0 to 1, not -1"],
    [{ autoEncoders: 0 }, "autoEncoders must be a whole number from 1, not 0"],
    [{ reclusterings: 0.5 }, "reclusterings must be a whole number from 0, not 0.5"],
    [{ networkSide: 4 }, "networkSide must be a whole number from 8, not 4"],
    [{ networkSide: 0 }, "networkSide must be a whole number from 8, not 0"],
    [{ epochs: 1.5 }, "epochs must be a whole number from 0, not 1.5"],
    [{ epochs: -1 }, "epochs must be a whole number from 0, not -1"],
    [{ batch: 0 }, "batch must be a whole number from 2, not 0"],
    [{ k: 0 }, "k must be a whole number from 1, not 0"],
  ])("%j is refused", (options, message) => {
    // As it comes from JavaScript, which no compiler has seen.
    const given: DbcOptions = JSON.parse(JSON.stringify({ k: 4, ...options }));
    expect(() => dbcSettings(shapes, given)).toThrow(message);
  });
});
