/**
 * t-SNE (van der Maaten & Hinton, 2008): a map in the plane that places each sample near its neighbours.
 *
 * The schedule is the usual one: 250 iterations of exaggerated attraction, in which groups form, then iterations with
 * the true attraction.
 */
import { nearestNeighbours } from "../clustering/neighbours.ts";
import { pause } from "../engine/pause.ts";
import type { SessionOptions } from "../engine/session.ts";
import { InputError } from "../files/errors.ts";
import { type Matrix, matrix } from "../numeric/matrix.ts";
import { affinities } from "./affinities.ts";
import { Descent } from "./descent.ts";
import { TsneGradient } from "./gradient.ts";
import { initialMap, type TsneInitialization } from "./initial-map.ts";

export interface TsneOptions extends SessionOptions {
  /** The effective number of neighbours of a sample; lowered where samples are few. Default: 30. */
  readonly perplexity?: number;
  /** Default: 1000. */
  readonly iterations?: number;
  /** How much stronger attraction is in the first 250 iterations. Default: 12. */
  readonly earlyExaggeration?: number;
  /** Default: the number of samples over four times the early exaggeration, but at least 50. */
  readonly learningRate?: number;
  /** The initial map: principal components, random numbers, or a given map [rows, 2]. Default: "pca". */
  readonly initialization?: TsneInitialization;
  /** Default: 0. */
  readonly seed?: number;
  readonly signal?: AbortSignal | undefined;
  /** Called after each iteration. */
  readonly onProgress?: (iteration: number, iterations: number) => void;
}

export interface TsneResult {
  /** [rows, 2]. */
  readonly embedding: Float32Array;
  /** The Kullback-Leibler divergence of the map from the samples. */
  readonly divergence: number;
  /** Fewer than requested if the map converged before. */
  readonly iterations: number;
}

const earlyIterations = 250;
/** A map whose gradient is no longer than this has converged. */
const smallestGradient = 1e-7;
const patience = 50;

export async function tsne(samples: Matrix, options: TsneOptions = {}): Promise<TsneResult> {
  const { perplexity = 30, iterations = 1000, earlyExaggeration = 12, learningRate, ...others } = options;
  const { initialization = "pca", seed = 0, signal, onProgress, ...sessionOptions } = others;
  const { rows } = matrix(samples.values, samples.columns, "t-SNE");
  const rate = learningRate ?? Math.max(rows / earlyExaggeration / 4, 50);
  expectOptions({ perplexity, iterations, earlyExaggeration, learningRate: rate });
  const map = await initialMap(samples, { initialization, seed, signal, ...sessionOptions });
  if (rows === 1) return { embedding: Float32Array.from(map), divergence: 0, iterations: 0 };
  const neighbours = Math.min(rows - 1, Math.floor(3 * perplexity + 1));
  const nearest = await nearestNeighbours(samples, { neighbours, signal, ...sessionOptions });
  const near = await affinities(nearest, { perplexity: Math.min(perplexity, Math.max(1, (rows - 1) / 3)), signal });
  const gradient = new TsneGradient(near, sessionOptions);
  const common = { rate, signal, onIteration: (iteration: number) => onProgress?.(iteration, iterations) };
  try {
    const early = {
      from: 0,
      to: Math.min(iterations, earlyIterations),
      exaggeration: earlyExaggeration,
      momentum: 0.5,
    };
    const from = await descend(map, gradient, { ...early, ...common });
    const late = { from, to: iterations, exaggeration: 1, momentum: 0.8 };
    const done = await descend(map, gradient, { ...late, ...common });
    return { embedding: Float32Array.from(map), divergence: await gradient.divergence(map), iterations: done };
  } finally {
    await gradient.close();
  }
}

interface Span {
  /** Iterations done before the span and after it. */
  readonly from: number;
  readonly to: number;
  readonly exaggeration: number;
  readonly momentum: number;
  readonly rate: number;
  readonly signal: AbortSignal | undefined;
  readonly onIteration: (iteration: number) => void;
}

/** Moves the points of the map; returns the number of iterations done. */
async function descend(map: Float64Array, gradient: TsneGradient, span: Span): Promise<number> {
  const { from, to, exaggeration, momentum, rate, signal, onIteration } = span;
  const descent = new Descent(map.length);
  for (let iteration = from + 1; iteration <= to; iteration++) {
    // Lets other work run, which may abort this one.
    await pause();
    signal?.throwIfAborted();
    await gradient.find(map, exaggeration);
    descent.move(map, gradient.values, { rate, momentum });
    onIteration(iteration);
    const length = lengthOf(gradient.values);
    if (!Number.isFinite(length)) throw new InputError("t-SNE: the map grew without bound; lower learningRate");
    // Points that start at the same place take some iterations to move apart.
    if (length <= smallestGradient && iteration >= from + patience) return iteration;
  }
  return to;
}

function lengthOf(vector: Float64Array): number {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += vector[i] * vector[i];
  return Math.sqrt(squares);
}

function expectOptions(
  options: Required<Pick<TsneOptions, "perplexity" | "iterations" | "earlyExaggeration" | "learningRate">>,
): void {
  const { perplexity, iterations, earlyExaggeration, learningRate } = options;
  if (!(perplexity >= 1 && perplexity < Number.POSITIVE_INFINITY))
    throw new InputError(`t-SNE: perplexity must be a number from 1, not ${perplexity}`);
  if (!Number.isInteger(iterations) || iterations < 1)
    throw new InputError(`t-SNE: iterations must be a whole number from 1, not ${iterations}`);
  if (!(earlyExaggeration >= 1 && earlyExaggeration < Number.POSITIVE_INFINITY))
    throw new InputError(`t-SNE: earlyExaggeration must be a number from 1, not ${earlyExaggeration}`);
  if (!(learningRate > 0 && learningRate < Number.POSITIVE_INFINITY))
    throw new InputError(`t-SNE: learningRate must be a number over 0, not ${learningRate}`);
}
