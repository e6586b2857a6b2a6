/**
 * DEN: deep embedding network (Huang et al. 2014). Reconstruction, plus a term that keeps neighbours together, plus one
 * that draws all but a few groups of features to zero; k-means on the features.
 */

import { type Neighbours, nearestNeighbours } from "../../clustering/neighbours.ts";
import { sessionOptions } from "../../engine/session.ts";
import { InputError } from "../../files/errors.ts";
import { add, divide, multiply, squareRoot } from "../../graph/operators/elementwise.ts";
import type { Tensor } from "../../graph/tensor.ts";
import type { Images } from "../../images/dataset.ts";
import { pixelCount } from "../../images/image.ts";
import { pixelArchitecture, withShrinking } from "../../network/architecture.ts";
import { untrained } from "../../network/trained.ts";
import { Random } from "../../numeric/random.ts";
import type { Fitted } from "../../runs/fitted.ts";
import type { Method, MethodOptions } from "../method.ts";
import type { Known, OptionsOf, OptionTable } from "../options.ts";
import { epochsOption, optimizerOption, resolved, settingsFor } from "../training/common-options.ts";
import { featuresOf } from "../training/features.ts";
import { fittedByKMeans } from "../training/outcome.ts";
import { expectOneProcess } from "../training/parts.ts";
import { announce } from "../training/progress.ts";
import { ResumableRun } from "../training/resumable-run.ts";
import type { Epoch, TrainingContext } from "../training/training-loop.ts";
import { daeNetwork, epochsOfSteps, plannedDense, seenBy, trainDae, undividedOptions } from "./dae.ts";
import { trainJointly } from "./joint-training.ts";
import { groupSparsity, locality, typicalVariance } from "./penalties.ts";

export const denOptions = {
  groupSize: {
    kind: "count",
    least: 1,
    help: "Features of a group; there are k groups, few of which an image uses.",
    group: "network",
    default: 2,
  },
  ...undividedOptions,
  networkSide: { ...undividedOptions.networkSide, default: 32 },
  units: {
    ...undividedOptions.units,
    default: {
      words: "500, 500, 2000, and a group per cluster",
      value: ({ number }: Known) => [500, 500, 2000, number("groupSize") * number("k")],
    },
  },
  epochs: { ...epochsOption, default: epochsOfSteps(50, 2000) },
  neighbours: {
    kind: "count",
    least: 1,
    most: ({ count }: Images) => count - 1,
    help: "Neighbours of each image, by distance of pixels, that are kept together.",
    group: "stageTwo",
    default: 5,
  },
  localityWeight: {
    kind: "number",
    from: 0,
    help: "Weight α of the squared distance of neighbours' features, as a share of the features' variance.",
    group: "stageTwo",
    default: 0.1,
  },
  sparsityWeight: {
    kind: "number",
    from: 0,
    help: "Weight β of the groups' norms, as a share of the features' deviation.",
    group: "stageTwo",
    default: 0.001,
  },
  optimizer: { ...optimizerOption, default: { kind: "adam", learningRate: 1e-3 } },
} as const satisfies OptionTable;

export interface DenOptions extends MethodOptions, OptionsOf<typeof denOptions> {}

/** The options, checked and with their defaults. */
export function denSettings(dataset: Images, options: DenOptions) {
  expectOneProcess("den", "the neighbours that it pairs images with may be anywhere", options);
  const { groupSize, units, ...settings } = settingsFor(denOptions, dataset, options);
  const features = units[units.length - 1];
  if (features % groupSize !== 0)
    throw new InputError(`the last of units must be a multiple of groupSize, ${groupSize}, not ${features}`, {
      option: "units",
    });
  return { groupSize, units, ...settings };
}

type DenSettings = ReturnType<typeof denSettings>;

export async function fitDen(images: Images, options: DenOptions): Promise<Fitted> {
  const settings = denSettings(images, options);
  const { epochs, seed, optimizer } = settings;
  const { seen: dataset, shrink } = seenBy(images, settings);
  // A step takes in as many neighbours as images.
  const batch = Math.ceil(settings.batch / 2);
  const context = {
    dataset,
    run: new ResumableRun(options.checkpoints, options.collective),
    options: resolved(options, settings),
  };
  const architecture = daeNetwork(dataset, settings.units, options);
  announce(options, plannedDense(settings, images, { epochs, batch, batches: Math.ceil(images.count / batch) }));
  const dae = await trainDae(architecture, settings, context);
  const graph = affinityGraph(await pixelNeighbours(settings, context));
  const pixels = pixelCount(dataset.image);
  const trained = await trainJointly(
    architecture,
    dae,
    {
      epochs,
      seed,
      batch,
      imagesPerStep: 2 * batch,
      optimizer,
      // The network's own error is a sum over pixels.
      penalty: (z) => multiply(denPenalty(z, settings), pixels),
      prepare: async (epoch) => pairsEpoch(graph, new Random(seed, `neighbours, epoch ${epoch}`), batch, dataset),
    },
    context,
  );
  const { history } = context.run;
  const network = withShrinking(architecture, shrink);
  const outcome = { method: "den", settings, architecture: network, trained, autoEncoder: trained, history };
  return fittedByKMeans(images, outcome, options);
}

/**
 * α Σ_n w ‖z − z_n‖² / v + β Σ_g √|g| ‖z_g‖ / √v, where v is the typical variance of the features as it is by now:
 * an auto-encoder may give features any scale, and by shrinking them, or all but a few, it would escape both terms. A step
 * sees one neighbour of each image for all of them.
 */
export function denPenalty(
  z: Tensor,
  {
    localityWeight,
    sparsityWeight,
    neighbours,
    groupSize,
  }: Pick<DenSettings, "localityWeight" | "sparsityWeight" | "neighbours" | "groupSize">,
): Tensor {
  const v = typicalVariance(z);
  return add(
    multiply(divide(locality(z), v), localityWeight * neighbours),
    multiply(divide(groupSparsity(z, groupSize), squareRoot(v)), sparsityWeight),
  );
}

async function pixelNeighbours(
  { neighbours }: DenSettings,
  { dataset, options }: TrainingContext,
): Promise<Neighbours> {
  const pixels = await featuresOf(dataset, pixelArchitecture(dataset.image), untrained, options);
  return nearestNeighbours(pixels, {
    neighbours,
    ...sessionOptions(options),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
}

interface AffinityGraph extends Pick<Neighbours, "indices" | "neighbours"> {
  /** [images, neighbours]. */
  readonly affinities: Float32Array;
}

/** exp(−‖x − x_n‖² / t), where t is the mean squared distance of neighbours: a fixed t would make all of them 0 or 1. */
export function affinityGraph({ indices, neighbours, squaredDistances }: Neighbours): AffinityGraph {
  const t = squaredDistances.reduce((a, b) => a + b, 0) / squaredDistances.length || 1;
  return { indices, neighbours, affinities: squaredDistances.map((distance) => Math.exp(-distance / t)) };
}

/** Each image comes with one of its neighbours. */
function pairsEpoch(
  { indices: graph, neighbours, affinities }: AffinityGraph,
  random: Random,
  batch: number,
  dataset: Images,
): Epoch {
  const images = new Float32Array(2 * batch * pixelCount(dataset.image));
  return {
    feeds: (indices) => {
      const edges = indices.map((index) => index * neighbours + random.integer(neighbours));
      dataset.read([...indices, ...edges.map((edge) => graph[edge])], images);
      return { images, affinities: Float32Array.from(edges, (edge) => affinities[edge]) };
    },
  };
}

export const den: Method<DenOptions> = {
  name: "den",
  title: "DEN",
  summary: "k-means on features that keep neighbouring images together and use few groups of units each",
  reference: "Huang, Huang, Wang, Wang: Deep Embedding Network for Clustering, 2014",
  goodFor: "images that change gradually into each other, such as an object that turns",
  options: denOptions,
  settings: denSettings,
  fit: fitDen,
};
