/** Repulsion between nearby points, by a kernel of finite range. */
import { type Box, type Buckets, sortIntoBuckets } from "./buckets.ts";

/** A kernel K of the squared distance. */
export interface ShortKernel {
  /** The distance beyond which it is zero. */
  readonly range: number;
  readonly value: (squaredDistance: number) => number;
  /** Minus the derivative. */
  readonly fall: (squaredDistance: number) => number;
}

export interface NearSum {
  /** The kernel's sum over all ordered pairs. */
  readonly total: number;
  /** The number of pairs within the range. */
  readonly pairs: number;
}

/** Steps of the table of the kernel, which is linear between two of them. */
const steps = 4096;

export class NearField {
  readonly #range: number;
  /** The kernel's value and fall, interleaved, at equal steps of the squared distance. */
  readonly #table = new Float64Array(2 * (steps + 1));

  constructor({ range, value, fall }: ShortKernel) {
    this.#range = range;
    for (let step = 0; step <= steps; step++) {
      const squaredDistance = (range ** 2 * step) / steps;
      this.#table[2 * step] = value(squaredDistance);
      this.#table[2 * step + 1] = fall(squaredDistance);
    }
  }

  /** Adds −½ of the slope of Σ_j K at each point of `map` [rows, 2] to its force. */
  addForces(map: Float64Array, box: Box, forces: Float64Array): NearSum {
    const buckets = sortIntoBuckets(map, box, this.#range);
    const sorted = new Float64Array(forces.length);
    const sum = this.#repelAll(buckets, sorted);
    buckets.order.forEach((point, place) => {
      forces[2 * point] += sorted[2 * place];
      forces[2 * point + 1] += sorted[2 * place + 1];
    });
    return sum;
  }

  /** Each pair once: a point with later ones of its own bucket and the next, and with three buckets of the next row. */
  #repelAll({ columns, starts, points }: Buckets, forces: Float64Array): NearSum {
    const sum = { total: 0, pairs: 0 };
    for (let bucket = 1; bucket < starts.length - 1 - columns; bucket++)
      for (let point = starts[bucket]; point < starts[bucket + 1]; point++) {
        const below = bucket + columns;
        this.#repel(point, { from: point + 1, to: starts[bucket + 2] }, points, forces, sum);
        this.#repel(point, { from: starts[below - 1], to: starts[below + 2] }, points, forces, sum);
      }
    return sum;
  }

  #repel(
    point: number,
    { from, to }: { readonly from: number; readonly to: number },
    points: Float64Array,
    forces: Float64Array,
    sum: { total: number; pairs: number },
  ): void {
    const table = this.#table;
    const stepsPerUnit = steps / this.#range ** 2;
    const x = points[2 * point];
    const y = points[2 * point + 1];
    let total = 0;
    let forceX = 0;
    let forceY = 0;
    for (let other = from; other < to; other++) {
      const dx = x - points[2 * other];
      const dy = y - points[2 * other + 1];
      const place = (dx * dx + dy * dy) * stepsPerUnit;
      if (place >= steps) continue;
      const step = place | 0;
      const part = place - step;
      const value = table[2 * step];
      const fall = table[2 * step + 1];
      total += value + part * (table[2 * step + 2] - value);
      const push = fall + part * (table[2 * step + 3] - fall);
      const pushX = push * dx;
      const pushY = push * dy;
      forceX += pushX;
      forceY += pushY;
      forces[2 * other] -= pushX;
      forces[2 * other + 1] -= pushY;
      sum.pairs++;
    }
    forces[2 * point] += forceX;
    forces[2 * point + 1] += forceY;
    sum.total += 2 * total;
  }
}
