/** Average linkage of weighted points: the pair that is nearest on average is joined until one group is left. */
import { type Matrix, rowOf } from "../numeric/matrix.ts";

/** Group `from` becomes part of `into`, which comes before it. */
export interface AverageJoin {
  readonly into: number;
  readonly from: number;
  /** The mean squared distance between their points, by weight. */
  readonly distance: number;
}

/** Ties are broken by order. */
export function averageLinkage(points: Matrix, weights: ArrayLike<number>): AverageJoin[] {
  const sizes = Float64Array.from(weights);
  const distances = squaredDistances(points);
  const left = Array.from({ length: points.rows }, (_, row) => row);
  const joins: AverageJoin[] = [];
  while (left.length > 1) {
    const join = nearestPair(left, distances);
    joins.push(join);
    left.splice(left.indexOf(join.from), 1);
    merge(join, left, sizes, distances);
  }
  return joins;
}

function squaredDistances(points: Matrix): Float64Array[] {
  const rows = Array.from({ length: points.rows }, (_, row) => rowOf(points, row));
  return rows.map((a) => Float64Array.from(rows, (b) => a.reduce((sum, value, d) => sum + (value - b[d]) ** 2, 0)));
}

function nearestPair(left: readonly number[], distances: readonly Float64Array[]): AverageJoin {
  let nearest = { into: left[0], from: left[1], distance: Number.POSITIVE_INFINITY };
  left.forEach((into, place) => {
    for (let other = place + 1; other < left.length; other++) {
      const distance = distances[into][left[other]];
      if (distance < nearest.distance) nearest = { into, from: left[other], distance };
    }
  });
  return nearest;
}

/** The distance of a union to another group is the mean of its parts' (Lance & Williams, 1967). */
function merge(
  { into, from }: AverageJoin,
  left: readonly number[],
  sizes: Float64Array,
  distances: readonly Float64Array[],
): void {
  const total = sizes[into] + sizes[from];
  for (const other of left) {
    const mean = (sizes[into] * distances[into][other] + sizes[from] * distances[from][other]) / total;
    distances[into][other] = mean;
    distances[other][into] = mean;
  }
  sizes[into] = total;
}
