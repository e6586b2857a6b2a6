/**
 * Label propagation over nearest neighbours (Zhu & Ghahramani, 2002), as scikit-learn's LabelPropagation(kernel="knn",
 * n_neighbors=7) does it: a sample is the first of its own seven, and what is known stays.
 */
import type { Neighbours } from "../../clustering/neighbours.ts";

export interface PropagationOptions {
  readonly k: number;
  /** Default: 1000. */
  readonly maxIterations?: number;
  /** Stop when all shares together have changed by less. Default: 0.001. */
  readonly tolerance?: number;
}

/** Beside the sample itself. */
export const propagationNeighbours = 6;

/** The share of each cluster in each sample [samples, k]; nothing but zeros where no label arrives. */
export function propagateLabels(
  neighbours: Neighbours,
  known: Int32Array,
  { k, maxIterations = 1000, tolerance = 1e-3 }: PropagationOptions,
): Float64Array {
  let shares = new Float64Array(known.length * k);
  known.forEach((cluster, sample) => {
    if (cluster >= 0) shares[sample * k + cluster] = 1;
  });
  let next = shares.slice();
  for (let iteration = 0; iteration < maxIterations; iteration++) {
    let change = 0;
    for (let sample = 0; sample < known.length; sample++)
      if (known[sample] < 0) change += gather(neighbours, shares, sample, next.subarray(sample * k, (sample + 1) * k));
    [shares, next] = [next, shares];
    if (change < tolerance) break;
  }
  return shares;
}

/** What the sample and its neighbours have, as shares; returns how much that differs from what the sample had. */
function gather({ neighbours, indices }: Neighbours, shares: Float64Array, sample: number, row: Float64Array): number {
  const k = row.length;
  row.set(shares.subarray(sample * k, (sample + 1) * k));
  for (let place = sample * neighbours; place < (sample + 1) * neighbours; place++) {
    const from = indices[place] * k;
    for (let j = 0; j < k; j++) row[j] += shares[from + j];
  }
  const total = row.reduce((sum, share) => sum + share, 0);
  let change = 0;
  for (let j = 0; j < k; j++) {
    if (total > 0) row[j] /= total;
    change += Math.abs(row[j] - shares[sample * k + j]);
  }
  return change;
}

/** The cluster with the largest share in each sample; −1 where no label arrives. */
export function largestShares(shares: Float64Array, k: number): Int32Array {
  return Int32Array.from({ length: shares.length / k }, (_, sample) => {
    const row = shares.subarray(sample * k, (sample + 1) * k);
    const largest = row.reduce((most, share) => Math.max(most, share), 0);
    return largest > 0 ? row.indexOf(largest) : -1;
  });
}
