/**
 * AEC: auto-encoder based clustering (Song et al. 2013). Minimizes the reconstruction error plus λ times the distance of
 * each feature to the centre of its cluster, in turns: an epoch for the network, then assignments, then centres.
 */
import { meansOf, nearestCentres } from "../clustering/hard-assignment.ts";
import { compactness } from "../clustering/penalties.ts";
import type { Images } from "../dataset.ts";
import { InputError } from "../errors.ts";
import { multiply } from "../graph/operators/elementwise.ts";
import { pixelCount } from "../image.ts";
import type { Fitted } from "../model/fitted.ts";
import { type Architecture, denseArchitecture } from "../network/architecture.ts";
import { createOptimizer, type OptimizerOptions } from "../network/optimizer.ts";
import { featureSize } from "../network/shapes.ts";
import type { TrainedValues } from "../network/trained.ts";
import { Random } from "../random.ts";
import { Course } from "./course.ts";
import { type DaeOptions, daeSettings, trainDae } from "./dae.ts";
import { clusterFeatures, featuresOf, fittedWith, withCentres } from "./feature-clusters.ts";
import { jointPhase, trainJointly } from "./joint-training.ts";
import type { Method } from "./method.ts";
import { clusterNotes, gatherRows } from "./rows.ts";
import { epochsOrSteps, expectCount, expectWeight } from "./settings.ts";
import type { Epoch, TrainingContext } from "./training.ts";

export interface AecOptions extends DaeOptions {
  /** Epochs of reconstruction and clustering together. Default: 60, or 2,000 steps. */
  readonly epochs?: number;
  /** λ: of the distance to the centre; that of the mean squared error of a pixel is 1. Default: 0.1. */
  readonly weight?: number;
  /** Where the first clusters come from: "random", as the authors, or "k-means". Default: "k-means". */
  readonly start?: AecStart;
  /** Of the epochs together. Default: Adam, learning rate 1e-3. */
  readonly optimizer?: OptimizerOptions;
}

export const aecStarts = ["k-means", "random"] as const;
export type AecStart = (typeof aecStarts)[number];

const units = [1000, 250, 50, 10];

/** The options, checked and with their defaults. */
export function aecSettings(dataset: Images, options: AecOptions) {
  const dae = daeSettings(dataset, options, { units });
  const { epochs = epochsOrSteps(60, 2000, dataset, dae.batch), weight = 0.1, start = "k-means" } = options;
  expectCount("epochs", epochs, 0);
  expectWeight("weight", weight);
  if (!aecStarts.includes(start))
    throw new InputError(`there is no start "${start}"; use one of: ${aecStarts.join(", ")}`);
  return { ...dae, epochs, weight, start, optimizer: createOptimizer(jointOptimizer(options)).settings };
}

const jointOptimizer = ({ optimizer = { kind: "adam" } }: AecOptions): OptimizerOptions => optimizer;

/** Every layer is a sigmoid, as pixels are from 0 to 1. */
export const aecNetwork = ({ image }: Images, units: readonly number[]): Architecture =>
  denseArchitecture(image, units, {
    activation: "sigmoid",
    featureActivation: "sigmoid",
    outputActivation: "sigmoid",
  });

export async function fitAec(dataset: Images, options: AecOptions): Promise<Fitted> {
  const settings = aecSettings(dataset, options);
  const { epochs, batch, seed, weight, k } = settings;
  const context = { dataset, course: new Course(options.checkpoints), options };
  const architecture = aecNetwork(dataset, settings.units);
  const start = await trainDae(architecture, settings, options, context);
  const clusters = startingClusters(context);
  const d = featureSize(architecture);
  const anchors = new Float32Array(batch * d);
  const assign = async (trained: TrainedValues): Promise<Int32Array> => {
    const features = await featuresOf(dataset, architecture, trained, options);
    const labels = await nextLabels(features, d, clusters, settings, context);
    clusters.centres = meansOf(features, d, labels, clusters.centres ?? new Float32Array(k * d));
    return labels;
  };
  const joint = await trainJointly(
    architecture,
    start,
    {
      epochs,
      seed,
      batch,
      optimizer: jointOptimizer(options),
      // The network's own error is a sum over pixels.
      penalty: (z) => multiply(compactness(z), weight * pixelCount(dataset.image)),
      prepare: async (_, trained): Promise<Epoch> => {
        const labels = await assign(trained);
        const notes = clusterNotes(labels, clusters.labels, options);
        clusters.labels = labels;
        const { centres = new Float32Array(0) } = clusters;
        return {
          feeds: (indices) => ({
            anchors: gatherRows(
              centres,
              d,
              indices.map((index) => labels[index]),
              anchors,
            ),
          }),
          clusters: notes,
        };
      },
      carried: (): Record<string, Float32Array> => ({
        ...(clusters.centres === undefined ? {} : { centres: clusters.centres }),
        ...(clusters.labels === undefined ? {} : { labels: Float32Array.from(clusters.labels) }),
      }),
    },
    context,
  );
  await assign(joint);
  const trained = withCentres(architecture, joint, clusters.centres ?? new Float32Array(k * d));
  const { history } = context.course;
  return fittedWith(dataset, { method: "aec", settings, architecture, trained, autoEncoder: joint, history }, options);
}

interface Clusters {
  centres: Float32Array | undefined;
  labels: Int32Array | undefined;
}

function startingClusters({ course }: TrainingContext): Clusters {
  const carried = course.opened(jointPhase)?.carried;
  return {
    centres: carried?.centres,
    labels: carried?.labels === undefined ? undefined : Int32Array.from(carried.labels),
  };
}

/** The nearest centre of each feature; at first, where there are no centres, what `start` says. */
async function nextLabels(
  features: Float32Array,
  d: number,
  { centres }: Clusters,
  { k, seed, start }: ReturnType<typeof aecSettings>,
  { dataset, options }: TrainingContext,
): Promise<Int32Array> {
  if (centres !== undefined) return nearestCentres(features, d, centres);
  if (start === "k-means") return (await clusterFeatures(features, d, options)).labels;
  const random = new Random(seed, "random clusters");
  return Int32Array.from({ length: dataset.count }, () => random.integer(k));
}

export const aec: Method<AecOptions> = {
  name: "aec",
  title: "AEC",
  summary: "an auto-encoder that restores images and keeps each feature near the centre of its cluster, in turns",
  reference: "Song, Liu, Huang, Wang, Tan: Auto-encoder Based Data Clustering, 2013",
  goodFor: "comparison; compact clusters in a small dense network",
  settings: aecSettings,
  fit: fitAec,
};
