/**
 * AEC: auto-encoder based clustering (Song et al. 2013). Minimizes the reconstruction error plus λ times the distance of
 * each feature to the centre of its cluster, in turns: an epoch for the network, then assignments, then centres.
 */
import { kMeansClusters } from "../../clustering/clusters.ts";
import { meansOf, nearestCentres } from "../../clustering/hard-assignment.ts";
import { multiply } from "../../graph/operators/elementwise.ts";
import type { Images } from "../../images/dataset.ts";
import { pixelCount } from "../../images/image.ts";
import { type Architecture, denseArchitecture, withShrinking } from "../../network/architecture.ts";
import { featureSize } from "../../network/shapes.ts";
import type { TrainedValues } from "../../network/trained.ts";
import { gatherRows, type Matrix } from "../../numeric/matrix.ts";
import { Random } from "../../numeric/random.ts";
import type { Fitted } from "../../runs/fitted.ts";
import type { Method, MethodOptions } from "../method.ts";
import type { OptionsOf, OptionTable } from "../options.ts";
import { clusterNotes } from "../training/assignments.ts";
import {
  epochsOption,
  initialClustersOption,
  optimizerOption,
  resolved,
  settingsFor,
  weightOption,
} from "../training/common-options.ts";
import { featuresOf } from "../training/features.ts";
import { fittedWith, withCentres } from "../training/outcome.ts";
import { partSize } from "../training/parts.ts";
import { announce } from "../training/progress.ts";
import { ResumableRun } from "../training/resumable-run.ts";
import type { Epoch, TrainingContext } from "../training/training-loop.ts";
import { daeOptions, epochsOfSteps, plannedDense, seenBy, trainDae } from "./dae.ts";
import { jointTraining, trainJointly } from "./joint-training.ts";
import { compactness } from "./penalties.ts";

export const aecOptions = {
  ...daeOptions,
  units: { ...daeOptions.units, default: [1000, 250, 50, 10] },
  epochs: { ...epochsOption, default: epochsOfSteps(60, 2000) },
  weight: { ...weightOption, default: 0.1 },
  reconstructionError: {
    kind: "choice",
    choices: ["sum", "mean"],
    help: "Reconstruction error that the weight is set against: the sum over pixels, as its authors have it; or the mean, with which a weight means the same for all sizes of images.",
    group: "stageTwo",
    default: "sum",
  },
  initialClusters: {
    ...initialClustersOption,
    choices: ["k-means", "random"],
    group: "stageTwo",
    default: "k-means",
  },
  optimizer: { ...optimizerOption, default: { kind: "adam", learningRate: 1e-3 } },
} as const satisfies OptionTable;

export interface AecOptions extends MethodOptions, OptionsOf<typeof aecOptions> {}

/** The options, checked and with their defaults. */
export const aecSettings = (dataset: Images, options: AecOptions) => settingsFor(aecOptions, dataset, options);

/** Every layer is a sigmoid, as pixels are from 0 to 1. */
export const aecNetwork = ({ image }: Images, units: readonly number[]): Architecture =>
  denseArchitecture(image, units, {
    activation: "sigmoid",
    featureActivation: "sigmoid",
    outputActivation: "sigmoid",
  });

export async function fitAec(dataset: Images, options: AecOptions): Promise<Fitted> {
  const settings = aecSettings(dataset, options);
  const { epochs, batch, seed, weight, k, optimizer } = settings;
  const { seen, shrink } = seenBy(dataset, settings);
  const context = {
    dataset: seen,
    run: new ResumableRun(options.checkpoints, options.collective),
    options: resolved(options, settings),
  };
  const network = aecNetwork(seen, settings.units);
  announce(options, plannedDense(settings, dataset, { epochs }));
  const start = await trainDae(network, settings, context);
  const clusters = startingClusters(context);
  const d = featureSize(network);
  const anchors = new Float32Array(partSize(batch, options) * d);
  const assign = async (trained: TrainedValues): Promise<Int32Array> => {
    const features = await featuresOf(seen, network, trained, options);
    const labels = await nextLabels(features, clusters, settings, context);
    clusters.centres = meansOf(features.values, d, labels, clusters.centres ?? new Float32Array(k * d));
    return labels;
  };
  const joint = await trainJointly(
    network,
    start,
    {
      epochs,
      seed,
      batch,
      optimizer,
      // The network's own error is a sum over pixels.
      penalty: (z) =>
        multiply(compactness(z), settings.reconstructionError === "mean" ? weight * pixelCount(seen.image) : weight),
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
          carried: () => ({ centres, labels: Float32Array.from(labels) }),
        };
      },
    },
    context,
  );
  await assign(joint);
  const architecture = withShrinking(network, shrink);
  const trained = withCentres(network, joint, clusters.centres ?? new Float32Array(k * d));
  const { history } = context.run;
  const outcome = { method: "aec", settings, architecture, trained, autoEncoder: joint, history };
  // It trains as long as it was told to, and does not look whether clusters settle.
  return fittedWith(dataset, { ...outcome, converged: false }, options);
}

interface Clusters {
  centres: Float32Array | undefined;
  labels: Int32Array | undefined;
}

function startingClusters({ run }: TrainingContext): Clusters {
  const carried = run.unfinished(jointTraining)?.carried;
  return {
    centres: carried?.centres,
    labels: carried?.labels === undefined ? undefined : Int32Array.from(carried.labels),
  };
}

/** The nearest centre of each feature; at first, where there are no centres, what the settings say. */
async function nextLabels(
  features: Matrix,
  { centres }: Clusters,
  { k, seed, initialClusters }: ReturnType<typeof aecSettings>,
  { dataset, options }: TrainingContext,
): Promise<Int32Array> {
  if (centres !== undefined) return nearestCentres(features.values, features.columns, centres);
  if (initialClusters === "k-means") return (await kMeansClusters(features, options)).labels;
  const random = new Random(seed, "random clusters");
  return Int32Array.from({ length: dataset.count }, () => random.integer(k));
}

export const aec: Method<AecOptions> = {
  name: "aec",
  title: "AEC",
  summary: "an auto-encoder that restores images and keeps each feature near the centre of its cluster, in turns",
  reference: "Song, Liu, Huang, Wang, Tan: Auto-encoder Based Data Clustering, 2013",
  goodFor: "comparison; compact clusters in a small dense network",
  options: aecOptions,
  settings: aecSettings,
  fit: fitAec,
};
