/**
 * The affinities of t-SNE (van der Maaten & Hinton, 2008): p(j|i) falls with the distance like a Gaussian whose width
 * gives every sample the same effective number of neighbours, the perplexity. Only the nearest neighbours count (van
 * der Maaten, 2014).
 */
import type { Neighbours } from "../clustering/neighbours.ts";
import { pause } from "../engine/pause.ts";

/** p_ij = p_ji where it is not zero, each pair once. Over all ordered pairs they sum to 1. */
export interface Affinities {
  readonly rows: number;
  /** [rows + 1]: the pairs of sample i with later ones are those from starts[i] up to starts[i + 1]. */
  readonly starts: Uint32Array;
  /** The other sample of each pair. */
  readonly others: Uint32Array;
  readonly values: Float64Array;
}

export interface AffinityOptions {
  readonly perplexity: number;
  readonly signal?: AbortSignal | undefined;
}

/** Rows between two pauses that let other work run, which may abort this one. */
const rowsPerPause = 2000;

export async function affinities(nearest: Neighbours, { perplexity, signal }: AffinityOptions): Promise<Affinities> {
  const { neighbours, indices, squaredDistances } = nearest;
  const conditional = new Float64Array(indices.length);
  for (let start = 0; start < indices.length; start += neighbours) {
    if (start % (rowsPerPause * neighbours) === 0) {
      await pause();
      signal?.throwIfAborted();
    }
    const end = start + neighbours;
    fitGaussian(squaredDistances.subarray(start, end), Math.log(perplexity), conditional.subarray(start, end));
  }
  return joint(nearest, conditional);
}

const mostSteps = 100;
const entropyTolerance = 1e-5;

/**
 * p_j ∝ exp(−precision · d_j²) with the precision at which it has the wanted entropy, found by bisection. Where even
 * the narrowest Gaussian is too wide, as among coinciding samples, it is the last one tried.
 */
function fitGaussian(squares: Float32Array, wantedEntropy: number, probabilities: Float64Array): void {
  // In units of the mean distance, the bisection can start at 1 whatever the samples' scale.
  const unit = meanExcess(squares) || 1;
  let [low, high] = [0, Number.POSITIVE_INFINITY];
  let precision = 1;
  for (let step = 0; step < mostSteps; step++) {
    const excess = entropyAt(precision / unit, squares, probabilities) - wantedEntropy;
    if (Math.abs(excess) <= entropyTolerance) return;
    if (excess > 0) low = precision;
    else high = precision;
    precision = high === Number.POSITIVE_INFINITY ? 2 * precision : (low + high) / 2;
  }
}

/** The mean difference between the squared distances and the smallest, which comes first. */
function meanExcess(squares: Float32Array): number {
  let total = 0;
  for (const square of squares) total += square - squares[0];
  return total / squares.length;
}

/** Fills in the probabilities; returns their entropy. Distances are taken from the smallest, which changes neither. */
function entropyAt(precision: number, squares: Float32Array, probabilities: Float64Array): number {
  let total = 0;
  let weighted = 0;
  for (let j = 0; j < squares.length; j++) {
    const exponent = precision * (squares[j] - squares[0]);
    const probability = Math.exp(-exponent);
    probabilities[j] = probability;
    total += probability;
    // Where the probability is zero, the exponent may be infinite.
    if (probability > 0) weighted += probability * exponent;
  }
  for (let j = 0; j < squares.length; j++) probabilities[j] /= total;
  return Math.log(total) + weighted / total;
}

/** p_ij = (p(j|i) + p(i|j)) / 2n. */
function joint({ neighbours, indices }: Neighbours, conditional: Float64Array): Affinities {
  const rows = indices.length / neighbours;
  const scale = 1 / (2 * rows);
  const { starts, places } = sortByFirst(indices, neighbours);
  const others = new Uint32Array(indices.length);
  const values = new Float64Array(indices.length);
  // Where the pair of the current sample with each later one was written.
  const written = new Int32Array(rows).fill(-1);
  const merged = new Uint32Array(rows + 1);
  let count = 0;
  for (let row = 0; row < rows; row++) {
    for (let i = starts[row]; i < starts[row + 1]; i++) {
      const place = places[i];
      const other = Math.max(indices[place], Math.floor(place / neighbours));
      if (written[other] < merged[row]) {
        written[other] = count++;
        others[written[other]] = other;
      }
      values[written[other]] += conditional[place] * scale;
    }
    merged[row + 1] = count;
  }
  return { rows, starts: merged, others: others.slice(0, count), values: values.slice(0, count) };
}

/** The places of all neighbour relations, sorted by the first of the two samples. */
function sortByFirst(indices: Uint32Array, neighbours: number): { starts: Uint32Array; places: Uint32Array } {
  const rows = indices.length / neighbours;
  const first = (place: number): number => Math.min(indices[place], Math.floor(place / neighbours));
  const starts = new Uint32Array(rows + 1);
  for (let place = 0; place < indices.length; place++) starts[first(place) + 1]++;
  for (let row = 0; row < rows; row++) starts[row + 1] += starts[row];
  const next = starts.slice();
  const places = new Uint32Array(indices.length);
  for (let place = 0; place < indices.length; place++) places[next[first(place)]++] = place;
  return { starts, places };
}
