/**
 * k-means: k-means++ starts (Arthur & Vassilvitskii, greedy as in scikit-learn) and Lloyd's iterations.
 *
 * All restarts run side by side: the distances of all samples to the centres of all restarts are one matrix product,
 * large enough to keep the processor busy, where a single restart would wait for memory. Samples are centred first, so
 * that the products lose no digits; sums, shifts and inertia are in double precision. Ranks have some of the samples
 * each, and add up sums and counts.
 */

import { joined, type SharedOptions } from "../engine/ranks/collective.ts";
import { InputError } from "../files/errors.ts";
import { type Matrix, rowOf } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { lloyd, type Partition } from "./lloyd.ts";
import { plusPlusCentres } from "./plus-plus.ts";
import { BlockRunner } from "./sample-blocks.ts";
import { centreShared, type SharedSamples, sharedOut, sharedSum } from "./shared-samples.ts";

export interface KMeansOptions extends SharedOptions {
  /** Number of clusters. */
  readonly k: number;
  /** Starts, of which the one with the lowest inertia wins. Default: 10; 1 where centres are given. */
  readonly restarts?: number;
  /** Default: 0. */
  readonly seed?: number;
  /** Default: 300. */
  readonly maxIterations?: number;
  /**
   * Stop when the squared shifts of the centres sum to no more than this share of the samples' mean variance; with 0,
   * when no sample changes its cluster. Default: 1e-4.
   */
  readonly tolerance?: number;
  /** Start from these centres [k, columns] instead. */
  readonly centres?: Float32Array;
  readonly signal?: AbortSignal;
}

export interface KMeansResult {
  /** [k, columns]. */
  readonly centres: Float32Array;
  /** The nearest centre of each sample. */
  readonly labels: Int32Array;
  /** The sum of squared distances of samples to their centres. */
  readonly inertia: number;
  /** Iterations of the winning start. */
  readonly iterations: number;
  /** Iterations of all starts together. */
  readonly totalIterations: number;
}

/** Of samples that every rank has, where there are several: each takes some of them. */
export const kMeans = (samples: Matrix, { collective, ...options }: KMeansOptions): Promise<KMeansResult> =>
  sharedKMeans(sharedOut(samples, collective), options);

/** Of samples that each rank has some of. The result is the same on all of them, the labels of all samples included. */
export async function sharedKMeans(
  samples: SharedSamples,
  options: Omit<KMeansOptions, "collective">,
): Promise<KMeansResult> {
  const { k, seed = 0, maxIterations = 300, tolerance = 1e-4, centres, signal, ...sessionOptions } = options;
  const { columns } = samples.own;
  const restarts = options.restarts ?? (centres === undefined ? 10 : 1);
  expectOptions(samples, { k, restarts, maxIterations, tolerance, ...(centres === undefined ? {} : { centres }) });
  const { shared, mean, meanVariance } = centreShared(samples);
  const runner = new BlockRunner(shared.own, sessionOptions);
  try {
    const starts =
      centres === undefined
        ? await plusPlusCentres(runner, shared, { k, randoms: restartRandoms(seed, restarts), signal })
        : [Float64Array.from(centres, (value, index) => value - mean[index % columns])];
    const partitions = await lloyd(runner, shared, starts, { maxIterations, shift: tolerance * meanVariance, signal });
    return finish(partitions, shared, mean);
  } finally {
    await runner.close();
  }
}

/** A separate stream per restart, so that the restarts of a shorter run are among those of a longer one. */
const restartRandoms = (seed: number, restarts: number): Random[] =>
  Array.from({ length: restarts }, (_, restart) => new Random(seed, `k-means++ ${restart}`));

/** The sum of squared distances of samples to the centres of their labels. */
function inertiaOf(samples: Matrix, centres: Float64Array, labels: Int32Array): number {
  let total = 0;
  labels.forEach((label, row) => {
    const sample = rowOf(samples, row);
    const offset = label * samples.columns;
    for (let d = 0; d < sample.length; d++) total += (sample[d] - centres[offset + d]) ** 2;
  });
  return total;
}

function finish(partitions: readonly Partition[], samples: SharedSamples, mean: Float64Array): KMeansResult {
  const best = partitions.reduce((a, b) => (b.inertia < a.inertia ? b : a));
  return {
    centres: Float32Array.from(best.centres, (value, index) => value + mean[index % mean.length]),
    labels: joined(best.labels, samples.collective),
    inertia: sharedSum(inertiaOf(samples.own, best.centres, best.labels), samples),
    iterations: best.iterations,
    totalIterations: partitions.reduce((total, { iterations }) => total + iterations, 0),
  };
}

function expectOptions(
  { own, first, rows }: SharedSamples,
  options: Required<Pick<KMeansOptions, "k" | "restarts" | "maxIterations" | "tolerance">> & {
    centres?: Float32Array;
  },
): void {
  const { k, tolerance, centres } = options;
  for (const name of ["k", "restarts", "maxIterations"] as const)
    if (!Number.isInteger(options[name]) || options[name] < 1)
      throw new InputError(`k-means: ${name} must be a whole number from 1, not ${options[name]}`);
  if (k > rows) throw new InputError(`k-means: k = ${k} is more than the number of samples, ${rows}`);
  if (!(tolerance >= 0)) throw new InputError(`k-means: tolerance must be 0 or more, not ${tolerance}`);
  if (centres !== undefined && centres.length !== k * own.columns)
    throw new InputError(
      `k-means: the given centres have ${centres.length} values; ${k} of ${own.columns} columns are ${k * own.columns}`,
    );
  if (centres?.some((value) => !Number.isFinite(value))) throw new InputError("k-means: a given centre is not finite");
  const bad = own.values.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0)
    throw new InputError(`k-means: sample ${first + Math.floor(bad / own.columns)} holds ${own.values[bad]}`);
}
