/** Matrices as rows of numbers, computed in the plainest way, to check faster implementations. */

export type Rows = readonly (readonly number[])[];

export const flat = (rows: Rows): Float64Array => Float64Array.from(rows.flat());

export const rowsOf = (values: Float64Array, columns: number): number[][] =>
  Array.from({ length: values.length / columns }, (_, row) => [...values.subarray(row * columns, (row + 1) * columns)]);

export const transposed = (a: Rows): number[][] => a[0].map((_, column) => a.map((row) => row[column]));

export const product = (a: Rows, b: Rows): number[][] =>
  a.map((row) => transposed(b).map((column) => row.reduce((total, value, i) => total + value * column[i], 0)));

export const trace = (a: Rows): number => a.reduce((total, row, i) => total + row[i], 0);

/** S = Σ x xᵀ over rows x. */
export const momentsOf = (rows: Rows): number[][] => product(transposed(rows), rows);

/** A⁻¹ B by Gauss-Jordan elimination. */
export function solve(a: Rows, b: Rows): number[][] {
  const rows = a.map((row, i) => [...row, ...b[i]]);
  for (let pivot = 0; pivot < rows.length; pivot++) {
    const largest = rows
      .slice(pivot)
      .reduce((best, row) => (Math.abs(row[pivot]) > Math.abs(best[pivot]) ? row : best));
    const place = rows.indexOf(largest);
    [rows[pivot], rows[place]] = [rows[place], rows[pivot]];
    const own = rows[pivot].map((value) => value / rows[pivot][pivot]);
    rows.forEach((row, i) => {
      rows[i] = i === pivot ? own : row.map((value, column) => value - row[pivot] * own[column]);
    });
  }
  return rows.map((row) => row.slice(a.length));
}
