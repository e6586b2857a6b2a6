/** Algorithm 2: scores for all, targets from them, B mini-batches, until assignments hardly change or T epochs. */
import { type Balance, balances, boostedTargets } from "../clustering/targets.ts";
import { InputError } from "../errors.ts";
import type { Fitted } from "../model/fitted.ts";
import type { Architecture } from "../network/architecture.ts";
import { createOptimizer, type OptimizerOptions } from "../network/optimizer.ts";
import { clusteringProgram } from "../network/programs.ts";
import type { TrainedValues } from "../network/trained.ts";
import { Trainer } from "../network/trainer.ts";
import { hardAssignments } from "./encode-dataset.ts";
import { scoresOf } from "./feature-clusters.ts";
import type { OnProgress } from "./progress.ts";
import { changedShare, clusterNotes, gatherRows } from "./rows.ts";
import { expectCount, expectShare, sessionOptions } from "./settings.ts";
import { type Epoch, type TrainingContext, train } from "./training.ts";

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
}

export function expectSelfTraining({ alpha, v, balance, epochs, batches, tolerance }: SelfTrainingSettings): void {
  if (!(alpha > 1) || !Number.isFinite(alpha)) throw new InputError(`alpha must be a number over 1, not ${alpha}`);
  if (!(v > 0) || !Number.isFinite(v)) throw new InputError(`v must be a number over 0, not ${v}`);
  if (!balances.includes(balance))
    throw new InputError(`there is no balance "${balance}"; use one of: ${balances.join(", ")}`);
  expectShare("tolerance", tolerance);
  expectCount("epochs", epochs, 0);
  expectCount("batches", batches, 1);
}

/** What is trained: θ and μ of a network. */
export interface SelfTraining {
  readonly architecture: Architecture;
  /** Where it starts. */
  readonly trained: TrainedValues;
  readonly settings: SelfTrainingSettings;
  readonly optimizer: OptimizerOptions;
}

type SelfTrained = Pick<
  Fitted,
  "parameters" | "statistics" | "assignments" | "scores" | "features" | "history" | "converged"
>;

export async function selfTrain(training: SelfTraining, context: TrainingContext): Promise<SelfTrained> {
  const { architecture, trained, settings } = training;
  const { k, v, seed, batch } = settings;
  const optimizer = createOptimizer(training.optimizer);
  const program = clusteringProgram(architecture, { batch, optimizer, k, v });
  const trainer = await Trainer.open(program, { ...sessionOptions(context.options), optimizer, seed });
  try {
    trainer.restore({ step: 0, vectors: { ...trainer.save().vectors, ...startingVectors(trained) } });
    const converged = await selfTrainingEpochs(trainer, training, context);
    const { features, scores } = await scoresOf(context.dataset, architecture, trainer, { ...context.options, k, v });
    const assignments = hardAssignments(scores, k);
    warnOfCollapse(assignments, k, context.options.onProgress);
    return {
      parameters: trainer.parameters.slice(),
      statistics: trainer.statistics.slice(),
      assignments,
      scores,
      features,
      history: context.course.history,
      converged,
    };
  } finally {
    await trainer.close();
  }
}

/** A network without batch normalization has no statistics to start from. */
const startingVectors = ({ parameters, statistics }: TrainedValues) =>
  statistics.length === 0 ? { parameters } : { parameters, statistics };

const phase = "clustering";

/** Whether the assignments settled. */
async function selfTrainingEpochs(
  trainer: Trainer,
  { architecture, settings }: SelfTraining,
  context: TrainingContext,
): Promise<boolean> {
  const { k, v, alpha, balance, epochs, batches, tolerance, seed, batch } = settings;
  const { dataset, course, options } = context;
  const carried = course.opened(phase)?.carried.previous;
  let previous: Int32Array | undefined = carried === undefined ? undefined : Int32Array.from(carried);
  let converged = false;
  const prepare = async (epoch: number): Promise<Epoch | undefined> => {
    const keepFeatures = options.snapshots?.wantsFeatures(epoch - 1) ?? false;
    const { features, scores } = await scoresOf(dataset, architecture, trainer, { ...options, k, v, keepFeatures });
    options.snapshots?.record(epoch - 1, { features, scores, k });
    const assignments = hardAssignments(scores, k);
    const changed = previous === undefined ? undefined : changedShare(previous, assignments);
    warnOfCollapse(assignments, k, options.onProgress);
    converged = changed !== undefined && changed <= tolerance;
    if (converged) return undefined;
    const clusters = clusterNotes(assignments, previous, options);
    previous = assignments;
    const r = boostedTargets(scores, k, { alpha, balance });
    const targets = new Float32Array(batch * k);
    return { feeds: (indices) => ({ targets: gatherRows(r, k, indices, targets) }), clusters };
  };
  await train(
    trainer,
    {
      phase,
      stage: "clustering",
      epochs,
      seed,
      batch,
      batches,
      prepare,
      carried: (): Record<string, Float32Array> =>
        previous === undefined ? {} : { previous: Float32Array.from(previous) },
    },
    context,
  );
  return converged;
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
