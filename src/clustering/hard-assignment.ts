/** The two steps of Lloyd's algorithm for a few short features; `lloyd.ts` handles many. */

/** The nearest of the centres [k, d] to a sample of d values. */
export function nearestCentre(sample: Float32Array, centres: Float32Array): number {
  const d = sample.length;
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let start = 0; start < centres.length; start += d) {
    let distance = 0;
    for (let i = 0; i < d; i++) distance += (sample[i] - centres[start + i]) ** 2;
    if (distance < least) [best, least] = [start / d, distance];
  }
  return best;
}

/** The nearest centre of each row of features [samples, d]. */
export function nearestCentres(features: Float32Array, d: number, centres: Float32Array): Int32Array {
  return Int32Array.from({ length: features.length / d }, (_, row) =>
    nearestCentre(features.subarray(row * d, (row + 1) * d), centres),
  );
}

/** The mean of each cluster's features; a cluster that has none keeps its centre. */
export function meansOf(features: Float32Array, d: number, labels: Int32Array, before: Float32Array): Float32Array {
  const sums = new Float64Array(before.length);
  const counts = new Uint32Array(before.length / d);
  labels.forEach((label, row) => {
    counts[label]++;
    for (let i = 0; i < d; i++) sums[label * d + i] += features[row * d + i];
  });
  return Float32Array.from(sums, (sum, index) => {
    const count = counts[Math.floor(index / d)];
    return count === 0 ? before[index] : sum / count;
  });
}
