/** Labels of all samples, from those that some of them have: the others have that of the nearest one. */
import { expectIntegers } from "../engine/program.ts";
import { alone, joined, ownRows, type SharedOptions } from "../engine/ranks/collective.ts";
import { Session } from "../engine/session.ts";
import { type Matrix, selectRows } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { nearestProgram, pointFeeds } from "./nearest-program.ts";

export interface NearestLabelsOptions extends SharedOptions {
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
  { seed, signal, collective = alone, ...options }: NearestLabelsOptions,
): Promise<Int32Array> {
  if (labelled.length === samples.rows) return labels;
  const places = compared(labels, seed);
  if (places.length === 0) return new Int32Array(samples.rows).fill(-1);
  const points = selectRows(
    samples,
    places.map((place) => labelled[place]),
  );
  const feeds = pointFeeds(points);
  const { from, to } = ownRows(samples.rows, collective);
  const own = new Int32Array(to - from);
  const rows = Math.min(blockRows, to - from);
  const session = await Session.open(nearestProgram(points, { blockRows: rows, nearest: 1 }), options);
  try {
    for (let row = from; row < to; row += rows) {
      signal?.throwIfAborted();
      // The last block overlaps the one before so as not to be shorter.
      const start = Math.min(row, to - rows);
      const block = samples.values.subarray(start * samples.columns, (start + rows) * samples.columns);
      const nearest = expectIntegers((await session.run({ ...feeds, block })).places);
      for (let i = 0; i < rows; i++) own[start - from + i] = labels[places[nearest[i]]];
    }
  } finally {
    await session.close();
  }
  const all = joined(own, collective);
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
