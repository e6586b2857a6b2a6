/** Where stage II of DBC starts: an encoder and its first clusters. */

import type { Architecture } from "../network/architecture.ts";
import type { OptimizerOptions } from "../network/optimizer.ts";
import type { TrainedValues } from "../network/trained.ts";
import { type FcaeOptions, type Trial, trainFcae, trialSuffix } from "./fcae.ts";
import type { clusterFeatures, FeatureClusters } from "./feature-clusters.ts";
import { jointFeatures, learnFineGroups } from "./fine-groups.ts";
import { clusterMeans, looseness } from "./graph-clusters.ts";
import type { SelfTrainingSettings } from "./self-training.ts";
import type { TrainingContext } from "./training.ts";

export interface StartSettings extends SelfTrainingSettings {
  /** So many starts are made, of which the one counts whose clusters run into each other least. */
  readonly trials: number;
  /** Epochs in which the encoder learns finer groups. */
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

/** Of several trials, the one whose clusters run into each other least: no labels are known here to choose by. */
export async function findStart(start: StartOptions, context: TrainingContext): Promise<Start> {
  const { trials } = start.settings;
  let best: (Start & { readonly looseness: number }) | undefined;
  for (let number = 0; number < trials; number++) {
    const found = await tryStart(start, { number, of: trials }, context);
    if (best === undefined || found.looseness < best.looseness) best = found;
  }
  if (best === undefined) throw new Error("there is at least one trial");
  return best;
}

async function tryStart(
  { options, settings, optimizer, find }: StartOptions,
  trial: Trial,
  context: TrainingContext,
): Promise<Start & { readonly looseness: number }> {
  const { architecture } = options;
  const suffix = trialSuffix(trial);
  const seed = trialSeed(settings.seed, trial.number);
  const autoEncoder = await trainFcae({ ...options, seed }, context, trial);
  const groups = fineGroupsFor(settings.k, context.dataset.count);
  const isFine = settings.fineEpochs > 0 && groups > settings.k;
  const fine = { ...settings, k: groups, epochs: settings.fineEpochs, plainEpochs: 0, tolerance: 0 };
  const encoder = isFine
    ? await learnFineGroups({ architecture, autoEncoder, settings: fine, optimizer, find, suffix }, context)
    : autoEncoder;
  const encoders = isFine ? [autoEncoder, encoder] : [encoder];
  const { centres, labels, loose } = await context.course.phase(`clusters${suffix}`, () =>
    clustersOf(architecture, encoders, trial.of > 1, find, context),
  );
  return { autoEncoder, encoder, first: { centres, labels: Int32Array.from(labels) }, looseness: loose[0] };
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

/** Another for each trial, that no other run is likely to have. */
const trialSeed = (seed: number, trial: number): number => seed + trial * 1_000_003;
