/** The nearest points of one sample, out of candidates that single precision has found, in their exact order. */
import type { Matrix } from "../numeric/matrix.ts";

/** Candidates beyond the neighbours requested, since single precision confuses the order of near ones. */
export const spare = 8;

export class NearestList {
  /** The nearest first. */
  readonly others: Uint32Array;
  readonly squaredDistances: Float64Array;

  constructor(length: number) {
    this.others = new Uint32Array(length);
    this.squaredDistances = new Float64Array(length);
  }

  /**
   * Insertion sort: the candidates, rows of the points, are nearly in order. One of them, the sample itself, may be
   * left out.
   */
  fill(sample: Float32Array, points: Matrix, candidates: ArrayLike<number>, { leftOut = -1 } = {}): void {
    const { others, squaredDistances: distances } = this;
    let count = 0;
    for (let candidate = 0; candidate < candidates.length; candidate++) {
      const other = candidates[candidate];
      if (other === leftOut) continue;
      const distance = squaredDistance(sample, points, other);
      let place = count++;
      while (place > 0 && isFarther(distances[place - 1], others[place - 1], distance, other)) {
        distances[place] = distances[place - 1];
        others[place] = others[place - 1];
        place--;
      }
      distances[place] = distance;
      others[place] = other;
    }
  }
}

const isFarther = (distance: number, index: number, thanDistance: number, thanIndex: number): boolean =>
  distance > thanDistance || (distance === thanDistance && index > thanIndex);

function squaredDistance(sample: Float32Array, { values, columns }: Matrix, row: number): number {
  const start = row * columns;
  let total = 0;
  for (let d = 0; d < columns; d++) {
    const difference = sample[d] - values[start + d];
    total += difference * difference;
  }
  return total;
}
