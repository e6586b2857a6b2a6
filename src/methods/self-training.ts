/**
 * Algorithm 2: scores for all, targets from them, B mini-batches, until assignments hardly change or T epochs. What we
 * add is optional: to begin, or to begin anew, with clusters found some other way, which the network then learns first.
 */
import type { Augmentation } from "../augmentation.ts";
import { type Balance, balances, boostedTargets } from "../clustering/targets.ts";
import { InputError } from "../errors.ts";
import type { Stage } from "../model/fitted.ts";
import type { Architecture } from "../network/architecture.ts";
import { createOptimizer, type OptimizerOptions } from "../network/optimizer.ts";
import { clusteringProgram } from "../network/programs.ts";
import type { TrainedValues } from "../network/trained.ts";
import { Trainer } from "../network/trainer.ts";
import { hardAssignments } from "./encode-dataset.ts";
import { type FeatureClusters, scoresOf, withCentres } from "./feature-clusters.ts";
import type { OnProgress } from "./progress.ts";
import { changedShare, clusterNotes, gatherRows } from "./rows.ts";
import { expectCount, expectShare, sessionOptions } from "./settings.ts";
import { type Epoch, type Training, type TrainingContext, train } from "./training.ts";

export interface SelfTrainingSettings {
  readonly k: number;
  readonly seed: number;
  readonly batch: number;
  /** The boosting factor α > 1. */
  readonly alpha: number;
  /** The degree of freedom v of the t-distribution. */
  readonly v: number;
  /** n_j. */
  readonly balance: Balance;
  /** T, the most epochs. */
  readonly epochs: number;
  /** B, the batches of an epoch. */
  readonly batches: number;
  /** Stop when no more than this share of the images changes its cluster. */
  readonly tolerance: number;
  /** How images are changed each time they are learned from; targets are of the unchanged ones. Default: "none". */
  readonly augmentation?: Augmentation;
  /** The last epochs, so many of them, learn from images as they are. Default: 0. */
  readonly plainEpochs?: number;
  /** The learning rate falls to this share of itself, along half a cosine. Default: 1, it does not fall. */
  readonly finalRate?: number;
  /** From 0 to 1: how much what was taught counts beside the network's own scores. Default: 0. */
  readonly trust?: number;
}

export function expectSelfTraining(settings: SelfTrainingSettings): void {
  const { alpha, v, balance, epochs, batches, tolerance, finalRate = 1, trust = 0 } = settings;
  if (!(alpha > 1) || !Number.isFinite(alpha)) throw new InputError(`alpha must be a number over 1, not ${alpha}`);
  if (!(v > 0) || !Number.isFinite(v)) throw new InputError(`v must be a number over 0, not ${v}`);
  if (!balances.includes(balance))
    throw new InputError(`there is no balance "${balance}"; use one of: ${balances.join(", ")}`);
  expectShare("tolerance", tolerance);
  expectShare("finalRate", finalRate);
  expectShare("trust", trust);
  expectCount("epochs", epochs, 0);
  expectCount("batches", batches, 1);
}

/** What is trained: θ and μ of a network. */
export interface SelfTraining {
  readonly architecture: Architecture;
  /** Where it starts: θ and μ. */
  readonly trained: TrainedValues;
  readonly settings: SelfTrainingSettings;
  readonly optimizer: OptimizerOptions;
  /** Default: the network's own clusters from the first epoch to the last. */
  readonly lessons?: Lessons;
  /** What part of a run it is. Default: "clustering". */
  readonly stage?: Stage;
  /** What it is called in a checkpoint, where a run has several of a stage. Default: the stage. */
  readonly phase?: string;
  /** Where its epochs are among those of the stage. Default: they are all. */
  readonly within?: Training["within"];
}

/** Clusters that the network is taught, in place of its own. */
export interface Lessons {
  /** The cluster of each image, to begin with; −1 where it is open. */
  readonly first: Int32Array;
  /** Whether they are found anew before this epoch. */
  begin(epoch: number): boolean;
  /** Whether this epoch learns them alone. */
  teach(epoch: number): boolean;
  /** Whether training may end before this epoch where clusters no longer change. */
  mayEnd(epoch: number): boolean;
  /** From the features [images, d]. */
  find(features: Float32Array): Promise<FeatureClusters>;
}

export interface SelfTrained extends TrainedValues {
  /** Whether the assignments settled. */
  readonly converged: boolean;
}

export async function selfTrain(training: SelfTraining, context: TrainingContext): Promise<SelfTrained> {
  const { architecture, trained, settings } = training;
  const { k, v, seed, batch } = settings;
  const optimizer = createOptimizer(training.optimizer);
  const program = clusteringProgram(architecture, { batch, optimizer, k, v });
  const trainer = await Trainer.open(program, { ...sessionOptions(context.options), optimizer, seed });
  try {
    trainer.restore({ step: 0, vectors: { ...trainer.save().vectors, ...startingVectors(trained) } });
    const converged = await selfTrainingEpochs(trainer, training, context);
    return { parameters: trainer.parameters.slice(), statistics: trainer.statistics.slice(), converged };
  } finally {
    await trainer.close();
  }
}

/** A network without batch normalization has no statistics to start from. */
const startingVectors = ({ parameters, statistics }: TrainedValues) =>
  statistics.length === 0 ? { parameters } : { parameters, statistics };

/** Whether the assignments settled. */
async function selfTrainingEpochs(
  trainer: Trainer,
  { architecture, settings, lessons, stage = "clustering", phase = stage, within }: SelfTraining,
  context: TrainingContext,
): Promise<boolean> {
  const { k, v, alpha, balance, epochs, batches, tolerance, seed, batch } = settings;
  const { augmentation = "none", plainEpochs = 0, finalRate = 1, trust = 0 } = settings;
  const { dataset, course, options } = context;
  const carried = course.opened(phase)?.carried;
  let previous = labelsOf(carried?.previous);
  let taught = labelsOf(carried?.taught) ?? lessons?.first;
  let converged = false;
  const scoreAll = (keepFeatures: boolean) =>
    scoresOf(dataset, architecture, trainer, { ...options, k, v, keepFeatures });

  const prepare = async (epoch: number): Promise<Epoch | undefined> => {
    if (lessons?.begin(epoch)) {
      const { labels, centres } = await lessons.find((await scoreAll(true)).features);
      taught = labels;
      const state = trainer.save();
      const { parameters } = withCentres(architecture, trainer, centres);
      trainer.restore({ ...state, vectors: { ...state.vectors, parameters } });
    }
    const { features, scores } = await scoreAll(options.snapshots?.wantsFeatures(epoch - 1) ?? false);
    options.snapshots?.record(epoch - 1, { features, scores, k });
    const assignments = hardAssignments(scores, k);
    const changed = previous === undefined ? undefined : changedShare(previous, assignments);
    const teach = lessons?.teach(epoch) ?? false;
    // A lesson that goes on brings back a cluster that the network has not told apart yet.
    if (stage === "clustering" && !teach) warnOfCollapse(assignments, k, options.onProgress);
    converged = changed !== undefined && changed <= tolerance && (lessons?.mayEnd(epoch) ?? true);
    if (converged) return undefined;
    const clusters = clusterNotes(assignments, previous, options);
    previous = assignments;
    const r =
      taught === undefined
        ? boostedTargets(scores, k, { alpha, balance })
        : targetsBeside(taught, scores, { k, alpha, balance, trust, teach });
    const targets = new Float32Array(batch * k);
    return { feeds: (indices) => ({ targets: gatherRows(r, k, indices, targets) }), clusters };
  };
  await train(
    trainer,
    {
      phase,
      stage,
      epochs,
      seed,
      batch,
      batches,
      rateScale: (epoch) => cosineDecay((epoch - 1) / epochs, finalRate),
      augmentation,
      plainEpochs,
      prepare,
      ...(within === undefined ? {} : { within }),
      carried: () => ({ ...carriedLabels("previous", previous), ...carriedLabels("taught", taught) }),
    },
    context,
  );
  return converged;
}

const labelsOf = (carried: Float32Array | undefined): Int32Array | undefined =>
  carried === undefined ? undefined : Int32Array.from(carried);

const carriedLabels = (name: string, labels: Int32Array | undefined): Record<string, Float32Array> =>
  labels === undefined ? {} : { [name]: Float32Array.from(labels) };

/** From 1 at progress 0 to `final` at progress 1. */
export const cosineDecay = (progress: number, final: number): number =>
  final + ((1 - final) * (1 + Math.cos(Math.PI * progress))) / 2;

interface BesideOptions extends Required<Pick<SelfTrainingSettings, "k" | "alpha" | "balance" | "trust">> {
  /** Whether the lesson is all there is to learn. */
  readonly teach: boolean;
}

/** Boosted scores times what was taught; or what was taught alone, which leaves images without a label as they are. */
export function targetsBeside(
  taught: Int32Array,
  scores: Float32Array,
  { k, alpha, balance, trust, teach }: BesideOptions,
): Float32Array {
  const lesson = lessonRows(taught, k);
  if (!teach) return boostedTargets(scores, k, { alpha, balance, prior: lesson.map((share) => share ** trust) });
  taught.forEach((label, image) => {
    if (label < 0) lesson.set(scores.subarray(image * k, (image + 1) * k), image * k);
  });
  return lesson;
}

/** What is left to all clusters alike: a lesson may be wrong about an image. */
const doubt = 0.1;

/** The lesson as rows [images, k] that add up to 1; the same for all clusters where the label is −1. */
function lessonRows(taught: Int32Array, k: number): Float32Array {
  const rows = new Float32Array(taught.length * k).fill(doubt / k);
  taught.forEach((label, image) => {
    if (label >= 0) rows[image * k + label] += 1 - doubt;
  });
  return rows;
}

/** A cluster without images hardly ever comes back: only small scores still pull its centre. */
function warnOfCollapse(assignments: Int32Array, k: number, onProgress: OnProgress | undefined): void {
  const sizes = new Uint32Array(k);
  for (const cluster of assignments) sizes[cluster]++;
  const empty = sizes.reduce((count, size) => count + (size === 0 ? 1 : 0), 0);
  if (empty === 0) return;
  onProgress?.({
    kind: "warning",
    message: `${empty} of ${k} clusters have died; lower the learning rate of stage II, use balance "boosted" or fewer clusters`,
  });
}
