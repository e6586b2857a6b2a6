/**
 * A Gaussian mixture whose components share one covariance, by expectation maximization. Where k-means measures all
 * directions alike, the mixture finds out in which ones clusters are wide: those say little about what belongs together.
 */
import { choleskyFactor, choleskySolve } from "../numeric/cholesky.ts";
import { type Matrix, selectRows } from "../numeric/matrix.ts";
import type { Random } from "../numeric/random.ts";
import { simpleKMeans } from "./simple-k-means.ts";

export interface MixtureOptions {
  readonly k: number;
  /** The first columns of the samples are all that is looked at. Default: all. */
  readonly columns?: number;
  /** Rounds of expectation and maximization, unless responsibilities settle before. Default: 50. */
  readonly rounds?: number;
}

export interface Mixture {
  /** [rows, k]: how probable each component is for each sample. */
  readonly responsibilities: Float32Array;
  /** [columns, columns]: the covariance of all components. */
  readonly covariance: Float64Array;
  readonly columns: number;
}

/** The share of a round sphere in the covariance: there are seldom enough samples for all of its numbers. */
const shrinkage = 0.05;

/** Responsibilities that change by less have settled. */
const settled = 1e-3;

/** From clusters by k-means, which begins with centres at random. */
export function mixtureFromRandom(samples: Matrix, random: Random, options: MixtureOptions): Mixture {
  const { k, columns = samples.columns } = options;
  return mixtureFrom(samples, simpleKMeans(samples, { k, columns, random }), options);
}

/** From the cluster of each sample; those with the label −1 have no say at first. */
export function mixtureFrom(samples: Matrix, labels: Int32Array, options: MixtureOptions): Mixture {
  const { k, columns = samples.columns, rounds = 50 } = options;
  const { rows } = samples;
  // Components are taken away from the covariance of those samples that they are made of: at first, not of all.
  const known = labels.includes(-1) ? selectRows(samples, labelledRows(labels)) : samples;
  let total = momentsOf(known, columns);
  let responsibilities: Float32Array = new Float32Array(rows * k);
  labels.forEach((label, row) => {
    if (label >= 0) responsibilities[row * k + label] = 1;
  });
  let covariance: Float64Array = total.covariance;
  for (let round = 0; round < rounds; round++) {
    if (round === 1 && known !== samples) total = momentsOf(samples, columns);
    const components = componentsOf(samples, responsibilities, { k, columns, mean: total.mean });
    covariance = withinComponents(total, components, columns);
    const next = expectation(samples, components, { k, columns, mean: total.mean, covariance });
    const change = largestChange(responsibilities, next);
    responsibilities = next;
    if (change < settled) break;
  }
  return { responsibilities, covariance, columns };
}

const labelledRows = (labels: Int32Array): number[] => [...labels.keys()].filter((row) => labels[row] >= 0);

/** The logarithm of the determinant of its covariance: the less, the likelier the samples are. */
export function logVolume({ covariance, columns }: Mixture): number {
  const factor = choleskyFactor(covariance, columns);
  let total = 0;
  for (let d = 0; d < columns; d++) total += 2 * Math.log(factor[d * columns + d]);
  return total;
}

interface Sizes {
  readonly k: number;
  readonly columns: number;
  readonly mean: Float64Array;
}

interface Components {
  /** The share of the samples. */
  readonly shares: Float64Array;
  /** [k, columns], around the mean of all samples. */
  readonly means: Float64Array;
}

interface Moments {
  readonly mean: Float64Array;
  /** [columns, columns], around the mean. */
  readonly covariance: Float64Array;
}

function momentsOf({ rows, columns: stride, values }: Matrix, columns: number): Moments {
  const mean = new Float64Array(columns);
  for (let row = 0; row < rows; row++) for (let d = 0; d < columns; d++) mean[d] += values[row * stride + d] / rows;
  const covariance = new Float64Array(columns * columns);
  const centred = new Float64Array(columns);
  for (let row = 0; row < rows; row++) {
    for (let d = 0; d < columns; d++) centred[d] = values[row * stride + d] - mean[d];
    for (let a = 0; a < columns; a++)
      for (let b = 0; b <= a; b++) covariance[a * columns + b] += (centred[a] * centred[b]) / rows;
  }
  for (let a = 0; a < columns; a++)
    for (let b = 0; b < a; b++) covariance[b * columns + a] = covariance[a * columns + b];
  return { mean, covariance };
}

/** The maximization of shares and means. */
function componentsOf(
  { rows, columns: stride, values }: Matrix,
  responsibilities: Float32Array,
  sizes: Sizes,
): Components {
  const { k, columns, mean } = sizes;
  const shares = new Float64Array(k);
  const means = new Float64Array(k * columns);
  for (let row = 0; row < rows; row++)
    for (let j = 0; j < k; j++) {
      const weight = responsibilities[row * k + j];
      if (weight < negligible) continue;
      shares[j] += weight;
      for (let d = 0; d < columns; d++) means[j * columns + d] += weight * (values[row * stride + d] - mean[d]);
    }
  const all = shares.reduce((sum, share) => sum + share, 0);
  for (let j = 0; j < k; j++) {
    for (let d = 0; d < columns; d++) means[j * columns + d] /= shares[j] || 1;
    shares[j] /= all;
  }
  return { shares, means };
}

/** Smaller responsibilities change nothing. */
const negligible = 1e-6;

/** Less than this share of the samples' squares is rounding: of samples that are all the same, nothing else is left. */
const rounding = 1e-12;

/** What is left of the covariance of all samples within the components, drawn a little towards a sphere. */
function withinComponents(total: Moments, { shares, means }: Components, columns: number): Float64Array {
  const within = total.covariance.slice();
  shares.forEach((share, j) => {
    const mean = means.subarray(j * columns, (j + 1) * columns);
    for (let a = 0; a < columns; a++)
      for (let b = 0; b < columns; b++) within[a * columns + b] -= share * mean[a] * mean[b];
  });
  let trace = 0;
  for (let d = 0; d < columns; d++) trace += within[d * columns + d];
  const squares = total.mean.reduce((sum, value, d) => sum + value ** 2 + total.covariance[d * (columns + 1)], 0);
  const sphere = Math.max(trace, rounding * squares || 1) / columns;
  for (let place = 0; place < within.length; place++) {
    within[place] *= 1 - shrinkage;
    if (place % (columns + 1) === 0) within[place] += shrinkage * sphere;
  }
  return within;
}

/** With one covariance Σ the log-probabilities are linear: x·Σ⁻¹m − m·Σ⁻¹m / 2 + log share, and the same for all j. */
function expectation(
  { rows, columns: stride, values }: Matrix,
  { shares, means }: Components,
  { k, columns, mean, covariance }: Sizes & { readonly covariance: Float64Array },
): Float32Array {
  const factor = choleskyFactor(covariance, columns);
  const slopes = means.slice();
  const offsets = new Float64Array(k);
  for (let j = 0; j < k; j++) {
    choleskySolve(factor, columns, slopes, j * columns);
    // Each component counts as if it had one sample more, so that none vanishes for good.
    offsets[j] = Math.log((shares[j] * rows + 1) / (rows + k));
    for (let d = 0; d < columns; d++) offsets[j] -= slopes[j * columns + d] * (means[j * columns + d] / 2 + mean[d]);
  }
  const responsibilities = new Float32Array(rows * k);
  const scores = new Float64Array(k);
  for (let row = 0; row < rows; row++) {
    for (let j = 0; j < k; j++) {
      let score = offsets[j];
      for (let d = 0; d < columns; d++) score += slopes[j * columns + d] * values[row * stride + d];
      scores[j] = score;
    }
    softmaxInto(scores, responsibilities, row * k);
  }
  return responsibilities;
}

function softmaxInto(scores: Float64Array, target: Float32Array, offset: number): void {
  const largest = scores.reduce((a, b) => Math.max(a, b));
  let total = 0;
  for (let j = 0; j < scores.length; j++) {
    scores[j] = Math.exp(scores[j] - largest);
    total += scores[j];
  }
  for (let j = 0; j < scores.length; j++) target[offset + j] = scores[j] / total;
}

function largestChange(before: Float32Array, after: Float32Array): number {
  let largest = 0;
  for (let place = 0; place < after.length; place++)
    largest = Math.max(largest, Math.abs(after[place] - before[place]));
  return largest;
}
