/**
 * Several encoders in place of one, an addition to Algorithm 1: auto-encoders that began differently, and for each an
 * encoder that learned small groups. What one of them mixes up, another tells apart.
 */
import type { FindClusters } from "../../clustering/clusters.ts";
import type { Architecture } from "../../network/architecture.ts";
import type { TrainedValues } from "../../network/trained.ts";
import type { TrainingContext } from "../training/training-loop.ts";
import type { Encoders } from "./algorithm-1.ts";
import { type EnsembleMember, trainFcae } from "./fcae.ts";
import type { DbcSettings } from "./options.ts";
import { trainOverClustering } from "./over-clustering.ts";

export interface EnsembleTraining {
  readonly architecture: Architecture;
  readonly settings: DbcSettings;
  /** Finds the groups that are learned. */
  readonly findClusters: FindClusters;
  /** Which start of stage II they are for, from 0. */
  readonly trial: number;
  /** Small groups that are learned, per cluster. Default: 4. */
  readonly groupsPerCluster?: number;
}

/** All auto-encoders of a trial, of the whole of the images; then all encoders of over-clusterings, in their context. */
export async function trainEnsemble(
  ensemble: EnsembleTraining,
  whole: TrainingContext,
  context: TrainingContext,
): Promise<Encoders> {
  const { architecture, settings } = ensemble;
  const autoEncoders: TrainedValues[] = [];
  for (const member of membersOf(ensemble)) autoEncoders.push(await trainFcae(architecture, settings, whole, member));
  const encoders = await trainOverClusterings(ensemble, autoEncoders, context);
  return { autoEncoder: autoEncoders[autoEncoders.length - 1], encoders: [...autoEncoders, ...encoders] };
}

/** None where none are asked for, or there are too few images for more groups than clusters. */
async function trainOverClusterings(
  ensemble: EnsembleTraining,
  autoEncoders: readonly TrainedValues[],
  context: TrainingContext,
): Promise<readonly TrainedValues[]> {
  const { architecture, settings, findClusters, groupsPerCluster } = ensemble;
  const { count } = context.dataset;
  if (!overClusters(settings, count)) return [];
  const k = groupsFor(settings.k, count, groupsPerCluster);
  const groups = { ...settings, k, epochs: settings.overClusteringEpochs };
  const encoders: TrainedValues[] = [];
  for (const [index, member] of membersOf(ensemble).entries()) {
    const autoEncoder = autoEncoders[index];
    encoders.push(
      await trainOverClustering({ architecture, autoEncoder, settings: groups, findClusters, member }, context),
    );
  }
  return encoders;
}

/** Enough that most groups are of one cluster, whatever the auto-encoder mixed up. */
export const defaultGroupsPerCluster = 4;

const groupsFor = (k: number, count: number, perCluster = defaultGroupsPerCluster): number =>
  Math.min(Math.round(perCluster * k), Math.floor(count / 2));

/** Whether over-clustering takes place at all. */
export const overClusters = ({ k, overClusteringEpochs }: DbcSettings, count: number): boolean =>
  overClusteringEpochs > 0 && groupsFor(k, count) > k;

/** Of one trial, among the auto-encoders of all. */
const membersOf = ({ settings: { trials, autoEncoders }, trial }: EnsembleTraining): readonly EnsembleMember[] =>
  Array.from({ length: autoEncoders }, (_, member) => ({
    number: trial * autoEncoders + member,
    total: trials * autoEncoders,
  }));
