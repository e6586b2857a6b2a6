/**
 * Nearly all of the nearest points of very many samples, in seconds where exact ones take minutes: each sample is
 * compared with the points around the nearest of some centres, an inverted file (Jégou, Douze, Schmid, 2011) whose
 * lists are equally long. Ranks have all points and samples, and take some of the samples each.
 */
import { expectIntegers } from "../engine/program.ts";
import { alone, joined, ownRows, type SharedOptions, sharedOptions } from "../engine/ranks/collective.ts";
import { Session, sessionOptions } from "../engine/session.ts";
import { gatherRows, type Matrix, matrix, rowOf, selectRows } from "../numeric/matrix.ts";
import { centre } from "../numeric/moments.ts";
import { Random } from "../numeric/random.ts";
import { kMeans } from "./k-means.ts";
import { NearestList, spare } from "./nearest-list.ts";
import { nearestProgram, pointFeeds } from "./nearest-program.ts";
import type { Neighbours, NeighboursOptions } from "./neighbours.ts";

/** A cell for so many points, and at most so many cells. */
const [pointsPerCell, mostCells] = [100, 1000];

/** Points that each sample of a cell is compared with. docs/performance.md has how many neighbours are among them. */
const comparedPerCell = 4000;

/** Centres need no more than a few rounds of k-means, on so many points for each. */
const [rounds, samplesPerCell] = [3, 20];

/** Rows of one product. */
const blockRows = 64;

export interface CellOptions extends SharedOptions {
  /** Of the points that centres come from. Default: 0. */
  readonly seed?: number;
  readonly signal?: AbortSignal | undefined;
}

export class NeighbourCells {
  /** Less their mean, so that products lose no digits. */
  readonly #points: Matrix;
  readonly #mean: Float64Array;
  readonly #centres: Matrix;
  /** The points around each centre, [cells, compared]. */
  readonly #around: Uint32Array;

  private constructor(points: Matrix, mean: Float64Array, centres: Matrix, around: Uint32Array) {
    this.#points = points;
    this.#mean = mean;
    this.#centres = centres;
    this.#around = around;
  }

  static async around(points: Matrix, { seed = 0, signal, ...options }: CellOptions): Promise<NeighbourCells> {
    const { centred, mean } = centre(points);
    const cells = Math.min(mostCells, Math.ceil(points.rows / pointsPerCell));
    const order = new Random(seed, "neighbour cells").permutation(points.rows);
    const { centres } = await kMeans(selectRows(centred, order.subarray(0, samplesPerCell * cells)), {
      ...{ k: cells, maxIterations: rounds, centres: selectRows(centred, order.subarray(0, cells)).values },
      ...(signal === undefined ? {} : { signal }),
      ...sharedOptions(options),
    });
    const middles = matrix(centres, points.columns, "centres");
    const compared = Math.min(points.rows, comparedPerCell);
    const around = await nearestPlaces(middles, centred, { nearest: compared, signal, ...options });
    return new NeighbourCells(centred, mean, middles, around);
  }

  /** Of the points themselves, of which none is its own neighbour. */
  ofPoints(options: NeighboursOptions): Promise<Neighbours> {
    return this.#nearest(this.#points, { ...options, arePoints: true });
  }

  /** Of other samples. */
  of(samples: Matrix, options: NeighboursOptions): Promise<Neighbours> {
    const { columns } = samples;
    const values = samples.values.map((value, place) => value - this.#mean[place % columns]);
    return this.#nearest({ ...samples, values }, { ...options, arePoints: false });
  }

  async #nearest(samples: Matrix, options: NeighboursOptions & { readonly arePoints: boolean }): Promise<Neighbours> {
    const { neighbours, arePoints, signal, collective = alone } = options;
    const cells = await nearestPlaces(samples, this.#centres, { ...options, nearest: 1 });
    const { from, to } = ownRows(samples.rows, collective);
    const indices = new Uint32Array((to - from) * neighbours);
    const squaredDistances = new Float32Array((to - from) * neighbours);
    const list = new NearestList(neighbours + 1 + spare);
    const compare = await this.#comparison(list.others.length, options);
    try {
      for (const [cell, rows] of rowsByCell(cells, { from, to }).entries()) {
        signal?.throwIfAborted();
        await compare.with(cell, samples, rows, (row, candidates) => {
          list.fill(rowOf(samples, row), this.#points, candidates, arePoints ? { leftOut: row } : {});
          indices.set(list.others.subarray(0, neighbours), (row - from) * neighbours);
          squaredDistances.set(list.squaredDistances.subarray(0, neighbours), (row - from) * neighbours);
        });
      }
    } finally {
      await compare.close();
    }
    return { neighbours, indices: joined(indices, collective), squaredDistances: joined(squaredDistances, collective) };
  }

  /** Finds so many candidates among the points around a centre. */
  async #comparison(candidates: number, options: SharedOptions) {
    const { columns } = this.#points;
    const compared = this.#around.length / this.#centres.rows;
    const shape = { rows: compared, columns, values: new Float32Array(compared * columns) };
    const nearest = Math.min(candidates, compared);
    const session = await Session.open(nearestProgram(shape, { blockRows, nearest }), sessionOptions(options));
    const block = new Float32Array(blockRows * columns);
    return {
      with: async (
        cell: number,
        samples: Matrix,
        rows: readonly number[],
        found: (row: number, candidates: Uint32Array) => void,
      ): Promise<void> => {
        if (rows.length === 0) return;
        const around = this.#around.subarray(cell * compared, (cell + 1) * compared);
        gatherRows(this.#points.values, columns, around, shape.values);
        const feeds = pointFeeds(shape);
        for (let start = 0; start < rows.length; start += blockRows) {
          const some = rows.slice(start, start + blockRows);
          gatherRows(samples.values, columns, some, block);
          const places = expectIntegers((await session.run({ ...feeds, block })).places);
          some.forEach((row, i) => {
            found(
              row,
              Uint32Array.from(places.subarray(i * nearest, (i + 1) * nearest), (place) => around[place]),
            );
          });
        }
      },
      close: () => session.close(),
    };
  }
}

/** The places of the nearest points to each sample, [samples, nearest]. */
async function nearestPlaces(
  samples: Matrix,
  points: Matrix,
  { nearest, signal, collective = alone, ...options }: CellOptions & { readonly nearest: number },
): Promise<Uint32Array> {
  const { from, to } = ownRows(samples.rows, collective);
  const rows = Math.max(1, Math.min(blockRows, to - from));
  const own = new Uint32Array((to - from) * nearest);
  const feeds = pointFeeds(points);
  const session = await Session.open(nearestProgram(points, { blockRows: rows, nearest }), sessionOptions(options));
  try {
    for (let row = from; row < to; row += rows) {
      signal?.throwIfAborted();
      // The last block overlaps the one before so as not to be shorter.
      const start = Math.min(row, to - rows);
      const block = samples.values.subarray(start * samples.columns, (start + rows) * samples.columns);
      own.set(expectIntegers((await session.run({ ...feeds, block })).places), (start - from) * nearest);
    }
  } finally {
    await session.close();
  }
  return joined(own, collective);
}

/** The rows of each cell, of those from `from` up to `to`. */
function rowsByCell(cells: Uint32Array, { from, to }: { readonly from: number; readonly to: number }): number[][] {
  const rows: number[][] = [];
  for (let row = from; row < to; row++) {
    const cell = cells[row];
    while (rows.length <= cell) rows.push([]);
    rows[cell].push(row);
  }
  return rows;
}
