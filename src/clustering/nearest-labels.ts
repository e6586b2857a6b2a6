/** Labels of all samples, from those that some of them have: the others have that of the nearest one. */
import { expectIntegers, type Program } from "../engine/program.ts";
import { Session, type SessionOptions } from "../engine/session.ts";
import { encode } from "../graph/encode.ts";
import { subtract } from "../graph/operators/elementwise.ts";
import { matmul } from "../graph/operators/product.ts";
import { smallestPlaces } from "../graph/operators/selection.ts";
import { input } from "../graph/tensor.ts";
import { type Matrix, rowOf, selectRows } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";

export interface NearestLabelsOptions extends SessionOptions {
  /** The seed of the samples that the others are compared with. */
  readonly seed: number;
  readonly signal?: AbortSignal | undefined;
}

/** The most samples that each of the others is compared with: neighbours beyond them hardly ever say otherwise. */
const mostCompared = 10_000;

/** Rows of one product. */
const blockRows = 512;

/** `labels` are those of the rows `labelled`, in ascending order; −1, in no cluster, is left as it is and not spread. */
export async function nearestLabels(
  samples: Matrix,
  labelled: Uint32Array,
  labels: Int32Array,
  { seed, signal, ...options }: NearestLabelsOptions,
): Promise<Int32Array> {
  if (labelled.length === samples.rows) return labels;
  const all = new Int32Array(samples.rows).fill(-1);
  const places = compared(labels, seed);
  if (places.length === 0) return all;
  const points = selectRows(
    samples,
    places.map((place) => labelled[place]),
  );
  const feeds = { points: points.values, halfSquares: halfSquares(points) };
  const rows = Math.min(blockRows, samples.rows);
  const session = await Session.open(nearestProgram(rows, points), options);
  try {
    for (let row = 0; row < samples.rows; row += rows) {
      signal?.throwIfAborted();
      // The last block overlaps the one before so as not to be shorter.
      const start = Math.min(row, samples.rows - rows);
      const block = samples.values.subarray(start * samples.columns, (start + rows) * samples.columns);
      const nearest = expectIntegers((await session.run({ ...feeds, block })).nearest);
      for (let i = 0; i < rows; i++) all[start + i] = labels[places[nearest[i]]];
    }
  } finally {
    await session.close();
  }
  labelled.forEach((row, place) => {
    all[row] = labels[place];
  });
  return all;
}

/** Places of labels other than −1: all, or some at random. */
function compared(labels: Int32Array, seed: number): Uint32Array {
  const known = Uint32Array.from(labels.keys()).filter((place) => labels[place] >= 0);
  if (known.length <= mostCompared) return known;
  const order = new Random(seed, "nearest labels").permutation(known.length);
  return order
    .subarray(0, mostCompared)
    .map((place) => known[place])
    .sort();
}

/** Half of ‖x − y‖² − ‖x‖², which is ‖y‖²/2 − x·y, has the order of the distances from x. */
function nearestProgram(rows: number, { rows: count, columns }: Matrix): Program {
  const products = matmul(input("block", [rows, columns]), input("points", [count, columns]), { right: true });
  return encode({ nearest: smallestPlaces(subtract(input("halfSquares", [count]), products), 1) });
}

function halfSquares(points: Matrix): Float32Array {
  return Float32Array.from({ length: points.rows }, (_, row) => {
    let total = 0;
    for (const value of rowOf(points, row)) total += value * value;
    return total / 2;
  });
}
