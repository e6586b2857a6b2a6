/**
 * DEN: deep embedding network (Huang et al. 2014). Reconstruction, plus a term that keeps neighbours together, plus one
 * that draws all but a few groups of features to zero; k-means on the features.
 */
import { groupSparsity, locality } from "../clustering/penalties.ts";
import type { Images } from "../dataset.ts";
import { InputError } from "../errors.ts";
import { add, multiply } from "../graph/operators/elementwise.ts";
import type { Tensor } from "../graph/tensor.ts";
import { pixelCount, shortestSide } from "../image.ts";
import { type Neighbours, nearestNeighbours } from "../manifold/neighbours.ts";
import { totalVariance } from "../manifold/total-variance.ts";
import { matrix } from "../matrix.ts";
import type { Fitted } from "../model/fitted.ts";
import { pixelArchitecture, withShrinking } from "../network/architecture.ts";
import { createOptimizer, type OptimizerOptions } from "../network/optimizer.ts";
import { featureSize } from "../network/shapes.ts";
import { Random } from "../random.ts";
import { shrinkFactor, shrunkDataset } from "../shrunk-dataset.ts";
import { Course } from "./course.ts";
import { type DaeOptions, daeNetwork, daeSettings, trainDae } from "./dae.ts";
import { featuresOf, fittedByKMeans } from "./feature-clusters.ts";
import { trainJointly } from "./joint-training.ts";
import type { Method } from "./method.ts";
import { epochsOrSteps, expectCount, expectWeight, sessionOptions } from "./settings.ts";
import type { Epoch, TrainingContext } from "./training.ts";

export interface DenOptions extends DaeOptions {
  /** Epochs of all terms together. Default: 50, or 2,000 steps. */
  readonly epochs?: number;
  /** Neighbours of each image, by distance of pixels. Default: 5. */
  readonly neighbours?: number;
  /**
   * α: of the squared distance of neighbours' features, as a share of the features' variance; that of the mean squared
   * error of a pixel is 1. Default: 0.5.
   */
  readonly localityWeight?: number;
  /** β: of the groups' norms, as a share of the features' deviation. Default: 0.01. */
  readonly sparsityWeight?: number;
  /** Larger images are made smaller, by a whole factor, but not below this, before they enter. Default: 32. */
  readonly networkSide?: number;
  /** Features a group; there are k groups. Default: 2. */
  readonly groupSize?: number;
  /** Of the epochs together. Default: Adam, learning rate 1e-3. */
  readonly optimizer?: OptimizerOptions;
}

/** The options, checked and with their defaults. */
export function denSettings(dataset: Images, options: DenOptions) {
  const { neighbours = 5, localityWeight = 0.5, sparsityWeight = 0.01, groupSize = 2, networkSide = 32 } = options;
  expectCount("groupSize", groupSize, 1);
  expectCount("networkSide", networkSide, shortestSide);
  const seen = shrunkDataset(dataset, shrinkFactor(dataset.image, networkSide));
  const dae = daeSettings(seen, options, { units: [500, 500, 2000, groupSize * options.k] });
  const { epochs = epochsOrSteps(50, 2000, dataset, dae.batch) } = options;
  const features = dae.units[dae.units.length - 1];
  if (features % groupSize !== 0)
    throw new InputError(`the last of units must be a multiple of groupSize, ${groupSize}, not ${features}`);
  expectCount("epochs", epochs, 0);
  expectCount("neighbours", neighbours, 1);
  expectWeight("localityWeight", localityWeight);
  expectWeight("sparsityWeight", sparsityWeight);
  const optimizer = createOptimizer(jointOptimizer(options)).settings;
  return {
    ...dae,
    epochs,
    neighbours: Math.min(neighbours, dataset.count - 1),
    localityWeight,
    sparsityWeight,
    groupSize,
    networkSide,
    optimizer,
  };
}

type DenSettings = ReturnType<typeof denSettings>;

const jointOptimizer = ({ optimizer = { kind: "adam" } }: DenOptions): OptimizerOptions => optimizer;

export async function fitDen(images: Images, options: DenOptions): Promise<Fitted> {
  const settings = denSettings(images, options);
  const { epochs, seed } = settings;
  const shrink = shrinkFactor(images.image, settings.networkSide);
  const dataset = shrunkDataset(images, shrink);
  // A step takes in as many neighbours as images.
  const batch = Math.ceil(settings.batch / 2);
  const context = { dataset, course: new Course(options.checkpoints), options };
  const architecture = daeNetwork(dataset, settings.units);
  const dae = await trainDae(architecture, settings, options, context);
  const graph = affinityGraph(await pixelNeighbours(settings, context));
  const pixels = pixelCount(dataset.image);
  // Penalties that outweigh the error a hundred times draw all features to one point, and an auto-encoder may give them
  // any scale: weights are relative to it.
  const features = await featuresOf(dataset, architecture, dae, options);
  const variance = totalVariance(matrix(features, featureSize(architecture), "features"));
  const weights = {
    ...settings,
    localityWeight: settings.localityWeight / variance,
    sparsityWeight: settings.sparsityWeight / Math.sqrt(variance),
  };
  const trained = await trainJointly(
    architecture,
    dae,
    {
      epochs,
      seed,
      batch,
      imagesAStep: 2 * batch,
      optimizer: jointOptimizer(options),
      // The network's own error is a sum over pixels.
      penalty: (z) => multiply(denPenalty(z, weights), pixels),
      prepare: async (epoch) => pairsEpoch(graph, new Random(seed, `neighbours, epoch ${epoch}`), batch, dataset),
    },
    context,
  );
  const { history } = context.course;
  const network = withShrinking(architecture, shrink);
  const outcome = { method: "den", settings, architecture: network, trained, autoEncoder: trained, history };
  return fittedByKMeans(images, outcome, options);
}

/** α Σ_n w ‖z − z_n‖² + β Σ_g √|g| ‖z_g‖. A step sees one neighbour of each image for all of them. */
export function denPenalty(
  z: Tensor,
  {
    localityWeight,
    sparsityWeight,
    neighbours,
    groupSize,
  }: Pick<DenSettings, "localityWeight" | "sparsityWeight" | "neighbours" | "groupSize">,
): Tensor {
  return add(multiply(locality(z), localityWeight * neighbours), multiply(groupSparsity(z, groupSize), sparsityWeight));
}

async function pixelNeighbours(
  { neighbours }: DenSettings,
  { dataset, options }: TrainingContext,
): Promise<Neighbours> {
  const untrained = { parameters: new Float32Array(0), statistics: new Float32Array(0) };
  const pixels = await featuresOf(dataset, pixelArchitecture(dataset.image), untrained, options);
  return nearestNeighbours(matrix(pixels, pixelCount(dataset.image), "pixels"), {
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
  settings: denSettings,
  fit: fitDen,
};
