/**
 * The nearest neighbours of every sample among the others.
 *
 * All distances of a block of samples are one matrix product in single precision. The engine keeps the smallest, and
 * these few are computed again in double precision and sorted. Ranks have all samples and take some of the rows each.
 */

import { expectIntegers } from "../engine/program.ts";
import { alone, joined, ownRows, type SharedOptions } from "../engine/ranks/collective.ts";
import { Session } from "../engine/session.ts";
import { InputError } from "../files/errors.ts";
import { type Matrix, matrix, rowOf } from "../numeric/matrix.ts";
import { centre } from "../numeric/moments.ts";
import { NearestList, spare } from "./nearest-list.ts";
import { nearestProgram, pointFeeds } from "./nearest-program.ts";

export interface NeighboursOptions extends SharedOptions {
  /** Neighbours per sample. */
  readonly neighbours: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Neighbours {
  readonly neighbours: number;
  /** [rows, neighbours]: by distance, then by index; a sample is not its own neighbour. */
  readonly indices: Uint32Array;
  /** [rows, neighbours]. */
  readonly squaredDistances: Float32Array;
}

/** The limits of a block: enough rows for a fast product, whose result takes little memory. */
const largestBlock = { rows: 256, distances: 1 << 25 };

export async function nearestNeighbours(samples: Matrix, options: NeighboursOptions): Promise<Neighbours> {
  const { neighbours, signal, collective = alone, ...sessionOptions } = options;
  const { rows, columns } = matrix(samples.values, samples.columns, "neighbours");
  if (!Number.isInteger(neighbours) || neighbours < 1 || neighbours >= rows)
    throw new InputError(
      `neighbours must be a whole number from 1 to ${rows - 1}, one less than rows, not ${neighbours}`,
    );
  const { centred } = centre(samples);
  const candidates = Math.min(rows, neighbours + 1 + spare);
  const { from, to } = ownRows(rows, collective);
  const blockRows = Math.min(to - from, largestBlock.rows, Math.ceil(largestBlock.distances / rows));
  const indices = new Uint32Array((to - from) * neighbours);
  const squaredDistances = new Float32Array((to - from) * neighbours);
  const list = new NearestList(candidates);
  const feeds = pointFeeds(centred);
  const session = await Session.open(nearestProgram(centred, { blockRows, nearest: candidates }), sessionOptions);
  try {
    for (let row = from; row < to; row += blockRows) {
      signal?.throwIfAborted();
      // The last block overlaps the one before so as not to be shorter.
      const start = Math.min(row, to - blockRows);
      const block = centred.values.subarray(start * columns, (start + blockRows) * columns);
      const places = expectIntegers((await session.run({ ...feeds, block })).places);
      for (let i = 0; i < blockRows; i++) {
        const near = places.subarray(i * candidates, (i + 1) * candidates);
        list.fill(rowOf(centred, start + i), centred, near, { leftOut: start + i });
        const place = (start + i - from) * neighbours;
        indices.set(list.others.subarray(0, neighbours), place);
        squaredDistances.set(list.squaredDistances.subarray(0, neighbours), place);
      }
    }
  } finally {
    await session.close();
  }
  return { neighbours, indices: joined(indices, collective), squaredDistances: joined(squaredDistances, collective) };
}
