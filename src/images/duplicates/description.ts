/**
 * What a picture, or a part of it, is described by at a coarse look: the means of 8 by 8 cells, less their mean and
 * divided by their length, so that the product of two descriptions is their correlation.
 */
import type { Plane } from "./plane.ts";

const cells = 8;
export const descriptionLength = cells * cells;

/** A part of a picture, as shares of its sides. */
export interface Window {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export const wholePicture: Window = { left: 0, right: 1, top: 0, bottom: 1 };

export function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** The means of the cells of a window, centred and of length 1; of a plain picture, zeros. */
export function describe(summed: SummedPlane, { left, right, top, bottom }: Window, target: Float32Array): void {
  const [width, height] = [(right - left) / cells, (bottom - top) / cells];
  let mean = 0;
  for (let cell = 0; cell < descriptionLength; cell++) {
    const [x, y] = [left + (cell % cells) * width, top + Math.floor(cell / cells) * height];
    target[cell] = summed.mean(x, y, x + width, y + height);
    mean += target[cell] / descriptionLength;
  }
  let squares = 0;
  for (let cell = 0; cell < descriptionLength; cell++) {
    target[cell] -= mean;
    squares += target[cell] ** 2;
  }
  const length = Math.sqrt(squares);
  for (let cell = 0; cell < descriptionLength; cell++) target[cell] = length < 1e-3 ? 0 : target[cell] / length;
}

/** A plane with the sums of all rectangles from its corner, so that the mean of any rectangle takes four numbers. */
export class SummedPlane {
  readonly #side: number;
  readonly #sums: Float64Array;

  constructor({ side, values }: Plane) {
    this.#side = side;
    const width = side + 1;
    this.#sums = new Float64Array(width * width);
    for (let y = 0; y < side; y++) {
      let row = 0;
      for (let x = 0; x < side; x++) {
        row += values[y * side + x];
        this.#sums[(y + 1) * width + x + 1] = this.#sums[y * width + x + 1] + row;
      }
    }
  }

  /** Of the rectangle between two corners, each number from 0 to 1. */
  mean(left: number, top: number, right: number, bottom: number): number {
    const area = (right - left) * (bottom - top) * this.#side ** 2;
    return (
      (this.#upTo(right, bottom) - this.#upTo(left, bottom) - this.#upTo(right, top) + this.#upTo(left, top)) / area
    );
  }

  /** Bilinear between whole pixels, which is exact. */
  #upTo(x: number, y: number): number {
    const [across, down] = [x * this.#side, y * this.#side];
    const column = Math.min(this.#side - 1, Math.floor(across));
    const row = Math.min(this.#side - 1, Math.floor(down));
    const at = row * (this.#side + 1) + column;
    const [right, below] = [across - column, down - row];
    const upper = this.#sums[at] * (1 - right) + this.#sums[at + 1] * right;
    const lower = this.#sums[at + this.#side + 1] * (1 - right) + this.#sums[at + this.#side + 2] * right;
    return upper * (1 - below) + lower * below;
  }
}
