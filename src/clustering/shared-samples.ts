/** Samples that ranks share: each has some rows of a matrix that nobody needs to have whole. */
import { alone, type Collective, ownRows } from "../engine/ranks/collective.ts";
import { type Matrix, rowOf } from "../numeric/matrix.ts";
import { type Centred, centre } from "../numeric/moments.ts";

export interface SharedSamples {
  /** The rows of this rank. */
  readonly own: Matrix;
  /** Which row of all the first of them is; ranks have theirs one after another. */
  readonly first: number;
  /** Rows of all ranks. */
  readonly rows: number;
  readonly collective: Collective;
}

/** Of a matrix that every rank has, each takes its rows. */
export function sharedOut({ values, rows, columns }: Matrix, collective: Collective = alone): SharedSamples {
  const { from, to } = ownRows(rows, collective);
  const own = { rows: to - from, columns, values: values.subarray(from * columns, to * columns) };
  return { own, first: from, rows, collective };
}

/** Shifted to the mean of all. */
export function centreShared(samples: SharedSamples): Centred & { readonly shared: SharedSamples } {
  const { own, rows, collective } = samples;
  const centred = centre(own, { rows, addUp: (values) => collective.sum(values) });
  return { ...centred, shared: { ...samples, own: centred.centred } };
}

/** Rows by their numbers among all, one after another, whoever has them. */
export function sharedRows({ own, first, collective }: SharedSamples, numbers: readonly number[]): Float32Array {
  const rows = new Float32Array(numbers.length * own.columns);
  numbers.forEach((number, place) => {
    const row = number - first;
    if (row >= 0 && row < own.rows) rows.set(rowOf(own, row), place * own.columns);
  });
  // Everybody else has zeros there, so that sums are exact.
  collective.sum(rows);
  return rows;
}

/** The sum of a number over all ranks. */
export function sharedSum(value: number, { collective }: Pick<SharedSamples, "collective">): number {
  const total = Float64Array.of(value);
  collective.sum(total);
  return total[0];
}
