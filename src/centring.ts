/** Samples moved so that their mean is zero: products of them then lose no digits to a common offset. */
import type { Matrix } from "./matrix.ts";

export interface Centred {
  readonly centred: Matrix;
  readonly mean: Float64Array;
  /** The variance of a column, on average. */
  readonly meanVariance: number;
}

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
