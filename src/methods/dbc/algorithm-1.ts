/** Algorithm 1 of the paper, stage I: train a fully convolutional auto-encoder and cluster with its features. */
import { type Clusters, type FindClusters, kMeansClusters } from "../../clustering/clusters.ts";
import { clusterMeans } from "../../clustering/graph-clusters.ts";
import type { Architecture } from "../../network/architecture.ts";
import type { TrainedValues } from "../../network/trained.ts";
import type { TrainingContext } from "../training/training-loop.ts";
import { type FcaeSettings, trainFcae } from "./fcae.ts";
import { jointFeatures } from "./joint-features.ts";

/** What the boosted preset adds; without it, Algorithm 1 is as the paper has it. */
export interface StageOneAdditions {
  /** In place of one auto-encoder. */
  readonly trainEncoders?: () => Promise<Encoders>;
  /** In place of k-means. */
  readonly findClusters?: FindClusters;
  /** What its clusters are called in a checkpoint, where a run has several. Default: "clusters". */
  readonly name?: string;
}

export interface Encoders {
  /** θ_e* and θ_d* of the auto-encoder that the last encoder comes from. */
  readonly autoEncoder: TrainedValues;
  /** Whose features decide about clusters; the last of them is what stage II goes on with. */
  readonly encoders: readonly TrainedValues[];
}

/** What stage II begins with. */
export interface StageOne {
  /** θ_e* and θ_d*. */
  readonly autoEncoder: TrainedValues;
  /** Begins with θ_e*, which is all that stage II takes of it. */
  readonly encoder: TrainedValues;
  /** μ_z, and the cluster of each image. */
  readonly clusters: Clusters;
}

export async function algorithm1(
  architecture: Architecture,
  settings: FcaeSettings,
  context: TrainingContext,
  additions: StageOneAdditions = {},
): Promise<StageOne> {
  const { dataset: X, run, options } = context;
  const { findClusters = kMeansClusters, name = "clusters" } = additions;
  const { trainEncoders = () => oneAutoEncoder(architecture, settings, context) } = additions;

  // Line 1: train the auto-encoder (M1), x_i → z_i → x̂_i.
  const { autoEncoder, encoders } = await trainEncoders();

  const { centres, labels } = await run.once(name, async () => {
    // Line 2: extract features, Z ← f_θe*(X).
    const Z = await jointFeatures(X, architecture, encoders, options);
    // Line 3: cluster with the features, μ_z ← the centres of k-means.
    const found = await findClusters(Z.joint, { ...options, ...(Z.views && { views: Z.views }) });
    // Centres are of the encoder that stage II goes on with, whoever else had a say in the clusters.
    const μ = Z.joint === Z.last ? found.centres : clusterMeans(Z.last, found.labels, options.k).values;
    return { centres: μ, labels: Float32Array.from(found.labels) };
  });

  const clusters = { centres, labels: Int32Array.from(labels) };
  return { autoEncoder, encoder: encoders[encoders.length - 1], clusters };
}

async function oneAutoEncoder(
  architecture: Architecture,
  settings: FcaeSettings,
  context: TrainingContext,
): Promise<Encoders> {
  const autoEncoder = await trainFcae(architecture, settings, context);
  return { autoEncoder, encoders: [autoEncoder] };
}
