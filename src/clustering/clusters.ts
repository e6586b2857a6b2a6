/** k clusters of features, by any method: k-means here, the neighbour graph in `graph-clusters.ts`. */
import { type SharedOptions, sharedOptions } from "../engine/ranks/collective.ts";
import type { Matrix } from "../numeric/matrix.ts";
import { kMeans } from "./k-means.ts";
import type { SampleConstraints } from "./sample-constraints.ts";

/** All that finding clusters and choosing among them may know: true classes are not part of it. */
export interface ClusterOptions extends SharedOptions {
  /** Number of clusters. */
  readonly k: number;
  /** The seed of everything random. Default: 0. */
  readonly seed?: number;
  /** Starts of k-means, of which the best is kept. Default: 20. */
  readonly restarts?: number;
  /** The same samples as each of several encoders sees them; the neighbour graph of each counts. Default: none. */
  readonly views?: readonly Matrix[];
  /** What people have said of samples; the clusters of the neighbour graph go with it. Default: nothing. */
  readonly constraints?: SampleConstraints;
  readonly signal?: AbortSignal;
}

export interface Clusters {
  /** μ [k, d]. */
  readonly centres: Float32Array;
  /** The cluster of each sample; −1 where it is undecided. */
  readonly labels: Int32Array;
}

export type FindClusters = (features: Matrix, options: ClusterOptions) => Promise<Clusters>;

/** μ ← the centres of k-means on Z. */
export const kMeansClusters: FindClusters = (features, { k, seed = 0, restarts = 20, signal, ...options }) =>
  kMeans(features, {
    k,
    seed,
    restarts,
    ...sharedOptions(options),
    ...(signal === undefined ? {} : { signal }),
  });
