/**
 * t-SNE (van der Maaten & Hinton, 2008): a map in the plane on which samples lie near those that they are near to.
 *
 * The settings are those that most users know: 250 iterations of exaggerated attraction, in which groups find together,
 * then iterations with the true one.
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
  /** The number of neighbours that count for a sample, in effect. Lowered where samples are few. Default: 30. */
  readonly perplexity?: number;
  /** Default: 1000. */
  readonly iterations?: number;
  /** How much stronger attraction is in the first 250 iterations. Default: 12. */
  readonly earlyExaggeration?: number;
  /** Default: a quarter of the number of samples over the early exaggeration, but no less than 50. */
  readonly learningRate?: number;
  /** The map to begin with: principal components, random numbers, or a map [rows, 2] as it is. Default: "pca". */
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
  /** Fewer than asked for where the map stood still before. */
  readonly iterations: number;
}

const earlyIterations = 250;
/** A map whose gradient is no longer than this stands still. */
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

interface Phase {
  /** The iterations before and after it. */
  readonly from: number;
  readonly to: number;
  readonly exaggeration: number;
  readonly momentum: number;
  readonly rate: number;
  readonly signal: AbortSignal | undefined;
  readonly onIteration: (iteration: number) => void;
}

/** Moves the points of the map; returns the iteration after which they stand. */
async function descend(map: Float64Array, gradient: TsneGradient, phase: Phase): Promise<number> {
  const { from, to, exaggeration, momentum, rate, signal, onIteration } = phase;
  const descent = new Descent(map.length);
  for (let iteration = from + 1; iteration <= to; iteration++) {
    // Whoever wants to stop it must get a turn.
    await pause();
    signal?.throwIfAborted();
    await gradient.find(map, exaggeration);
    descent.move(map, gradient.values, { rate, momentum });
    onIteration(iteration);
    const length = lengthOf(gradient.values);
    if (!Number.isFinite(length)) throw new InputError("t-SNE: the map grew beyond all bounds; lower the learningRate");
    // Points that come out of one place take some iterations to move.
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
