/** Makes the rows of a matrix orthogonal and of length 1. */
import type { Random } from "./random.ts";

/** A row of which no more than this share of its length remains lies within the span of those before it. */
const negligible = 1e-10;

/**
 * Gram-Schmidt orthogonalization, in place, each row twice: one pass leaves rounding errors. A row that lies within the
 * span of those before it is replaced by a random one.
 */
export function orthonormalize(rows: Float64Array, columns: number, random: Random): void {
  for (let i = 0; i < rows.length / columns; i++)
    while (!makeOrthogonal(rows, i, columns))
      for (let d = 0; d < columns; d++) rows[i * columns + d] = random.uniform() - 0.5;
}

/** Returns whether anything remained of the row. */
function makeOrthogonal(rows: Float64Array, row: number, columns: number): boolean {
  const before = dot(rows, row, rows, row, columns);
  for (let pass = 0; pass < 2; pass++)
    for (let earlier = 0; earlier < row; earlier++) {
      const share = dot(rows, row, rows, earlier, columns);
      for (let d = 0; d < columns; d++) rows[row * columns + d] -= share * rows[earlier * columns + d];
    }
  const after = dot(rows, row, rows, row, columns);
  if (!(after > negligible ** 2 * before)) return false;
  const scale = 1 / Math.sqrt(after);
  for (let d = 0; d < columns; d++) rows[row * columns + d] *= scale;
  return true;
}

/** The product of a row of `a` and a row of `b`. */
export function dot(a: Float64Array, rowA: number, b: Float64Array, rowB: number, columns: number): number {
  const [startA, startB] = [rowA * columns, rowB * columns];
  let total = 0;
  for (let d = 0; d < columns; d++) total += a[startA + d] * b[startB + d];
  return total;
}
