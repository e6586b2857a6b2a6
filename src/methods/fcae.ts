/** Stage I of Algorithm 1: train the auto-encoder, extract features, cluster them. FCAE-KMS ends here; DBC goes on. */
import { availableParallelism } from "node:os";
import { kMeans } from "../clustering/k-means.ts";
import type { Dataset } from "../dataset.ts";
import type { SessionOptions } from "../engine/session.ts";
import { InputError } from "../errors.ts";
import { formatImageSize, type ImageSize, pixelCount } from "../image.ts";
import { matrix } from "../matrix.ts";
import { type CheckpointStore, noCheckpoints } from "../model/checkpoint.ts";
import { type HistoryEntry, historyFromNote, historyNote } from "../model/fitted.ts";
import {
  type Architecture,
  type ArchitectureOptions,
  deriveArchitecture,
  paperArchitecture,
  paperNetworks,
} from "../network/architecture.ts";
import { encoderParameters, encoderStatistics } from "../network/layers.ts";
import { createOptimizer, type Optimizer, type OptimizerOptions } from "../network/optimizer.ts";
import { totalSize } from "../network/parameters.ts";
import { imagesAtOnce, Predictor } from "../network/predictor.ts";
import { autoEncoderProgram } from "../network/programs.ts";
import { featureSize } from "../network/shapes.ts";
import type { TrainedValues } from "../network/trained.ts";
import { Trainer } from "../network/trainer.ts";
import { shuffledBatches } from "./batches.ts";
import { encodeDataset } from "./encode-dataset.ts";
import type { OnProgress } from "./progress.ts";

/** How far the auto-encoder is trained, as in the paper's ablation: all epochs, half of them, none. */
export const initializations = ["trained", "half-trained", "random"] as const;
export type Initialization = (typeof initializations)[number];

export interface FcaeOptions extends ArchitectureOptions, SessionOptions {
  /** Number of clusters. */
  readonly k: number;
  /** Of weights, orders and k-means. Default: 0. */
  readonly seed?: number;
  /** Default: the paper's network for the paper's datasets, else one derived from the image size. */
  readonly architecture?: Architecture;
  /** Epochs of the auto-encoder. Default: 30. */
  readonly pretrainEpochs?: number;
  /** Default: "trained". */
  readonly initialization?: Initialization;
  /** Images a step. Default: 256, or 32 where images are larger than 64x64. */
  readonly batch?: number;
  /** Of the auto-encoder. Default: Adam, learning rate 1e-3. */
  readonly pretrainOptimizer?: OptimizerOptions;
  /** Starts of k-means on the features. Default: 20. */
  readonly restarts?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
  /** Where to go on from, and to leave what a later run goes on from. Default: nowhere. */
  readonly checkpoints?: CheckpointStore;
}

export interface TrainedFcae {
  readonly architecture: Architecture;
  /** Of encoder, then decoder. */
  readonly parameters: Float32Array;
  /** Of encoder, then decoder. */
  readonly statistics: Float32Array;
  readonly history: readonly HistoryEntry[];
}

type FcaeSettings = ReturnType<typeof fcaeSettings>;

/** The options, checked and with their defaults; what the network is like is in its architecture. */
export function fcaeSettings(dataset: Dataset, options: FcaeOptions) {
  const { k, seed = 0, pretrainEpochs = 30, initialization = "trained", restarts = 20 } = options;
  expectCount("k", k, 1);
  expectCount("pretrainEpochs", pretrainEpochs, 0);
  expectCount("restarts", restarts, 1);
  expectCount("batch", options.batch ?? 2, 2);
  if (!initializations.includes(initialization))
    throw new InputError(`there is no initialization "${initialization}"; use one of: ${initializations.join(", ")}`);
  expectDataset(dataset, k, networkOf(dataset, options));
  return {
    k,
    seed,
    pretrainEpochs,
    initialization,
    restarts,
    batch: Math.min(dataset.count, options.batch ?? imagesAtOnce(dataset.image)),
    pretrainOptimizer: stageOneOptimizer(options).settings,
    threads: options.threads ?? availableParallelism(),
    device: options.device ?? "cpu",
  };
}

const stageOneOptimizer = ({ pretrainOptimizer = { kind: "adam" } }: FcaeOptions): Optimizer =>
  createOptimizer(pretrainOptimizer);

function expectDataset({ name, count, image }: Dataset, k: number, network: Architecture): void {
  if (count < 2) throw new InputError(`${name}: clustering needs at least 2 images, not ${count}`);
  if (k > count) throw new InputError(`k = ${k} is more than the number of images, ${count}`);
  if (!sameSize(network.image, image))
    throw new InputError(
      `network "${network.name}" takes images of ${formatImageSize(network.image)}, and ${name} has ${formatImageSize(image)}`,
    );
}

/** The network asked for; else the paper's for its own datasets, and one by its rules for any other. */
export function networkOf(dataset: Dataset, options: FcaeOptions): Architecture {
  if (options.architecture !== undefined) return options.architecture;
  const name = paperNetworks.find((network) => dataset.name === network || dataset.name === `${network}-test`);
  const paper = name === undefined ? undefined : paperArchitecture(name, options);
  return paper !== undefined && sameSize(paper.image, dataset.image)
    ? paper
    : deriveArchitecture(dataset.image, options);
}

/** Step 1 of Algorithm 1. */
export async function trainAutoEncoder(dataset: Dataset, options: FcaeOptions): Promise<TrainedFcae> {
  const settings = fcaeSettings(dataset, options);
  const { seed, batch } = settings;
  const architecture = networkOf(dataset, options);
  const optimizer = stageOneOptimizer(options);
  const program = autoEncoderProgram(architecture, { batch, optimizer });
  const trainer = await Trainer.open(program, { ...sessionOptions(options), optimizer, seed });
  try {
    const history = restoreTrainer(trainer, options);
    const epochs = epochsOf(settings);
    for (let epoch = history.length + 1; epoch <= epochs; epoch++) {
      const loss = await trainEpoch(trainer, dataset, { settings, options, epoch });
      history.push({ stage: "auto-encoder", epoch, loss });
      options.onProgress?.({ kind: "epoch", stage: "auto-encoder", epoch, epochs, loss });
      trainer.expectFinite();
      const { step, vectors } = trainer.save();
      options.checkpoints?.save({ notes: { stage: "auto-encoder", step, history: historyNote(history) }, vectors });
    }
    if (trainer.steps < settlingSteps) await settleStatistics(trainer, dataset, settings, options.signal);
    return { architecture, parameters: trainer.parameters.slice(), statistics: trainer.statistics.slice(), history };
  } finally {
    await trainer.close();
  }
}

function epochsOf({ pretrainEpochs, initialization }: FcaeSettings): number {
  return { trained: pretrainEpochs, "half-trained": Math.ceil(pretrainEpochs / 2), random: 0 }[initialization];
}

/** Goes on where a checkpoint of this stage ends; returns the history so far. */
function restoreTrainer(trainer: Trainer, { checkpoints = noCheckpoints }: FcaeOptions): HistoryEntry[] {
  const saved = checkpoints.load();
  if (saved?.notes.stage !== "auto-encoder") return [];
  trainer.restore({ step: Number(saved.notes.step), vectors: saved.vectors });
  return historyFromNote(saved.notes.history);
}

interface Epoch {
  readonly settings: FcaeSettings;
  readonly options: FcaeOptions;
  readonly epoch: number;
}

async function trainEpoch(trainer: Trainer, dataset: Dataset, { settings, options, epoch }: Epoch): Promise<number> {
  const { seed, batch } = settings;
  const { signal, onProgress } = options;
  const epochs = epochsOf(settings);
  const total = Math.ceil(dataset.count / batch);
  const images = new Float32Array(batch * pixelCount(dataset.image));
  let loss = 0;
  let done = 0;
  for (const indices of shuffledBatches(dataset.count, batch, { seed, use: "auto-encoder", epoch })) {
    signal?.throwIfAborted();
    dataset.read(indices, images);
    loss += await trainer.step({ images });
    done++;
    onProgress?.({ kind: "batch", stage: "auto-encoder", epoch, epochs, done, total, batch });
  }
  return loss / total;
}

/** After so many batches a tenth of each, the start is forgotten. */
const settlingSteps = 50;

/** The running statistics of a network that was hardly trained, or not at all: steps at learning rate zero. */
async function settleStatistics(
  trainer: Trainer,
  dataset: Dataset,
  { seed, batch }: FcaeSettings,
  signal: AbortSignal | undefined,
): Promise<void> {
  const images = new Float32Array(batch * pixelCount(dataset.image));
  const order = { seed, use: "statistics", epoch: 1, batches: settlingSteps };
  for (const indices of shuffledBatches(dataset.count, batch, order)) {
    signal?.throwIfAborted();
    dataset.read(indices, images);
    await trainer.step({ images }, 0);
  }
}

/** Steps 2 and 3 of Algorithm 1: Z ← f(X), μ ← the centres of k-means on Z. */
export async function clusterFeatures(
  dataset: Dataset,
  fcae: TrainedFcae,
  options: FcaeOptions,
): Promise<{ centres: Float32Array }> {
  const { k, seed, restarts } = fcaeSettings(dataset, options);
  const { signal } = options;
  const predictor = await Predictor.open(fcae.architecture, fcae, sessionOptions(options));
  try {
    const { features } = await encodeDataset(dataset, predictor, { signal });
    const { centres } = await kMeans(matrix(features, featureSize(fcae.architecture), "features"), {
      k,
      seed,
      restarts,
      ...sessionOptions(options),
      ...(signal === undefined ? {} : { signal }),
    });
    return { centres };
  } finally {
    await predictor.close();
  }
}

/** Step 5 of Algorithm 2: θ ← θ_e, μ ← μ_z. */
export function withCentres(
  { architecture, parameters, statistics }: TrainedFcae,
  centres: Float32Array,
): TrainedValues {
  const encoder = totalSize(encoderParameters(architecture));
  const joined = new Float32Array(encoder + centres.length);
  joined.set(parameters.subarray(0, encoder));
  joined.set(centres, encoder);
  return { parameters: joined, statistics: statistics.slice(0, totalSize(encoderStatistics(architecture))) };
}

/** The options that every session of a method gets. */
export function sessionOptions({ threads, device }: SessionOptions): SessionOptions {
  return { ...(threads === undefined ? {} : { threads }), ...(device === undefined ? {} : { device }) };
}

const sameSize = (a: ImageSize, b: ImageSize): boolean => formatImageSize(a) === formatImageSize(b);

export function expectCount(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least)
    throw new InputError(`${name} must be a whole number from ${least}, not ${value}`);
}
