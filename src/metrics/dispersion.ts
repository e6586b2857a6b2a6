/** Metrics that compare the spread of clusters around their centroids with the spread of the centroids. */
import { type Matrix, rowOf } from "../numeric/matrix.ts";
import { occurrences } from "./labels.ts";
import { expectPartition } from "./partition.ts";

/** The mean of the largest (σ_i + σ_j) / ‖c_i − c_j‖, σ a cluster's mean distance to its centroid. Lower is better. */
export function daviesBouldin(samples: Matrix, labels: ArrayLike<number>): number {
  const { indices, sizes } = expectPartition(samples, labels, "Davies-Bouldin");
  const centroids = centroidsOf(samples, indices, sizes);
  const spreads = new Float64Array(sizes.length);
  indices.forEach((cluster, row) => {
    spreads[cluster] += Math.sqrt(squaredDistance(rowOf(samples, row), centroids[cluster])) / sizes[cluster];
  });
  return centroids.reduce((sum, _, cluster) => sum + largestOverlap(centroids, spreads, cluster), 0) / sizes.length;
}

/** Clusters whose centroids coincide are not compared, as in scikit-learn. */
function largestOverlap(centroids: readonly Float64Array[], spreads: Float64Array, cluster: number): number {
  let largest = 0;
  centroids.forEach((centroid, other) => {
    const apart = Math.sqrt(squaredDistance(centroid, centroids[cluster]));
    if (apart > 0) largest = Math.max(largest, (spreads[cluster] + spreads[other]) / apart);
  });
  return largest;
}

/**
 * (Σ_j n_j ‖c_j − c‖² / (k − 1)) / (Σ_i ‖x_i − c_j(i)‖² / (n − k)), higher is better; 1 where all samples are at their
 * centroids, as in scikit-learn.
 */
export function calinskiHarabasz(samples: Matrix, labels: ArrayLike<number>): number {
  const { indices, sizes } = expectPartition(samples, labels, "Calinski-Harabasz");
  const centroids = centroidsOf(samples, indices, sizes);
  const everything = new Uint32Array(samples.rows);
  const [mean] = centroidsOf(samples, everything, occurrences(everything, 1));
  const between = centroids.reduce((sum, centroid, j) => sum + sizes[j] * squaredDistance(centroid, mean), 0);
  const within = indices.reduce((sum, j, row) => sum + squaredDistance(rowOf(samples, row), centroids[j]), 0);
  return within === 0 ? 1 : (between * (samples.rows - sizes.length)) / (within * (sizes.length - 1));
}

function centroidsOf(samples: Matrix, clusters: Uint32Array, sizes: Uint32Array): Float64Array[] {
  const centroids = Array.from(sizes, () => new Float64Array(samples.columns));
  clusters.forEach((cluster, row) => {
    const centroid = centroids[cluster];
    const sample = rowOf(samples, row);
    for (let d = 0; d < sample.length; d++) centroid[d] += sample[d];
  });
  return centroids.map((centroid, cluster) => centroid.map((sum) => sum / sizes[cluster]));
}

function squaredDistance(a: Float32Array | Float64Array, b: Float64Array): number {
  let squares = 0;
  for (let d = 0; d < b.length; d++) squares += (a[d] - b[d]) ** 2;
  return squares;
}
