/** How many clusters the images have, by the neighbourhoods of their features. */
import type { Images } from "../dataset.ts";
import { InputError } from "../errors.ts";
import { type CountEvidence, clearCount, countEvidence } from "../manifold/cluster-count.ts";
import { linkGraph } from "../manifold/graph-linkage.ts";
import { neighbourGraph } from "../manifold/neighbour-graph.ts";
import { nearestNeighbours } from "../manifold/neighbours.ts";
import { withoutShrinking } from "../network/architecture.ts";
import { shrunkDataset } from "../shrunk-dataset.ts";
import { Course } from "./course.ts";
import { type DbcOptions, dbcSettings, stageTwoOptimizer } from "./dbc.ts";
import { withPreset } from "./dbc-presets.ts";
import { networkOf, trainFcae } from "./fcae.ts";
import { jointFeatures, learnFineGroups } from "./fine-groups.ts";
import { chooseLandmarks, graphClusters, mostLandmarks, rowsOf, smallestShare } from "./graph-clusters.ts";
import { epochsOrSteps, expectCount, sessionOptions } from "./settings.ts";

/** Those of DBC, with preset "boosted", that decide its auto-encoder and its fine groups. */
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
  const groups = fineGroupsFor(dataset.count);
  const preset = withPreset(dataset, { ...rest, preset: "boosted", autoEncoders: 1, k: groups });
  const { batch } = dbcSettings(dataset, preset);
  const { fineEpochs = epochsOrSteps(4, Math.max(400, 7.5 * groups), dataset, batch) } = rest;
  const options = { ...preset, fineEpochs };
  const architecture = networkOf(dataset, options);
  const network = withoutShrinking(architecture);
  const context = { dataset: shrunkDataset(dataset, architecture.shrink ?? 1), course: new Course(), options };
  const autoEncoder = await trainFcae({ ...options, architecture: network }, context);
  const settings = dbcSettings(dataset, options);
  const encoder = await learnFineGroups(
    {
      architecture: network,
      autoEncoder,
      settings: { ...settings, epochs: settings.fineEpochs, plainEpochs: 0, tolerance: 0 },
      optimizer: stageTwoOptimizer(options),
      find: graphClusters,
    },
    context,
  );
  const { joint } = await jointFeatures(context.dataset, network, [autoEncoder, encoder], options);
  const chosen = rowsOf(joint, chooseLandmarks(joint.rows, mostLandmarks, settings.seed));
  const { signal } = options;
  const near = await nearestNeighbours(chosen, { neighbours, signal, ...sessionOptions(options) });
  const evidence = countEvidence(linkGraph(neighbourGraph(near)), { most, smallestShare });
  return { k: clearCount(evidence), evidence };
}

/** As many as there are images in each. They are learned for longer than to find k clusters: gaps need it. */
const fineGroupsFor = (count: number): number => Math.round(Math.sqrt(count));
