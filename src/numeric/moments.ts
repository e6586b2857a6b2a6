/** Means and variances of samples. */
import type { Matrix } from "./matrix.ts";

export interface Centred {
  readonly centred: Matrix;
  readonly mean: Float64Array;
  /** The variance of a column, on average. */
  readonly meanVariance: number;
}

/** Samples moved so that their mean is zero: products of them then lose no digits to a common offset. */
export function centre({ rows, columns, values }: Matrix): Centred {
  const mean = new Float64Array(columns);
  for (let start = 0; start < values.length; start += columns)
    for (let d = 0; d < columns; d++) mean[d] += values[start + d];
  for (let d = 0; d < columns; d++) mean[d] /= rows;
  const centred = new Float32Array(values.length);
  let squares = 0;
  for (let start = 0; start < values.length; start += columns)
    for (let d = 0; d < columns; d++) {
      const value = values[start + d] - mean[d];
      centred[start + d] = value;
      squares += value * value;
    }
  return { centred: { rows, columns, values: centred }, mean, meanVariance: squares / values.length };
}

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
