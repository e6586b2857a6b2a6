/**
 * Algorithm 2 of the paper, stage II: learn the encoder's θ and the centres μ together, from targets that boost what the
 * scores are sure of. DEC does the same with other targets (n_j = Σ_i s_ij).
 */
import { type Balance, boostedTargets } from "../../clustering/targets.ts";
import type { Augmentation } from "../../images/augmentation.ts";
import type { Architecture } from "../../network/architecture.ts";
import type { OptimizerOptions } from "../../network/optimizer.ts";
import type { TrainedValues } from "../../network/trained.ts";
import type { Stage } from "../../runs/fitted.ts";
import { CollapseWarning, changedShare, clusterNotes, hardAssignments } from "../training/assignments.ts";
import { DrawnImages, longestEpoch } from "../training/drawn-images.ts";
import type { Part } from "../training/parts.ts";
import { type Training, type TrainingContext, TrainingLoop } from "../training/training-loop.ts";
import type { StatisticsKind } from "./batch-scores.ts";
import { ClusteringModel } from "./clustering-model.ts";
import type { DrawnConstraints } from "./drawn-constraints.ts";
import type { PseudoLabels } from "./pseudo-labels.ts";

/** In the order of the algorithm's own list: T, B, m_b, α, k; then what it leaves open. */
export interface StageTwoSettings {
  /** T, the most epochs. */
  readonly epochs: number;
  /** B, mini-batches per epoch. */
  readonly batches: number;
  /** m_b, images per mini-batch. */
  readonly batch: number;
  /** The boosting factor α > 1. */
  readonly alpha: number;
  readonly k: number;
  /** The degrees of freedom v of the t-distribution. */
  readonly v: number;
  /** n_j. */
  readonly balance: Balance;
  /** What scores are normalized by while training: running statistics, or each mini-batch's own. Default: "running". */
  readonly statistics?: StatisticsKind;
  /** Stop when no more than this share of the images changes its cluster; the paper's is 0. */
  readonly tolerance: number;
  readonly optimizer: OptimizerOptions;
  readonly seed: number;
}

/** What the boosted preset and people add; without it, Algorithm 2 is as the paper has it. */
export interface StageTwoAdditions {
  /** Clusters found some other way, which the network learns before, and beside, its own. */
  readonly pseudoLabels?: PseudoLabels;
  /** What people have said: terms of the loss, beside KL(R‖S). */
  readonly constraints?: DrawnConstraints;
  /** How images are changed each time they are learned from; scores are of the unchanged ones. Default: "none". */
  readonly augmentation?: Augmentation;
  /** The last epochs, so many of them, learn from images as they are. Default: 0. */
  readonly unaugmentedEpochs?: number;
  /** The learning rate falls to this share of itself, along half a cosine. Default: 1, it does not fall. */
  readonly finalLearningRate?: number;
  /** What is trained, where it is not the clusters of a run. */
  readonly training?: Pick<Training, "name" | "randomStream" | "within"> & { readonly stage: Stage };
}

export interface StageTwo extends TrainedValues {
  /** Whether the assignments settled; what the last of all epochs changed is not looked at. */
  readonly converged: boolean;
}

export async function algorithm2(
  architecture: Architecture,
  start: { readonly encoder: TrainedValues; readonly centres: Float32Array },
  settings: StageTwoSettings,
  context: TrainingContext,
  additions: StageTwoAdditions = {},
): Promise<StageTwo> {
  const { k, alpha, balance, tolerance } = settings;
  const { pseudoLabels, constraints } = additions;
  // Lines 4 and 5: the clustering model (M2), x_i → z_i → s_ij, with θ ← θ_e* and μ ← μ_z.
  const model = await ClusteringModel.open(architecture, start, settings, context, constraints?.counts);
  try {
    const loop = new TrainingLoop(model.trainer, trainingOf(settings, additions), context);
    const { count } = context.dataset;
    const all = new DrawnImages(count);
    const watch = watcher(settings, context, additions);
    let previous = labelsFrom(loop.carried?.previous);
    pseudoLabels?.restore(loop.carried);
    let converged = false;
    // Line 6: for t = 1 to T.
    while (!loop.finished) {
      const t = loop.next;
      await pseudoLabels?.reclusterIfDue(t, model);
      // Line 7: s_ij of all images; of very many, of those that this epoch sees.
      const X = count > longestEpoch ? loop.drawn() : all;
      const { scores: s, features } = await model.scores({ images: X.images, keepFeatures: watch.wantsFeatures(t) });
      const assignments = hardAssignments(s, k);
      watch.see(t, { s, features, assignments, images: X.images });
      // Line 14, of the epoch before: stop if hard assignments remain unchanged.
      const before = previous && X.select(previous);
      const changed = changedShare(before, assignments);
      converged = changed !== undefined && changed <= tolerance && (pseudoLabels?.mayStop(t) ?? true);
      if (converged) break;
      // Line 8: r_ij = (s_ij^α / n_j) / Σ_j (s_ij^α / n_j), with n_j = Σ_i s_ij^α.
      const r = pseudoLabels?.targets(t, s, X) ?? boostedTargets(s, k, { alpha, balance });
      // Lines 9 to 13: B mini-batches of m_b images, forward, backward, update of θ and μ.
      const known = X.merge(previous, assignments);
      await loop.runEpoch({
        feeds: feedTargets(r, X, settings, constraints),
        ...(constraints === undefined ? {} : { further: (part: Part) => constraints.drawn(t, part) }),
        clusters: clusterNotes(assignments, before, context.options, X.images),
        carried: () => ({ previous: Float32Array.from(known), ...pseudoLabels?.save() }),
      });
      previous = known;
    }
    return { ...model.values(), converged };
  } finally {
    await model.close();
  }
}

function trainingOf(settings: StageTwoSettings, additions: StageTwoAdditions): Training {
  const { epochs, batches, batch, seed } = settings;
  const { augmentation = "none", unaugmentedEpochs = 0, finalLearningRate = 1 } = additions;
  return {
    ...(additions.training ?? { name: "clustering", stage: "clustering" }),
    ...{ epochs, batches, batch, seed, augmentation, unaugmentedEpochs },
    rateScale: (epoch) => cosineDecay((epoch - 1) / epochs, finalLearningRate),
  };
}

/** From 1 at progress 0 to `final` at progress 1. */
export const cosineDecay = (progress: number, final: number): number =>
  final + ((1 - final) * (1 + Math.cos(Math.PI * progress))) / 2;

/** The targets of a mini-batch's images, and what is known of those that follow. */
function feedTargets(
  r: Float32Array,
  X: DrawnImages,
  { k }: StageTwoSettings,
  constraints: DrawnConstraints | undefined,
) {
  let targets = new Float32Array(0);
  return (indices: Uint32Array, further: Uint32Array) => {
    if (targets.length !== indices.length * k) targets = new Float32Array(indices.length * k);
    return { targets: X.gather(r, k, indices, targets), ...constraints?.feeds(further) };
  };
}

const labelsFrom = (carried: Float32Array | undefined): Int32Array | undefined =>
  carried === undefined ? undefined : Int32Array.from(carried);

interface Seen {
  readonly s: Float32Array;
  readonly features: Float32Array;
  readonly assignments: Int32Array;
  readonly images: Uint32Array | undefined;
}

/** Looks on, for figures and for whoever waits; nothing that it sees changes the training. */
function watcher({ k }: StageTwoSettings, { options }: TrainingContext, additions: StageTwoAdditions) {
  const { snapshots, onProgress } = options;
  const collapse = new CollapseWarning(onProgress);
  const { stage = "clustering", within: { before } = { before: 0 } } = additions.training ?? {};
  return {
    wantsFeatures: (t: number): boolean => snapshots?.wantsFeatures(before + t - 1) ?? false,
    see(t: number, { s, features, assignments, images }: Seen): void {
      snapshots?.record(before + t - 1, { features, scores: s, k, images });
      // Pseudo-labels bring back a cluster that the network has not told apart yet.
      if (stage === "clustering" && !additions.pseudoLabels?.isWarmUp(t)) collapse.look(assignments, k);
    },
  };
}
