/** A matrix of samples: one row a sample, row-major. */
import { InputError } from "./errors.ts";

export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float32Array;
}

/** Wraps values as a matrix of `columns`; throws where they do not fill whole rows or are not finite. */
export function matrix(values: Float32Array, columns: number, name = "samples"): Matrix {
  if (!Number.isInteger(columns) || columns < 1 || values.length === 0 || values.length % columns !== 0)
    throw new InputError(`${name}: ${values.length} values do not make rows of ${columns}`);
  const index = values.findIndex((value) => !Number.isFinite(value));
  if (index >= 0)
    throw new InputError(`${name}: row ${Math.floor(index / columns)} holds ${values[index]}; remove it or repair it`);
  return { rows: values.length / columns, columns, values };
}

/** One row, as a view. */
export const rowOf = ({ values, columns }: Matrix, row: number): Float32Array =>
  values.subarray(row * columns, (row + 1) * columns);
