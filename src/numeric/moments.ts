/** Means and variances of samples. */
import type { Matrix } from "./matrix.ts";

export interface Centred {
  readonly centred: Matrix;
  readonly mean: Float64Array;
  /** The mean of the columns' variances. */
  readonly meanVariance: number;
}

/** Where these are some rows of a larger matrix. */
export interface Whole {
  /** Of all. */
  readonly rows: number;
  /** Adds to these numbers what they are for the other rows, in place. */
  readonly addUp: (values: Float64Array) => void;
}

/** Samples shifted to mean zero, so that products of them lose no digits to a common offset. */
export function centre({ rows: own, columns, values }: Matrix, { rows, addUp }: Whole = itself(own)): Centred {
  const mean = new Float64Array(columns);
  for (let start = 0; start < values.length; start += columns)
    for (let d = 0; d < columns; d++) mean[d] += values[start + d];
  addUp(mean);
  for (let d = 0; d < columns; d++) mean[d] /= rows;
  const centred = new Float32Array(values.length);
  let squares = 0;
  for (let start = 0; start < values.length; start += columns)
    for (let d = 0; d < columns; d++) {
      const value = values[start + d] - mean[d];
      centred[start + d] = value;
      squares += value * value;
    }
  const total = Float64Array.of(squares);
  addUp(total);
  return { centred: { rows: own, columns, values: centred }, mean, meanVariance: total[0] / (rows * columns) };
}

const itself = (rows: number): Whole => ({ rows, addUp: () => undefined });

/** The mean of ‖x − x̄‖²; 1 where all samples are equal up to rounding, so that it can be a divisor. */
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

/** The relative rounding error of the difference of two sums. */
const rounding = 1e-12;
