/** k-means on features, and the result that methods end with: an encoder, centres, and what they say of the images. */
import { kMeans } from "../clustering/k-means.ts";
import type { Images } from "../dataset.ts";
import { matrix } from "../matrix.ts";
import type { Fitted } from "../model/fitted.ts";
import type { Encoder } from "../network/ensemble.ts";
import { encoderParameters, encoderStatistics } from "../network/layers.ts";
import { totalSize } from "../network/parameters.ts";
import { Predictor } from "../network/predictor.ts";
import { featureSize } from "../network/shapes.ts";
import type { TrainedValues } from "../network/trained.ts";
import { type EncodedDataset, encodeDataset, hardAssignments } from "./encode-dataset.ts";
import type { FindingOptions, MethodOptions } from "./method.ts";
import { sessionOptions } from "./settings.ts";
import type { TrainingContext } from "./training.ts";

/** Z ← f(X) of all images. */
export async function featuresOf(
  dataset: Images,
  encoder: Encoder,
  trained: TrainedValues,
  options: MethodOptions,
): Promise<Float32Array> {
  const predictor = await Predictor.open(encoder, trained, sessionOptions(options));
  try {
    return (await encodeDataset(dataset, predictor, { signal: options.signal })).features;
  } finally {
    await predictor.close();
  }
}

/** Features (or none, to save memory) and scores of all images; the parameters hold centres. */
export async function scoresOf(
  dataset: Images,
  encoder: Encoder,
  trained: TrainedValues,
  options: MethodOptions & { readonly v?: number; readonly keepFeatures?: boolean },
): Promise<EncodedDataset> {
  const { k, v = 1, keepFeatures = true, signal } = options;
  const predictor = await Predictor.open(encoder, trained, { ...sessionOptions(options), k, v });
  try {
    return await encodeDataset(dataset, predictor, { keepFeatures, signal });
  } finally {
    await predictor.close();
  }
}

export interface FeatureClusters {
  /** μ [k, d]. */
  readonly centres: Float32Array;
  /** The cluster of each image; −1 where that is open. */
  readonly labels: Int32Array;
}

/** μ ← the centres of k-means on Z. */
export async function clusterFeatures(
  features: Float32Array,
  size: number,
  { k, seed = 0, restarts = 20, signal, ...options }: FindingOptions,
): Promise<FeatureClusters> {
  return kMeans(matrix(features, size, "features"), {
    k,
    seed,
    restarts,
    ...sessionOptions(options),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** The clusters of the features that joint training starts from; a phase of its own. */
export async function initialClusters(
  architecture: Encoder,
  trained: TrainedValues,
  { dataset, course, options }: TrainingContext,
  find: typeof clusterFeatures = clusterFeatures,
  name = "centres",
): Promise<FeatureClusters> {
  const { centres, labels } = await course.phase(name, async () => {
    const features = await featuresOf(dataset, architecture, trained, options);
    const found = await find(features, featureSize(architecture), options);
    return { centres: found.centres, labels: Float32Array.from(found.labels) };
  });
  return { centres, labels: Int32Array.from(labels) };
}

/** Step 5 of Algorithm 2: θ ← θ_e, μ ← μ_z; what follows the encoder in `trained` is left out. */
export function withCentres(encoder: Encoder, trained: TrainedValues, centres: Float32Array): TrainedValues {
  const size = totalSize(encoderParameters(encoder));
  const parameters = new Float32Array(size + centres.length);
  parameters.set(trained.parameters.subarray(0, size));
  parameters.set(centres, size);
  return { parameters, statistics: trained.statistics.slice(0, totalSize(encoderStatistics(encoder))) };
}

/** What a method has trained: the encoder with its centres. */
export interface Outcome extends Pick<Fitted, "method" | "settings" | "architecture" | "autoEncoder" | "history"> {
  readonly trained: TrainedValues;
  readonly v?: number;
  /** Default: true. */
  readonly converged?: boolean;
}

/** Looks at all images with what was trained. */
export async function fittedWith(dataset: Images, outcome: Outcome, options: MethodOptions): Promise<Fitted> {
  const { trained, v = 1, converged = true, ...rest } = outcome;
  const { features, scores } = await scoresOf(dataset, outcome.architecture, trained, { ...options, v });
  return {
    ...rest,
    ...trained,
    k: options.k,
    v,
    assignments: hardAssignments(scores, options.k),
    scores,
    features,
    converged,
  };
}

/** Features, k-means on them, and the result: how several methods end. */
export async function fittedByKMeans(
  dataset: Images,
  { trained, ...outcome }: Outcome,
  options: MethodOptions,
): Promise<Fitted> {
  const features = await featuresOf(dataset, outcome.architecture, trained, options);
  const { centres } = await clusterFeatures(features, featureSize(outcome.architecture), options);
  return fittedWith(dataset, { ...outcome, trained: withCentres(outcome.architecture, trained, centres) }, options);
}
