/** How far samples are from their mean. */
import type { Matrix } from "../matrix.ts";

/** The mean of ‖x − x̄‖²; 1 where all are the same, up to rounding, so that it can be divided by. */
export function totalVariance({ rows, columns, values }: Matrix): number {
  const [sums, squares] = [new Float64Array(columns), new Float64Array(columns)];
  for (let place = 0; place < values.length; place++) {
    const d = place % columns;
    sums[d] += values[place];
    squares[d] += values[place] * values[place];
  }
  const total = squares.reduce((sum, square, d) => sum + square / rows - (sums[d] / rows) ** 2, 0);
  const scale = squares.reduce((sum, square) => sum + square / rows, 0);
  return total > rounding * scale ? total : 1;
}

/** Of the difference of two numbers of that scale. */
const rounding = 1e-12;
