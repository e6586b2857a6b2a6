/** How many clusters the images have, by the neighbourhoods of their features. */
import { type CountEvidence, clearCount, countEvidence } from "../../clustering/cluster-count.ts";
import { graphClusters, graphRules } from "../../clustering/graph-clusters.ts";
import { linkGraph } from "../../clustering/graph-linkage.ts";
import { neighbourGraph } from "../../clustering/neighbour-graph.ts";
import { nearestNeighbours } from "../../clustering/neighbours.ts";
import { sharedOptions } from "../../engine/ranks/collective.ts";
import { InputError } from "../../files/errors.ts";
import type { Images } from "../../images/dataset.ts";
import { shrunkDataset } from "../../images/shrunk-dataset.ts";
import { type Architecture, withoutShrinking } from "../../network/architecture.ts";
import type { Matrix } from "../../numeric/matrix.ts";
import { expectCount } from "../options.ts";
import { announce } from "../training/progress.ts";
import { ResumableRun } from "../training/resumable-run.ts";
import type { TrainingContext } from "../training/training-loop.ts";
import { networkFor, plannedAutoEncoders, trainFcae } from "./fcae.ts";
import { jointFeatures } from "./joint-features.ts";
import { contextOf, landmarksAmong } from "./landmarks.ts";
import { isLinear, principalEncoder } from "./linear-encoder.ts";
import { type DbcOptions, dbcSettings } from "./options.ts";
import { trainOverClustering } from "./over-clustering.ts";

/** Those of DBC, with preset "boosted", that decide its auto-encoder and its over-clustering. */
export interface EstimateOptions extends Omit<DbcOptions, "k" | "preset" | "autoEncoders"> {
  /** The most clusters that are thought of. Default: one of twenty images each, at most 200. */
  readonly most?: number;
}

export interface Estimate {
  /** Undefined where there is no clear answer. */
  readonly k: number | undefined;
  readonly evidence: readonly CountEvidence[];
}

/** Of each image: enough to hold a cluster together, too few to reach the next. */
const neighbours = 10;

/** Fewer images have no neighbourhoods to speak of. */
const fewest = 40;

/** Trains what the boosted preset begins with, and counts the clusters of its features. */
export async function estimateK(dataset: Images, given: EstimateOptions = {}): Promise<Estimate> {
  const { most = Math.max(2, Math.min(200, Math.floor(dataset.count / 20))), ...rest } = given;
  expectCount("most", most, 2);
  if (dataset.count < fewest)
    throw new InputError(`${dataset.name}: ${dataset.count} images are too few to tell how many clusters they have`);
  const options: DbcOptions = { ...rest, preset: "boosted", autoEncoders: 1, k: groupsFor(dataset.count) };
  const settings = estimateSettings(dataset, options);
  const architecture = networkFor(dataset, { ...options, ...settings });
  const network = withoutShrinking(architecture);
  const run = new ResumableRun(undefined, options.collective);
  const whole = { dataset: shrunkDataset(dataset, architecture.shrink ?? 1), run, options };
  const joint = isLinear(network)
    ? await linearFeatures(network, settings, whole)
    : await learnedFeatures(network, settings, whole);
  const near = await nearestNeighbours(joint, { neighbours, signal: options.signal, ...sharedOptions(options) });
  const evidence = countEvidence(linkGraph(neighbourGraph(near)), { most, smallestShare: graphRules.smallestShare });
  return { k: clearCount(evidence), evidence };
}

/** As many as there are images in each. They are learned for longer than to find k clusters: gaps need it. */
const groupsFor = (count: number): number => Math.round(Math.sqrt(count));

function estimateSettings(dataset: Images, options: DbcOptions) {
  const settings = dbcSettings(dataset, options);
  // No more than a pass, however few images there are.
  const pass = Math.min(Math.ceil(dataset.count / settings.batch), settings.batches);
  const { batches = pass, overClusteringEpochs = Math.max(4, Math.ceil(Math.max(400, 7.5 * options.k) / pass)) } =
    options;
  return { ...settings, batches, overClusteringEpochs };
}

/** The images whose features are looked at. */
const landmarkContext = (whole: TrainingContext, settings: EstimateSettings): TrainingContext =>
  contextOf(whole, landmarksAmong(whole.dataset.count, settings));

/** Of vectors: their principal components. */
async function linearFeatures(
  network: Architecture,
  settings: EstimateSettings,
  whole: TrainingContext,
): Promise<Matrix> {
  const encoder = await principalEncoder(network, whole);
  const { dataset, options } = landmarkContext(whole, settings);
  return (await jointFeatures(dataset, network, [encoder], options)).joint;
}

/** Of images: those of an auto-encoder and of its over-clustering, side by side. */
async function learnedFeatures(
  network: Architecture,
  settings: EstimateSettings,
  whole: TrainingContext,
): Promise<Matrix> {
  const { batches, batch, overClusteringEpochs } = settings;
  announce(whole.options, [
    plannedAutoEncoders(settings),
    { stage: "over-clustering", epochs: overClusteringEpochs, batches, batch },
  ]);
  const autoEncoder = await trainFcae(network, settings, whole);
  const context = landmarkContext(whole, settings);
  const encoder = await trainOverClustering(
    {
      architecture: network,
      autoEncoder,
      settings: { ...settings, epochs: overClusteringEpochs },
      findClusters: graphClusters,
    },
    context,
  );
  const { joint } = await jointFeatures(context.dataset, network, [autoEncoder, encoder], context.options);
  return joint;
}

type EstimateSettings = ReturnType<typeof estimateSettings>;
