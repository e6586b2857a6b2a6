/** The silhouette (Rousseeuw, 1987): how much nearer samples are to their own cluster than to the next one. */
import { InputError } from "../files/errors.ts";
import { type Matrix, selectRows } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { occurrences } from "./labels.ts";
import { expectPartition } from "./partition.ts";

export interface SilhouetteOptions {
  /** How many samples are drawn, since the cost grows with their square; exact if that is all. Default: 2000. */
  readonly sampleSize?: number;
  /** The seed of the draw. Default: 0. */
  readonly seed?: number;
}

/** From −1 to 1, the higher the better: the mean over the samples of (b − a) / max(a, b). */
export function silhouette(
  samples: Matrix,
  labels: ArrayLike<number>,
  { sampleSize = 2000, seed = 0 }: SilhouetteOptions = {},
): number {
  if (!Number.isInteger(sampleSize) || sampleSize < 2)
    throw new InputError(`silhouette: sampleSize must be a whole number from 2, not ${sampleSize}`);
  const { indices, sizes } = expectPartition(samples, labels, "silhouette");
  if (sampleSize >= samples.rows) return meanSilhouette(samples, indices, sizes);
  const drawn = new Random(seed, "silhouette").permutation(samples.rows).subarray(0, sampleSize);
  const drawnIndices = drawn.map((row) => indices[row]);
  const drawnSizes = occurrences(drawnIndices, sizes.length);
  if (drawnSizes.includes(sampleSize))
    throw new InputError(`silhouette: all ${sampleSize} samples drawn are of one cluster; use a larger sampleSize`);
  return meanSilhouette(selectRows(samples, drawn), drawnIndices, drawnSizes);
}

function meanSilhouette(samples: Matrix, clusters: Uint32Array, sizes: Uint32Array): number {
  const sums = new Float64Array(sizes.length);
  let total = 0;
  for (let row = 0; row < samples.rows; row++) {
    sums.fill(0);
    for (let other = 0; other < samples.rows; other++) sums[clusters[other]] += distance(samples, row, other);
    total += widthFrom(sums, sizes, clusters[row]);
  }
  return total / samples.rows;
}

/** (b − a) / max(a, b) of a sample, from its distances to all samples, summed by cluster; 0 if alone in its cluster. */
function widthFrom(sums: Float64Array, sizes: Uint32Array, own: number): number {
  if (sizes[own] === 1) return 0;
  const a = sums[own] / (sizes[own] - 1);
  let b = Number.POSITIVE_INFINITY;
  for (let cluster = 0; cluster < sizes.length; cluster++)
    if (cluster !== own && sizes[cluster] > 0) b = Math.min(b, sums[cluster] / sizes[cluster]);
  return a === b ? 0 : (b - a) / Math.max(a, b);
}

function distance({ values, columns }: Matrix, row: number, other: number): number {
  const start = row * columns;
  const otherStart = other * columns;
  let squares = 0;
  for (let d = 0; d < columns; d++) {
    const difference = values[start + d] - values[otherStart + d];
    squares += difference * difference;
  }
  return Math.sqrt(squares);
}
