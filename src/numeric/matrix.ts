/** A matrix of samples: one row per sample, row-major. */
import { InputError } from "../files/errors.ts";

export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float32Array;
}

/** Wraps values as a matrix of `columns`; throws if they do not fill whole rows or are not finite. */
export function matrix(values: Float32Array, columns: number, name = "samples"): Matrix {
  if (!Number.isInteger(columns) || columns < 1 || values.length === 0 || values.length % columns !== 0)
    throw new InputError(`${name}: ${values.length} values do not make rows of ${columns}`);
  const index = values.findIndex((value) => !Number.isFinite(value));
  if (index >= 0)
    throw new InputError(`${name}: row ${Math.floor(index / columns)} holds ${values[index]}; remove it or repair it`);
  return { rows: values.length / columns, columns, values };
}

/** The given rows, in the given order. */
export function selectRows({ values, columns }: Matrix, rows: ArrayLike<number>): Matrix {
  return {
    rows: rows.length,
    columns,
    values: gatherRows(values, columns, rows, new Float32Array(rows.length * columns)),
  };
}

/** The rows of a matrix of `columns`, copied into `target` in the order of the indices. */
export function gatherRows(
  values: Float32Array,
  columns: number,
  indices: ArrayLike<number>,
  target: Float32Array,
): Float32Array {
  for (let place = 0; place < indices.length; place++)
    target.set(values.subarray(indices[place] * columns, (indices[place] + 1) * columns), place * columns);
  return target;
}

/** One row, as a view. */
export const rowOf = ({ values, columns }: Matrix, row: number): Float32Array =>
  values.subarray(row * columns, (row + 1) * columns);
