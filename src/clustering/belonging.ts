/**
 * How well each sample belongs to the others: by the distance to its n-th nearest neighbour, the nearest-neighbour score
 * of outlier detection (Ramaswamy, Rastogi, Shim: Efficient Algorithms for Mining Outliers, 2000).
 *
 * n is half of an average cluster, so that a clump of foreign samples, which are near to one another, is found too, as
 * long as it is too small for a cluster of its own.
 */
import { expectFloats } from "../engine/program.ts";
import { Session, type SessionOptions } from "../engine/session.ts";
import { InputError } from "../files/errors.ts";
import type { Matrix } from "../numeric/matrix.ts";
import { centre } from "../numeric/moments.ts";
import { nearestHalvesProgram, pointFeeds } from "./nearest-program.ts";

/** Which samples are put aside: none, those that stick out, or a share of all from 0 to 1. */
export type NoneSetting = "off" | "auto" | number;

export interface BelongingOptions extends SessionOptions {
  /** Number of clusters. */
  readonly k: number;
  readonly signal?: AbortSignal | undefined;
}

/** More neighbours cost time and find little more. */
const mostNeighbours = 100;

const neighboursFor = (count: number, k: number): number =>
  Math.min(count - 1, mostNeighbours, Math.max(2, Math.round(count / k / 2)));

/** Rows of one product. */
const blockRows = 256;

/**
 * The distance of each sample to its n-th nearest neighbour; 0 for a sample that is alone. By single precision, whose
 * mistakes are far below what makes a sample stick out.
 */
export async function neighbourDistances(
  samples: Matrix,
  { k, signal, ...options }: BelongingOptions,
): Promise<Float32Array> {
  const distances = new Float32Array(samples.rows);
  if (samples.rows < 2) return distances;
  const { centred } = centre(samples);
  const { rows, columns, values } = centred;
  const feeds = pointFeeds(centred);
  // The nearest of all is the sample itself.
  const sizes = { blockRows: Math.min(rows, blockRows), nearest: neighboursFor(rows, k) + 1 };
  const session = await Session.open(nearestHalvesProgram(centred, sizes), options);
  try {
    for (let row = 0; row < rows; row += sizes.blockRows) {
      signal?.throwIfAborted();
      // The last block overlaps the one before so as not to be shorter.
      const start = Math.min(row, rows - sizes.blockRows);
      const block = values.subarray(start * columns, (start + sizes.blockRows) * columns);
      const halves = expectFloats((await session.run({ ...feeds, block })).halves);
      for (let i = 0; i < sizes.blockRows; i++) {
        const farthest = halves[(i + 1) * sizes.nearest - 1];
        distances[start + i] = Math.sqrt(Math.max(0, 2 * (feeds.halfSquares[start + i] + farthest)));
      }
    }
  } finally {
    await session.close();
  }
  return distances;
}

/**
 * Robust z-scores of nearness: 0 for the median sample, below 0 for those farther from others. The unit is the deviation
 * of the farther half, by its median, since distances to the far side are spread more widely. All are 0 where none is
 * farther than the median.
 */
export function belonging(distances: Float32Array): Float32Array {
  const usual = median(distances);
  // Duplicates have distance 0, whose logarithm would be infinite.
  const logs = distances.map((distance) => Math.log(Math.max(distance / usual, nearest)));
  const deviation = perMedianDeviation * median(logs.filter((log) => log > 0));
  return logs.map((log) => (usual > 0 && deviation > 0 ? -log / deviation : 0));
}

/** Of the usual distance: what is nearer counts as so near. */
const nearest = 1e-3;

/** The standard deviation of a normal distribution is so many times its median absolute deviation. */
const perMedianDeviation = 1.4826;

/** The usual limit of such scores (Iglewicz & Hoaglin, 1993); docs/photographs.md has what it finds and what it spares. */
const sticksOut = -3.5;

/** 1 for each sample that is put aside; of a share, the least belonging, and of equal ones the first. */
export function putAside(belongings: Float32Array, none: NoneSetting): Uint8Array {
  expectNone(none);
  if (none === "off") return new Uint8Array(belongings.length);
  if (none === "auto") return Uint8Array.from(belongings, (value) => (value < sticksOut ? 1 : 0));
  const aside = new Uint8Array(belongings.length);
  for (const row of leastBelonging(belongings).subarray(0, Math.round(none * belongings.length))) aside[row] = 1;
  return aside;
}

/** All samples, the least belonging first, equal ones in order. */
export const leastBelonging = (belongings: Float32Array): Uint32Array =>
  Uint32Array.from(belongings.keys()).sort((a, b) => belongings[a] - belongings[b] || a - b);

export function expectNone(none: NoneSetting): void {
  if (typeof none === "number" && !(none >= 0 && none < 1))
    throw new InputError(`none must be "off", "auto" or a share from 0 to less than 1, not ${none}`);
}

function median(values: Float32Array): number {
  if (values.length === 0) return 0;
  const sorted = values.slice().sort();
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
