/**
 * How well each sample belongs to the others: by the distance to its n-th nearest neighbour, the nearest-neighbour score
 * of outlier detection (Ramaswamy, Rastogi, Shim: Efficient Algorithms for Mining Outliers, 2000).
 *
 * n is half of an average cluster, so that a clump of foreign samples, which are near to one another, is found too, as
 * long as it is too small for a cluster of its own.
 */
import type { SessionOptions } from "../engine/session.ts";
import { InputError } from "../files/errors.ts";
import type { Matrix } from "../numeric/matrix.ts";
import { nearestNeighbours } from "./neighbours.ts";

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

/** The distance of each sample to its n-th nearest neighbour; 0 for a sample that is alone. */
export async function neighbourDistances(samples: Matrix, { k, ...options }: BelongingOptions): Promise<Float32Array> {
  if (samples.rows < 2) return new Float32Array(samples.rows);
  const n = neighboursFor(samples.rows, k);
  const { squaredDistances } = await nearestNeighbours(samples, { ...options, neighbours: n });
  return Float32Array.from({ length: samples.rows }, (_, row) => Math.sqrt(squaredDistances[(row + 1) * n - 1]));
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
