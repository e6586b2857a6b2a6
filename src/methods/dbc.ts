/** DBC: discriminatively boosted clustering (Algorithms 1 and 2). */
import { type Balance, boostedTargets } from "../clustering/targets.ts";
import type { Dataset } from "../dataset.ts";
import { InputError } from "../errors.ts";
import { pixelCount } from "../image.ts";
import { type Checkpoint, noCheckpoints } from "../model/checkpoint.ts";
import { type Fitted, type HistoryEntry, historyFromNote, historyNote } from "../model/fitted.ts";
import { createOptimizer, type Optimizer, type OptimizerOptions } from "../network/optimizer.ts";
import { Predictor } from "../network/predictor.ts";
import { clusteringProgram } from "../network/programs.ts";
import { Trainer } from "../network/trainer.ts";
import { shuffledBatches } from "./batches.ts";
import { type EncodedDataset, encodeDataset, hardAssignments } from "./encode-dataset.ts";
import {
  clusterFeatures,
  expectCount,
  type FcaeOptions,
  fcaeSettings,
  networkOf,
  sessionOptions,
  type TrainedFcae,
  trainAutoEncoder,
  withCentres,
} from "./fcae.ts";

export interface DbcOptions extends FcaeOptions {
  /** The boosting factor α > 1. Default: 2. */
  readonly alpha?: number;
  /** The degree of freedom v of the t-distribution. Default: 1. */
  readonly v?: number;
  /** n_j: "boosted" Σ s^α as Algorithm 2, "scores" Σ s as DEC, or "none". Default: "boosted". */
  readonly balance?: Balance;
  /** T, the most epochs of stage II. Default: 50. */
  readonly epochs?: number;
  /** B, the batches of an epoch of stage II. Default: as many as the dataset has. */
  readonly batches?: number;
  /** Stop when no more than this share of the images changes its cluster. Default: 0. */
  readonly tolerance?: number;
  /** Of stage II. Default: SGD, learning rate 0.1, momentum 0.9. */
  readonly optimizer?: OptimizerOptions;
  /** Called with the clusters at the start of each epoch; what it returns goes into the history. */
  readonly evaluate?: (assignments: Int32Array) => Readonly<Record<string, number>>;
}

export async function fitDbc(dataset: Dataset, options: DbcOptions): Promise<Fitted> {
  const settings = dbcSettings(dataset, options);
  const saved = (options.checkpoints ?? noCheckpoints).load();
  const start =
    saved?.notes.stage === "clustering" ? resume(saved, dataset, options) : await stageOne(dataset, options);
  const stage = await StageTwo.open(dataset, options, settings, start);
  try {
    return await stage.run();
  } finally {
    await stage.close();
  }
}

/** Where stage II begins, or goes on. */
interface Start {
  readonly fcae: TrainedFcae;
  readonly history: readonly HistoryEntry[];
  readonly step: number;
  /** The trainer's vectors; what is missing starts at zero. */
  readonly vectors: Readonly<Record<string, Float32Array>>;
  /** The clusters at the start of the epoch before. */
  readonly previous: Int32Array | undefined;
}

async function stageOne(dataset: Dataset, options: DbcOptions): Promise<Start> {
  const fcae = await trainAutoEncoder(dataset, options);
  const { centres } = await clusterFeatures(dataset, fcae, options);
  const { parameters, statistics } = withCentres(fcae, centres);
  return { fcae, history: fcae.history, step: 0, vectors: { parameters, statistics }, previous: undefined };
}

function resume({ notes, vectors }: Checkpoint, dataset: Dataset, options: DbcOptions): Start {
  const { "fcae.parameters": parameters, "fcae.statistics": statistics, previous, ...trainer } = vectors;
  const history = historyFromNote(notes.history);
  const pretraining = history.filter(({ stage }) => stage === "auto-encoder");
  return {
    fcae: { architecture: networkOf(dataset, options), parameters, statistics, history: pretraining },
    history,
    step: Number(notes.step),
    vectors: trainer,
    previous: previous === undefined ? undefined : Int32Array.from(previous),
  };
}

/** Algorithm 2: scores for all, boosted targets, B mini-batches, until assignments no longer change or T epochs. */
class StageTwo {
  readonly #dataset: Dataset;
  readonly #options: DbcOptions;
  readonly #settings: DbcSettings;
  readonly #start: Start;
  readonly #trainer: Trainer;
  readonly #history: HistoryEntry[];
  #previous: Int32Array | undefined;

  private constructor(dataset: Dataset, options: DbcOptions, settings: DbcSettings, start: Start, trainer: Trainer) {
    this.#dataset = dataset;
    this.#options = options;
    this.#settings = settings;
    this.#start = start;
    this.#trainer = trainer;
    this.#history = [...start.history];
    this.#previous = start.previous;
  }

  static async open(dataset: Dataset, options: DbcOptions, settings: DbcSettings, start: Start): Promise<StageTwo> {
    const { k, v, seed, batch } = settings;
    const optimizer = stageTwoOptimizer(options);
    const program = clusteringProgram(start.fcae.architecture, { batch, optimizer, k, v });
    const trainer = await Trainer.open(program, { ...sessionOptions(options), optimizer, seed });
    try {
      trainer.restore({ step: start.step, vectors: { ...trainer.save().vectors, ...start.vectors } });
      return new StageTwo(dataset, options, settings, start, trainer);
    } catch (error) {
      await trainer.close();
      throw error;
    }
  }

  async run(): Promise<Fitted> {
    const { k, v, epochs, tolerance } = this.#settings;
    let converged = false;
    for (let epoch = this.#epochsDone() + 1; epoch <= epochs && !converged; epoch++) {
      const { scores } = await this.#score(false);
      const assignments = hardAssignments(scores, k);
      const changed = this.#previous === undefined ? undefined : changedShare(this.#previous, assignments);
      this.#warnOfCollapse(assignments);
      converged = changed !== undefined && changed <= tolerance;
      if (!converged) await this.#epoch(epoch, scores, assignments, changed);
    }
    const { features, scores } = await this.#score(true);
    const assignments = hardAssignments(scores, k);
    this.#warnOfCollapse(assignments);
    return {
      method: "dbc",
      settings: this.#settings,
      architecture: this.#start.fcae.architecture,
      k,
      v,
      parameters: this.#trainer.parameters.slice(),
      statistics: this.#trainer.statistics.slice(),
      autoEncoder: this.#start.fcae,
      assignments,
      scores,
      features,
      history: this.#history,
      converged,
    };
  }

  async close(): Promise<void> {
    await this.#trainer.close();
  }

  #epochsDone(): number {
    return this.#history.filter(({ stage }) => stage === "clustering").length;
  }

  /** s_ij of all images, with the running statistics. */
  async #score(keepFeatures: boolean): Promise<EncodedDataset> {
    const { k, v } = this.#settings;
    const { signal } = this.#options;
    const { architecture } = this.#start.fcae;
    const predictor = await Predictor.open(architecture, this.#trainer, { ...sessionOptions(this.#options), k, v });
    try {
      return await encodeDataset(this.#dataset, predictor, { keepFeatures, signal });
    } finally {
      await predictor.close();
    }
  }

  async #epoch(epoch: number, scores: Float32Array, assignments: Int32Array, changed?: number): Promise<void> {
    const { k, alpha, balance, epochs } = this.#settings;
    const { evaluate, onProgress } = this.#options;
    const loss = await this.#learn(epoch, boostedTargets(scores, k, { alpha, balance }));
    this.#trainer.expectFinite();
    const metrics = evaluate?.(assignments);
    const share = changed === undefined ? {} : { changed };
    this.#history.push({ stage: "clustering", epoch, loss, ...share, ...(metrics === undefined ? {} : { metrics }) });
    onProgress?.({ kind: "epoch", stage: "clustering", epoch, epochs, loss, ...share });
    this.#previous = assignments;
    this.#save();
  }

  /** B mini-batches towards the targets r; returns the mean loss. */
  async #learn(epoch: number, r: Float32Array): Promise<number> {
    const { k, seed, epochs, batch, batches } = this.#settings;
    const { signal, onProgress } = this.#options;
    const { count, image } = this.#dataset;
    const images = new Float32Array(batch * pixelCount(image));
    const targets = new Float32Array(batch * k);
    let loss = 0;
    let step = 0;
    for (const indices of shuffledBatches(count, batch, { seed, use: "clustering", epoch, batches })) {
      signal?.throwIfAborted();
      this.#dataset.read(indices, images);
      indices.forEach((index, row) => {
        targets.set(r.subarray(index * k, (index + 1) * k), row * k);
      });
      loss += await this.#trainer.step({ images, targets });
      step++;
      onProgress?.({ kind: "batch", stage: "clustering", epoch, epochs, done: step, total: batches, batch });
    }
    return loss / batches;
  }

  #save(): void {
    const { checkpoints = noCheckpoints } = this.#options;
    const { step, vectors } = this.#trainer.save();
    checkpoints.save({
      notes: { stage: "clustering", step, history: historyNote(this.#history) },
      vectors: {
        ...vectors,
        "fcae.parameters": this.#start.fcae.parameters,
        "fcae.statistics": this.#start.fcae.statistics,
        ...(this.#previous === undefined ? {} : { previous: Float32Array.from(this.#previous) }),
      },
    });
  }

  /** A cluster without images hardly ever comes back: only small scores still pull its centre. */
  #warnOfCollapse(assignments: Int32Array): void {
    const { k, onProgress } = this.#options;
    const sizes = new Uint32Array(k);
    for (const cluster of assignments) sizes[cluster]++;
    const empty = sizes.reduce((count, size) => count + (size === 0 ? 1 : 0), 0);
    if (empty === 0) return;
    onProgress?.({
      kind: "warning",
      message: `${empty} of ${k} clusters have died; lower the learning rate of stage II, use balance "boosted" or fewer clusters`,
    });
  }
}

type DbcSettings = ReturnType<typeof dbcSettings>;

/** The options, checked and with their defaults. */
export function dbcSettings(dataset: Dataset, options: DbcOptions) {
  const fcae = fcaeSettings(dataset, options);
  const { alpha = 2, v = 1, balance = "boosted", epochs = 50, tolerance = 0 } = options;
  const { batches = Math.ceil(dataset.count / fcae.batch) } = options;
  if (!(alpha > 1) || !Number.isFinite(alpha)) throw new InputError(`alpha must be a number over 1, not ${alpha}`);
  if (!(v > 0) || !Number.isFinite(v)) throw new InputError(`v must be a number over 0, not ${v}`);
  if (!(tolerance >= 0 && tolerance <= 1)) throw new InputError(`tolerance must be from 0 to 1, not ${tolerance}`);
  expectCount("epochs", epochs, 0);
  expectCount("batches", batches, 1);
  const optimizer = stageTwoOptimizer(options).settings;
  return { ...fcae, alpha, v, balance, epochs, batches, tolerance, optimizer };
}

const stageTwoOptimizer = ({ optimizer = { kind: "sgd" } }: DbcOptions): Optimizer => createOptimizer(optimizer);

function changedShare(before: Int32Array, after: Int32Array): number {
  let changed = 0;
  for (let i = 0; i < after.length; i++) if (before[i] !== after[i]) changed++;
  return changed / after.length;
}
