/**
 * k-means++ for several starts at once: each further centre is drawn from the samples with a chance proportional to the
 * squared distance to the nearest centre so far; of a few candidates, the one that lowers those distances most is kept.
 */
import { expectFloats, type Program } from "../engine/program.ts";
import { encode } from "../graph/encode.ts";
import { input } from "../graph/tensor.ts";
import type { Random } from "../numeric/random.ts";
import type { BlockRunner } from "./sample-blocks.ts";
import { type SharedSamples, sharedRows } from "./shared-samples.ts";
import { squaredDistances } from "./soft-assignment.ts";

interface SeedingOptions {
  readonly k: number;
  /** The generator of each restart. */
  readonly randoms: readonly Random[];
  readonly signal: AbortSignal | undefined;
}

/** Starting centres [k, columns] of each restart. The runner has this rank's samples. */
export async function plusPlusCentres(
  runner: BlockRunner,
  samples: SharedSamples,
  options: SeedingOptions,
): Promise<Float64Array[]> {
  const { k, randoms, signal } = options;
  const trials = 2 + Math.floor(Math.log(k));
  const chosen = randoms.map((random) => [random.integer(samples.rows)]);
  const nearest = randoms.map(() => new Float64Array(samples.own.rows).fill(Number.POSITIVE_INFINITY));
  const first = await distancesTo(runner, samples, chosen.flat());
  nearest.forEach((distances, restart) => {
    lower(distances, first[restart]);
  });
  for (let centre = 1; centre < k; centre++) {
    signal?.throwIfAborted();
    const candidates = drawCandidates(nearest, trials, samples, randoms);
    const distances = await distancesTo(runner, samples, candidates);
    const lowered = Float64Array.from(distances, (trial, index) =>
      loweredSum(nearest[Math.floor(index / trials)], trial),
    );
    samples.collective.sum(lowered);
    nearest.forEach((current, restart) => {
      const best = restart * trials + indexOfSmallest(lowered.subarray(restart * trials, (restart + 1) * trials));
      chosen[restart].push(candidates[best]);
      lower(current, distances[best]);
    });
  }
  return chosen.map((numbers) => Float64Array.from(sharedRows(samples, numbers)));
}

/** The squared distances of this rank's samples to each of the given ones, which may be another's. */
async function distancesTo(
  runner: BlockRunner,
  samples: SharedSamples,
  targets: readonly number[],
): Promise<Float32Array[]> {
  const { rows, columns } = runner.samples;
  const points = sharedRows(samples, targets);
  const distances = targets.map(() => new Float32Array(rows));
  await runner.run(
    {
      use: "distances",
      key: String(targets.length),
      program: () => distanceProgram(runner.blockRows, columns, targets.length),
    },
    () => ({ points }),
    ({ start }, results) => {
      const block = expectFloats(results.distances);
      distances.forEach((column, target) => {
        for (let i = 0; i < runner.blockRows; i++) column[start + i] = block[i * targets.length + target];
      });
    },
  );
  return distances;
}

function distanceProgram(rows: number, columns: number, targets: number): Program {
  const distances = squaredDistances(input("samples", [rows, columns]), input("points", [targets, columns]));
  return encode({ distances });
}

/** Candidates of all restarts, by their numbers among the samples of all ranks. */
function drawCandidates(
  nearest: readonly Float64Array[],
  trials: number,
  samples: SharedSamples,
  randoms: readonly Random[],
): readonly number[] {
  const cumulative = nearest.map(runningTotals);
  const own = Float64Array.from(cumulative, (totals) => totals.at(-1) ?? 0);
  const totals = samples.collective.gather(own);
  const drawn = new Float64Array(randoms.length * trials);
  randoms.forEach((random, restart) => {
    const place = { cumulative: cumulative[restart], totals: totals.map((ofRank) => ofRank[restart]) };
    for (let trial = 0; trial < trials; trial++)
      drawn[restart * trials + trial] = drawProportional(place, samples, random);
  });
  samples.collective.sum(drawn);
  return Array.from(drawn);
}

function runningTotals(weights: Float64Array): Float64Array {
  let total = 0;
  return weights.map((weight) => {
    total += weight;
    return total;
  });
}

interface Weights {
  /** Of this rank's samples. */
  readonly cumulative: Float64Array;
  /** Of all samples of each rank. */
  readonly totals: readonly number[];
}

/** A sample drawn with a chance proportional to its weight, where it is this rank's; 0 where it is another's. */
function drawProportional(
  { cumulative, totals }: Weights,
  { rows, first, collective: { rank, size } }: SharedSamples,
  random: Random,
): number {
  const total = totals.reduce((sum, ofRank) => sum + ofRank, 0);
  // All samples coincide with centres: any of them will do.
  if (total === 0) return rank === 0 ? random.integer(rows) : skipped(random, rows);
  let bound = random.uniform() * total;
  let owner = 0;
  while (owner < size - 1 && bound >= totals[owner]) bound -= totals[owner++];
  return owner === rank ? first + firstAbove(cumulative, bound) : 0;
}

/** Draws as others do, so that all go on alike. */
function skipped(random: Random, rows: number): 0 {
  random.integer(rows);
  return 0;
}

/** The first index whose value is over `bound` in an ascending array. */
function firstAbove(ascending: Float64Array, bound: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle] > bound) high = middle;
    else low = middle + 1;
  }
  return low;
}

function lower(values: Float64Array, others: Float32Array): void {
  for (let i = 0; i < values.length; i++) if (others[i] < values[i]) values[i] = others[i];
}

function loweredSum(values: Float64Array, others: Float32Array): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += Math.min(values[i], others[i]);
  return total;
}

const indexOfSmallest = (values: Float64Array): number => values.indexOf(Math.min(...values));
