/**
 * Pseudo-labels, an addition to Algorithm 2: clusters that were found in the features by some other means than the
 * network's own scores. In some epochs they are all that it learns, in the others they count beside the scores.
 */
import type { Clusters } from "../../clustering/clusters.ts";
import { type Balance, boostedTargets } from "../../clustering/targets.ts";
import { featureSize } from "../../network/shapes.ts";
import { type Matrix, matrix } from "../../numeric/matrix.ts";
import type { DrawnImages } from "../training/drawn-images.ts";
import type { Vectors } from "../training/resumable-run.ts";
import type { ClusteringModel } from "./clustering-model.ts";

export interface PseudoLabelOptions {
  readonly k: number;
  readonly alpha: number;
  readonly balance: Balance;
  /** From 0 to 1: how much they count beside the scores, in epochs in which they are not alone. */
  readonly weight: number;
  readonly schedule: PseudoLabelSchedule;
  /** Finds them anew, from the features as they are by then. */
  readonly recluster?: (features: Matrix) => Promise<Clusters>;
}

/** By epoch, from 1. */
export interface PseudoLabelSchedule {
  /** Whether they are found anew before this epoch. */
  reclusterBefore(epoch: number): boolean;
  /** Whether this epoch learns them alone. */
  isWarmUp(epoch: number): boolean;
  /** Whether training may stop before this epoch where assignments no longer change. */
  mayStop(epoch: number): boolean;
}

export class PseudoLabels {
  readonly #options: PseudoLabelOptions;
  #labels: Int32Array;

  /** `labels`: the cluster of each image, −1 where that is left open. */
  constructor(labels: Int32Array, options: PseudoLabelOptions) {
    this.#labels = labels;
    this.#options = options;
  }

  isWarmUp(epoch: number): boolean {
    return this.#options.schedule.isWarmUp(epoch);
  }

  mayStop(epoch: number): boolean {
    return this.#options.schedule.mayStop(epoch);
  }

  /** Reclusters where the schedule says so: the model's centres become those of the new clusters. */
  async reclusterIfDue(epoch: number, model: ClusteringModel): Promise<void> {
    const { schedule, recluster } = this.#options;
    if (recluster === undefined || !schedule.reclusterBefore(epoch)) return;
    const { features } = await model.scores({ keepFeatures: true });
    const { labels, centres } = await recluster(matrix(features, featureSize(model.architecture), "features"));
    this.#labels = labels;
    model.replaceCentres(centres);
  }

  /** The targets of an epoch that begins with these scores, of the images that it sees. */
  targets(epoch: number, scores: Float32Array, drawn: DrawnImages): Float32Array {
    const labels = drawn.select(this.#labels);
    return this.isWarmUp(epoch)
      ? pseudoLabelTargets(labels, scores, this.#options)
      : weightedTargets(labels, scores, this.#options);
  }

  /** For a checkpoint. */
  save(): Vectors {
    return { pseudoLabels: Float32Array.from(this.#labels) };
  }

  restore(saved: Vectors | undefined): void {
    if (saved?.pseudoLabels !== undefined) this.#labels = Int32Array.from(saved.pseudoLabels);
  }
}

/** Boosted scores times the pseudo-labels, to the power of their weight. */
export function weightedTargets(
  labels: Int32Array,
  scores: Float32Array,
  { k, alpha, balance, weight }: Pick<PseudoLabelOptions, "k" | "alpha" | "balance" | "weight">,
): Float32Array {
  const prior = labelRows(labels, k).map((share) => share ** weight);
  return boostedTargets(scores, k, { alpha, balance, prior });
}

/** The pseudo-labels alone, which leave images without one as they are. */
export function pseudoLabelTargets(
  labels: Int32Array,
  scores: Float32Array,
  { k }: Pick<PseudoLabelOptions, "k">,
): Float32Array {
  const targets = labelRows(labels, k);
  labels.forEach((label, image) => {
    if (label < 0) targets.set(scores.subarray(image * k, (image + 1) * k), image * k);
  });
  return targets;
}

/** What is left to all clusters alike (label smoothing): a pseudo-label may be wrong about an image. */
const smoothing = 0.1;

/** Labels as rows [images, k] that add up to 1; the same for all clusters where the label is −1. */
function labelRows(labels: Int32Array, k: number): Float32Array {
  const rows = new Float32Array(labels.length * k).fill(smoothing / k);
  labels.forEach((label, image) => {
    if (label >= 0) rows[image * k + label] += 1 - smoothing;
  });
  return rows;
}

export interface ScheduleOptions {
  readonly epochs: number;
  /** How often, evenly, clusters are found anew. */
  readonly reclusterings: number;
  /** Epochs at the beginning, and after each reclustering, that learn pseudo-labels alone. */
  readonly warmUpEpochs: number;
}

/** Reclusterings evenly over the epochs, a warm-up at the beginning and after each. */
export function warmUpSchedule({ epochs, reclusterings, warmUpEpochs }: ScheduleOptions): PseudoLabelSchedule {
  const beginOf = (round: number): number => Math.floor((round * epochs) / (reclusterings + 1)) + 1;
  const begins = Array.from({ length: reclusterings + 1 }, (_, round) => beginOf(round));
  return {
    reclusterBefore: (epoch) => epoch > 1 && begins.includes(epoch),
    isWarmUp: (epoch) => begins.some((begin) => begin <= epoch && epoch < begin + warmUpEpochs),
    // Not before the network has learned from its own scores for an epoch.
    mayStop: (epoch) => epoch > beginOf(reclusterings) + warmUpEpochs,
  };
}

/** Alone from the first epoch to the last, however little changes. */
export const warmUpThroughout: PseudoLabelSchedule = {
  reclusterBefore: () => false,
  isWarmUp: () => true,
  mayStop: () => false,
};
