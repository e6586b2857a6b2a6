/** What methods end with: an encoder, centres, and what the two say of the images. */
import { kMeansClusters } from "../../clustering/clusters.ts";
import type { Images } from "../../images/dataset.ts";
import type { Encoder } from "../../network/ensemble.ts";
import { encoderParameters, encoderStatistics } from "../../network/layers.ts";
import { totalSize } from "../../network/parameters.ts";
import type { TrainedValues } from "../../network/trained.ts";
import type { Fitted } from "../../runs/fitted.ts";
import type { MethodOptions } from "../method.ts";
import { hardAssignments } from "./assignments.ts";
import { featuresOf, scoresOf } from "./features.ts";

/** θ and μ as one: the encoder's part of `trained`, then the centres; what follows the encoder is left out. */
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
  const { centres } = await kMeansClusters(features, options);
  return fittedWith(dataset, { ...outcome, trained: withCentres(outcome.architecture, trained, centres) }, options);
}
