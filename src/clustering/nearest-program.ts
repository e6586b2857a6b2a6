/** The nearest of some points to each sample of a block, as one product on the engine. */
import type { Program } from "../engine/program.ts";
import { encode } from "../graph/encode.ts";
import { subtract } from "../graph/operators/elementwise.ts";
import { matmul } from "../graph/operators/product.ts";
import { smallestPlaces, smallestValues } from "../graph/operators/selection.ts";
import { input, type Tensor } from "../graph/tensor.ts";
import { type Matrix, rowOf } from "../numeric/matrix.ts";

export interface NearestSizes {
  /** Samples of a block. */
  readonly blockRows: number;
  /** How many of the points are found, the nearest first. */
  readonly nearest: number;
}

/** Takes `block`, `points` and `halfSquares`, and gives `places` [blockRows, nearest] among the points. */
export const nearestProgram = (points: Matrix, sizes: NearestSizes): Program =>
  encode({ places: smallestPlaces(order(points, sizes), sizes.nearest) });

/** Takes the same, and gives `halves` [blockRows, nearest]: half of ‖x − y‖² − ‖x‖² for the nearest points y. */
export const nearestHalvesProgram = (points: Matrix, sizes: NearestSizes): Program =>
  encode({ halves: smallestValues(order(points, sizes), sizes.nearest) });

/** Half of ‖x − y‖² − ‖x‖², which is ‖y‖²/2 − x·y, has the order of the distances from x. */
function order({ rows, columns }: Matrix, { blockRows }: NearestSizes): Tensor {
  const products = matmul(input("block", [blockRows, columns]), input("points", [rows, columns]), { right: true });
  return subtract(input("halfSquares", [rows]), products);
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
