/** The nearest of some points to each sample of a block, as one product on the engine. */
import type { Program } from "../engine/program.ts";
import { encode } from "../graph/encode.ts";
import { subtract } from "../graph/operators/elementwise.ts";
import { matmul } from "../graph/operators/product.ts";
import { smallestPlaces } from "../graph/operators/selection.ts";
import { input } from "../graph/tensor.ts";
import { type Matrix, rowOf } from "../numeric/matrix.ts";

export interface NearestSizes {
  /** Samples of a block. */
  readonly blockRows: number;
  /** How many of the points are found, the nearest first. */
  readonly nearest: number;
}

/** Takes `block`, `points` and `halfSquares`, and gives `places` [blockRows, nearest] among the points. */
export function nearestProgram({ rows, columns }: Matrix, { blockRows, nearest }: NearestSizes): Program {
  const products = matmul(input("block", [blockRows, columns]), input("points", [rows, columns]), { right: true });
  // Half of ‖x − y‖² − ‖x‖², which is ‖y‖²/2 − x·y, has the order of the distances from x.
  return encode({ places: smallestPlaces(subtract(input("halfSquares", [rows]), products), nearest) });
}

/** What the program is fed of the points. */
export const pointFeeds = (points: Matrix): { readonly points: Float32Array; readonly halfSquares: Float32Array } => ({
  points: points.values,
  halfSquares: Float32Array.from({ length: points.rows }, (_, row) => {
    let total = 0;
    for (const value of rowOf(points, row)) total += value * value;
    return total / 2;
  }),
});
