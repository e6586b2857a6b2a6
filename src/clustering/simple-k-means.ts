/**
 * k-means from one start, in few rounds, on the spot: for the many rough clusterings that others are made of. Results
 * that stand for themselves come from `k-means.ts`.
 */
import type { Matrix } from "../numeric/matrix.ts";
import type { Random } from "../numeric/random.ts";

export interface SimpleKMeansOptions {
  readonly k: number;
  readonly random: Random;
  /** The first columns of the samples are all that is looked at. Default: all. */
  readonly columns?: number;
}

/** Further ones change little. */
const rounds = 10;

/** The cluster of each sample. */
export function simpleKMeans(samples: Matrix, options: SimpleKMeansOptions): Int32Array {
  const { k, random, columns = samples.columns } = options;
  const { rows, columns: stride, values } = samples;
  const centres = seeds(samples, { k, columns, random });
  const labels = new Int32Array(rows);
  for (let round = 0; round < rounds; round++) {
    for (let row = 0; row < rows; row++) labels[row] = nearest(samples, row, centres, { k, columns });
    const counts = new Uint32Array(k);
    for (const label of labels) counts[label]++;
    for (let j = 0; j < k; j++) if (counts[j] > 0) centres.fill(0, j * columns, (j + 1) * columns);
    for (let row = 0; row < rows; row++) {
      const j = labels[row];
      for (let d = 0; d < columns; d++) centres[j * columns + d] += values[row * stride + d] / counts[j];
    }
  }
  return labels;
}

/** Drawn among the samples, with a chance proportional to the squared distance to those drawn before. */
function seeds(samples: Matrix, { k, columns, random }: Required<SimpleKMeansOptions>): Float64Array {
  const { rows, columns: stride, values } = samples;
  const centres = new Float64Array(k * columns);
  const distances = new Float64Array(rows).fill(Number.POSITIVE_INFINITY);
  let chosen = random.integer(rows);
  for (let j = 0; j < k; j++) {
    const centre = centres.subarray(j * columns, (j + 1) * columns);
    for (let d = 0; d < columns; d++) centre[d] = values[chosen * stride + d];
    let total = 0;
    for (let row = 0; row < rows; row++) {
      distances[row] = Math.min(distances[row], squaredDistance(samples, row, centre));
      total += distances[row];
    }
    let left = random.uniform() * total;
    chosen = 0;
    while (chosen < rows - 1 && left >= distances[chosen]) left -= distances[chosen++];
  }
  return centres;
}

function nearest(
  samples: Matrix,
  row: number,
  centres: Float64Array,
  { k, columns }: { readonly k: number; readonly columns: number },
): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let j = 0; j < k; j++) {
    const distance = squaredDistance(samples, row, centres.subarray(j * columns, (j + 1) * columns));
    if (distance < least) [best, least] = [j, distance];
  }
  return best;
}

function squaredDistance({ columns: stride, values }: Matrix, row: number, centre: Float64Array): number {
  let total = 0;
  for (let d = 0; d < centre.length; d++) total += (values[row * stride + d] - centre[d]) ** 2;
  return total;
}
