/** Spreads points over the nodes of a square grid and interpolates between nodes, by splines. */
import { slopesAt, splineNodes, weightsAt } from "./spline.ts";

export interface Grid {
  /** Nodes along an axis. */
  readonly size: number;
  /** The distance between nodes. */
  readonly spacing: number;
  /** The smallest coordinates that a point may have. */
  readonly origin: readonly [number, number];
}

/** Spreads a weight of 1 from each of `points` [rows, 2] into `weights` [size, size]. */
export function spread(points: Float64Array, grid: Grid, weights: Float32Array): void {
  const { size } = grid;
  const cursor = new Cursor(grid);
  const { across, along } = cursor;
  weights.fill(0);
  for (let i = 0; i < points.length; i += 2) {
    let node = cursor.moveTo(points[i], points[i + 1]);
    for (let a = 0; a < splineNodes; a++, node += size)
      for (let b = 0; b < splineNodes; b++) weights[node + b] += across[a] * along[b];
  }
}

/** Reads `values` [size, size] at the points: fills in their slopes [rows, 2] and returns the sum of the values. */
export function readSlopes(points: Float64Array, grid: Grid, values: Float32Array, slopes: Float64Array): number {
  const { size, spacing } = grid;
  const cursor = new Cursor(grid);
  const { across, along, acrossSlopes, alongSlopes } = cursor;
  let total = 0;
  for (let i = 0; i < points.length; i += 2) {
    let node = cursor.moveTo(points[i], points[i + 1]);
    cursor.findSlopes();
    let value = 0;
    let slopeAcross = 0;
    let slopeAlong = 0;
    for (let a = 0; a < splineNodes; a++, node += size) {
      let row = 0;
      let rowSlope = 0;
      for (let b = 0; b < splineNodes; b++) {
        row += along[b] * values[node + b];
        rowSlope += alongSlopes[b] * values[node + b];
      }
      value += across[a] * row;
      slopeAcross += acrossSlopes[a] * row;
      slopeAlong += across[a] * rowSlope;
    }
    total += value;
    slopes[i] = slopeAcross / spacing;
    slopes[i + 1] = slopeAlong / spacing;
  }
  return total;
}

/** The nodes around a point, with their weights. */
class Cursor {
  readonly across = new Float64Array(splineNodes);
  readonly along = new Float64Array(splineNodes);
  readonly acrossSlopes = new Float64Array(splineNodes);
  readonly alongSlopes = new Float64Array(splineNodes);
  readonly #grid: Grid;
  #acrossPart = 0;
  #alongPart = 0;

  constructor(grid: Grid) {
    this.#grid = grid;
  }

  /** Fills in the weights; returns the first of the nodes. */
  moveTo(x: number, y: number): number {
    const { size, spacing, origin } = this.#grid;
    const u = (x - origin[0]) / spacing;
    const v = (y - origin[1]) / spacing;
    const row = u | 0;
    const column = v | 0;
    this.#acrossPart = u - row;
    this.#alongPart = v - column;
    weightsAt(this.#acrossPart, this.across);
    weightsAt(this.#alongPart, this.along);
    return row * size + column;
  }

  findSlopes(): void {
    slopesAt(this.#acrossPart, this.acrossSlopes);
    slopesAt(this.#alongPart, this.alongSlopes);
  }
}
