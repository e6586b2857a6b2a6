/** Where stage II of DBC starts: an encoder and its first clusters. */

import type { Architecture } from "../network/architecture.ts";
import type { OptimizerOptions } from "../network/optimizer.ts";
import type { TrainedValues } from "../network/trained.ts";
import { type FcaeOptions, type Turn, trainFcae } from "./fcae.ts";
import type { clusterFeatures, FeatureClusters } from "./feature-clusters.ts";
import { jointFeatures, learnFineGroups } from "./fine-groups.ts";
import { clusterMeans, looseness } from "./graph-clusters.ts";
import type { SelfTrainingSettings } from "./self-training.ts";
import type { TrainingContext } from "./training.ts";

export interface StartSettings extends SelfTrainingSettings {
  /** So many starts are made, of which the one counts whose clusters run into each other least. */
  readonly trials: number;
  /** So many auto-encoders, with fine groups of each, are trained for it; all decide about clusters. Default: 1. */
  readonly autoEncoders?: number;
  /** Epochs in which an encoder learns finer groups. */
  readonly fineEpochs: number;
}

export interface StartOptions {
  readonly options: FcaeOptions & { readonly architecture: Architecture };
  readonly settings: StartSettings;
  /** Of the fine groups. */
  readonly optimizer: OptimizerOptions;
  /** Finds clusters. */
  readonly find: typeof clusterFeatures;
}

export interface Start {
  readonly autoEncoder: TrainedValues;
  readonly encoder: TrainedValues;
  readonly first: FeatureClusters;
}

/** Of several trials, the one whose clusters run into each other least. */
export async function findStart(start: StartOptions, context: TrainingContext): Promise<Start> {
  const { trials } = start.settings;
  let best = await tryStart(start, 0, context);
  for (let trial = 1; trial < trials; trial++) best = tighter(best, await tryStart(start, trial, context));
  return best;
}

/** By its type it knows nothing else of the two. */
const tighter = <Found extends { readonly looseness: number }>(a: Found, b: Found): Found =>
  b.looseness < a.looseness ? b : a;

async function tryStart(
  start: StartOptions,
  trial: number,
  context: TrainingContext,
): Promise<Start & { readonly looseness: number }> {
  const { options, settings, find } = start;
  const { architecture } = options;
  const autoEncoders = await trainAutoEncoders(start, trial, context);
  const autoEncoder = autoEncoders[autoEncoders.length - 1];
  const fine = await trainFineEncoders(start, trial, autoEncoders, context);
  const encoders = [...autoEncoders, ...fine];
  const { centres, labels, loose } = await context.course.phase(
    trial === 0 ? "clusters" : `clusters, trial ${trial + 1}`,
    () => clustersOf(architecture, encoders, settings.trials > 1, find, context),
  );
  return {
    autoEncoder,
    encoder: encoders[encoders.length - 1],
    first: { centres, labels: Int32Array.from(labels) },
    looseness: loose[0],
  };
}

/** Those of one trial. */
async function trainAutoEncoders(
  { options, settings }: StartOptions,
  trial: number,
  context: TrainingContext,
): Promise<readonly TrainedValues[]> {
  const { seed, autoEncoders = 1 } = settings;
  const trained: TrainedValues[] = [];
  for (let member = 0; member < autoEncoders; member++) {
    const turn = turnOf(settings, trial, member);
    trained.push(await trainFcae({ ...options, seed: turnSeed(seed, turn) }, context, turn));
  }
  return trained;
}

/** One for each; none where no fine groups are to be learned, or there are too few images for more groups than clusters. */
async function trainFineEncoders(
  { options, settings, optimizer, find }: StartOptions,
  trial: number,
  autoEncoders: readonly TrainedValues[],
  context: TrainingContext,
): Promise<readonly TrainedValues[]> {
  const groups = fineGroupsFor(settings.k, context.dataset.count);
  if (settings.fineEpochs === 0 || groups <= settings.k) return [];
  const fine = { ...settings, k: groups, epochs: settings.fineEpochs, plainEpochs: 0, tolerance: 0 };
  const { architecture } = options;
  const encoders: TrainedValues[] = [];
  for (const [member, autoEncoder] of autoEncoders.entries()) {
    const turn = turnOf(settings, trial, member);
    const training = { architecture, autoEncoder, settings: fine, optimizer, find, turn };
    encoders.push(await learnFineGroups(training, context));
  }
  return encoders;
}

/** Clusters by what all the encoders see, with centres among the features of the last. */
async function clustersOf(
  architecture: Architecture,
  encoders: readonly TrainedValues[],
  compared: boolean,
  find: typeof clusterFeatures,
  { dataset, options }: TrainingContext,
): Promise<Record<"centres" | "labels" | "loose", Float32Array>> {
  const { joint, last } = await jointFeatures(dataset, architecture, encoders, options);
  const { centres, labels } = await find(joint.values, joint.columns, options);
  const loose = compared ? await looseness(joint.values, joint.columns, labels, options) : 0;
  return {
    centres: joint === last ? centres : clusterMeans(last, labels, options.k).values,
    labels: Float32Array.from(labels),
    loose: Float32Array.of(loose),
  };
}

/** So many fine groups a cluster: enough that most are of one cluster, whatever the auto-encoder mixed up. */
const fineness = 4;

const fineGroupsFor = (k: number, count: number): number => Math.min(fineness * k, Math.floor(count / 2));

/** Which auto-encoder of all it is. */
const turnOf = ({ trials, autoEncoders = 1 }: StartSettings, trial: number, member: number): Turn => ({
  number: trial * autoEncoders + member,
  of: trials * autoEncoders,
});

/** Another for each auto-encoder, that no other run is likely to have. */
const turnSeed = (seed: number, { number }: Turn): number => (seed + number * 1_000_003) % 2 ** 53;
