/**
 * k-means++ for several starts at once: each further centre is drawn from the samples with a chance proportional to the
 * squared distance to the nearest centre so far; of a few candidates, the one that lowers those distances most is kept.
 */
import { expectFloats, type Program } from "../engine/program.ts";
import { encode } from "../graph/encode.ts";
import { input } from "../graph/tensor.ts";
import { rowOf } from "../numeric/matrix.ts";
import type { Random } from "../numeric/random.ts";
import type { BlockRunner } from "./sample-blocks.ts";
import { squaredDistances } from "./soft-assignment.ts";

interface SeedingOptions {
  readonly k: number;
  /** The generator of each restart. */
  readonly randoms: readonly Random[];
  readonly signal: AbortSignal | undefined;
}

/** Starting centres [k, columns] of each restart. */
export async function plusPlusCentres(runner: BlockRunner, options: SeedingOptions): Promise<Float64Array[]> {
  const { k, randoms, signal } = options;
  const { rows, columns } = runner.samples;
  const trials = 2 + Math.floor(Math.log(k));
  const chosen = randoms.map((random) => [random.integer(rows)]);
  const nearest = randoms.map(() => new Float64Array(rows).fill(Number.POSITIVE_INFINITY));
  const first = await distancesTo(runner, chosen.flat());
  nearest.forEach((distances, restart) => {
    lower(distances, first[restart]);
  });
  for (let centre = 1; centre < k; centre++) {
    signal?.throwIfAborted();
    const candidates = nearest.map((distances, restart) => drawProportional(distances, trials, randoms[restart]));
    const distances = await distancesTo(runner, candidates.flat());
    nearest.forEach((current, restart) => {
      const trialDistances = distances.slice(restart * trials, (restart + 1) * trials);
      const best = indexOfSmallest(trialDistances.map((trial) => loweredSum(current, trial)));
      chosen[restart].push(candidates[restart][best]);
      lower(current, trialDistances[best]);
    });
  }
  return chosen.map((indices) => {
    const centres = new Float64Array(k * columns);
    indices.forEach((row, index) => {
      centres.set(rowOf(runner.samples, row), index * columns);
    });
    return centres;
  });
}

/** The squared distances of all samples to each of the given ones. */
async function distancesTo(runner: BlockRunner, targets: readonly number[]): Promise<Float32Array[]> {
  const { rows, columns } = runner.samples;
  const points = new Float32Array(targets.length * columns);
  targets.forEach((row, index) => {
    points.set(rowOf(runner.samples, row), index * columns);
  });
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

/** Samples, drawn with a chance proportional to their weight. */
function drawProportional(weights: Float64Array, count: number, random: Random): number[] {
  const cumulative = new Float64Array(weights.length);
  let total = 0;
  weights.forEach((weight, index) => {
    total += weight;
    cumulative[index] = total;
  });
  return Array.from({ length: count }, () => {
    // All samples coincide with centres: any of them will do.
    if (total === 0) return random.integer(weights.length);
    return firstAbove(cumulative, random.uniform() * total);
  });
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

const indexOfSmallest = (values: readonly number[]): number => values.indexOf(Math.min(...values));
