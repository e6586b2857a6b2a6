/** How each of the nine methods is put to the test by the suite that all of them share. */
import type { Dataset } from "../src/images/dataset.ts";
import type { Method, MethodOptions } from "../src/methods/method.ts";
import { methods } from "../src/methods/methods.ts";
import type { Fitted, Stage } from "../src/runs/fitted.ts";
import { shapeDataset } from "./shapes.ts";

export const k = 4;
export const dataset = shapeDataset(160);

/** One thread is fastest for networks this small. */
export const common = { k, restarts: 5, threads: 1 } as const;
const adam = (learningRate: number) => ({ kind: "adam", learningRate }) as const;
const dense = {
  ...common,
  units: [64, 32, 8],
  batch: 16,
  layerEpochs: 4,
  pretrainEpochs: 12,
  pretrainOptimizer: adam(3e-3),
};
const convolutional = { ...common, batch: 32, pretrainEpochs: 3 };

/** Too short to find anything, long enough to be stopped in every phase. */
const briefly = { units: [12, 6], layerEpochs: 2, pretrainEpochs: 2, batch: 20 };
const badLayers = {
  "units must be a whole number from 1, not 0": { units: [10, 0] },
  "units must be a list of whole numbers, not ": { units: [] },
  "layerEpochs must be a whole number from 0, not -1": { layerEpochs: -1 },
  "pretrainEpochs must be a whole number from 0, not 1.5": { pretrainEpochs: 1.5 },
  "corruption must be from 0 to 1, not 1.5": { corruption: 1.5 },
  "batch must be a whole number from 2, not 1": { batch: 1 },
  "decayEvery must be a whole number from 1, not 0": { decayEvery: 0 },
  "the learning rate must be a positive number, not -1": { pretrainOptimizer: adam(-1) },
};
const badEpochs = {
  "epochs must be a whole number from 0, not -1": { epochs: -1 },
  "the learning rate must be a positive number, not 0": { optimizer: adam(0) },
};
const badWeight = {
  "weight must be a number from 0, not -1": { weight: -1 },
  "weight must be a number from 0, not NaN": { weight: Number.NaN },
};

/** How a method is put to the test. */
interface Trial<Options> {
  readonly options: Options;
  /** What it tells of, in this order. */
  readonly stages: readonly Stage[];
  /** Changes that make it short. */
  readonly brief: Partial<Options>;
  /** Options that it refuses, by what it says. */
  readonly refused: Readonly<Record<string, Partial<Options>>>;
}

export interface Subject {
  readonly name: string;
  readonly stages: readonly Stage[];
  cluster(dataset: Dataset, changes?: Partial<MethodOptions>): Promise<Fitted>;
  clusterBriefly(dataset: Dataset, changes?: Partial<MethodOptions>): Promise<Fitted>;
  /** Fits with options that it refuses, by what it says. */
  readonly refusals: readonly (readonly [string, (changes: Partial<MethodOptions>) => Promise<Fitted>])[];
}

function subject<Options extends MethodOptions>(method: Method<Options>, trial: Trial<Options>): Subject {
  const { options, stages, brief, refused } = trial;
  return {
    name: method.name,
    stages,
    cluster: (images, changes) => method.fit(images, { ...options, ...changes }),
    clusterBriefly: (images, changes) => method.fit(images, { ...options, ...brief, ...changes }),
    refusals: Object.entries(refused).map(([message, bad]) => [
      message,
      (changes) => method.fit(dataset, { ...options, ...bad, ...changes }),
    ]),
  };
}

export const subjects: readonly Subject[] = [
  subject(methods.kms, { options: common, stages: ["clustering"], brief: {}, refused: {} }),
  subject(methods["dae-kms"], {
    options: dense,
    stages: ["layers", "auto-encoder"],
    brief: { ...briefly, decayEvery: 1 },
    refused: badLayers,
  }),
  subject(methods.aec, {
    options: { ...dense, pretrainOptimizer: adam(1e-2), epochs: 8, optimizer: adam(1e-2) },
    stages: ["layers", "auto-encoder", "clustering"],
    brief: { ...briefly, epochs: 3, initialClusters: "random" },
    refused: {
      ...badLayers,
      ...badEpochs,
      ...badWeight,
      'there is no initialClusters "middle"; use one of: k-means, random': JSON.parse(
        '{ "initialClusters": "middle" }',
      ),
    },
  }),
  subject(methods.iec, {
    options: { ...common, partitions: 12, layers: 3 },
    stages: ["partitions"],
    brief: { partitions: 21, layers: 2 },
    refused: {
      "partitions must be a whole number from 1, not 0": { partitions: 0 },
      "layers must be a whole number from 1, not 0": { layers: 0 },
      "corruption must be between 0 and 1, not 0": { corruption: 0 },
      "corruption must be between 0 and 1, not 1": { corruption: 1 },
    },
  }),
  subject(methods.dec, {
    options: { ...dense, epochs: 8 },
    stages: ["layers", "auto-encoder", "clustering"],
    brief: { ...briefly, epochs: 3, tolerance: 0, optimizer: { kind: "sgd", learningRate: 1 } },
    refused: {
      ...badLayers,
      ...badEpochs,
      "tolerance must be from 0 to 1, not 2": { tolerance: 2 },
      "batches must be a whole number from 1, not 0": { batches: 0 },
    },
  }),
  subject(methods.den, {
    options: { ...dense, epochs: 5 },
    stages: ["layers", "auto-encoder", "clustering"],
    brief: { ...briefly, epochs: 3 },
    refused: {
      ...badLayers,
      ...badEpochs,
      "neighbours must be a whole number from 1, not 0": { neighbours: 0 },
      "localityWeight must be a number from 0, not -1": { localityWeight: -1 },
      "sparsityWeight must be a number from 0, not Infinity": { sparsityWeight: Number.POSITIVE_INFINITY },
      "groupSize must be a whole number from 1, not 0": { groupSize: 0 },
      "the last of units must be a multiple of groupSize, 3, not 8": { groupSize: 3 },
    },
  }),
  subject(methods.dcn, {
    options: { ...dense, epochs: 5, optimizer: adam(1e-3) },
    stages: ["layers", "auto-encoder", "clustering"],
    brief: { ...briefly, epochs: 3 },
    refused: { ...badLayers, ...badEpochs, ...badWeight },
  }),
  subject(methods["fcae-kms"], {
    options: convolutional,
    stages: ["auto-encoder"],
    brief: { pretrainEpochs: 2, batch: 20 },
    refused: {
      "pretrainEpochs must be a whole number from 0, not -1": { pretrainEpochs: -1 },
      "batch must be a whole number from 2, not 1": { batch: 1 },
    },
  }),
  subject(methods.dbc, {
    // Smoothed, its clusters say more than the model alone: `neighbour-smoothing.test.ts`.
    options: { ...convolutional, autoEncoders: 1, epochs: 12, smoothing: 0 },
    stages: ["auto-encoder", "over-clustering", "clustering"],
    // More clusters than groups, and one batch an epoch: assignments go on changing.
    brief: { pretrainEpochs: 2, batch: 20, epochs: 2, k: 9, batches: 1 },
    refused: {
      "alpha must be a number over 1, not 1": { alpha: 1 },
      "v must be a number over 0, not 0": { v: 0 },
    },
  }),
];
