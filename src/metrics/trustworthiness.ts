/** The trustworthiness of a map (Venna & Kaski, 2001): whether neighbours on the map are neighbours in truth. */
import { InputError } from "../files/errors.ts";
import { type Matrix, rowOf } from "../numeric/matrix.ts";

export interface TrustworthinessOptions {
  /** Neighbours on the map that are examined per sample. Default: 5. */
  readonly neighbours?: number;
}

/**
 * From 0 to 1, the higher the better: 1 where the neighbours of each sample on the map are its true neighbours; lower
 * the farther the others are from it, by rank. Time grows with the square of the number of samples.
 */
export function trustworthiness(samples: Matrix, map: Matrix, { neighbours = 5 }: TrustworthinessOptions = {}): number {
  const { rows } = samples;
  if (map.rows !== rows)
    throw new InputError(`trustworthiness: the map has ${map.rows} rows for ${rows} samples; give one for each`);
  if (!Number.isInteger(neighbours) || neighbours < 1 || 2 * neighbours >= rows)
    throw new InputError(
      `trustworthiness: neighbours must be a whole number from 1 to less than half of ${rows} rows, not ${neighbours}`,
    );
  let excess = 0;
  for (let row = 0; row < rows; row++) {
    const distances = distancesFrom(samples, row);
    for (const other of nearest(distancesFrom(map, row), row, neighbours))
      excess += Math.max(0, rankOf(distances, row, other) - neighbours);
  }
  return 1 - (2 * excess) / (rows * neighbours * (2 * rows - 3 * neighbours - 1));
}

function distancesFrom(matrix: Matrix, row: number): Float64Array {
  const sample = rowOf(matrix, row);
  return Float64Array.from({ length: matrix.rows }, (_, other) => {
    const start = other * matrix.columns;
    let squares = 0;
    for (let d = 0; d < sample.length; d++) squares += (sample[d] - matrix.values[start + d]) ** 2;
    return squares;
  });
}

function nearest(distances: Float64Array, row: number, count: number): number[] {
  return Array.from(distances.keys())
    .filter((other) => other !== row)
    .sort((a, b) => distances[a] - distances[b] || a - b)
    .slice(0, count);
}

/** 1 for the nearest; equally near ones rank by their order. */
function rankOf(distances: Float64Array, row: number, of: number): number {
  let rank = 1;
  for (let other = 0; other < distances.length; other++)
    if (other !== row && (distances[other] < distances[of] || (distances[other] === distances[of] && other < of)))
      rank++;
  return rank;
}
