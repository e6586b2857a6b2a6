/**
 * Which pictures may be crops of one another: a coarse look at every pair, so cheap that there may be many pairs.
 *
 * A picture is described by the means of 8 by 8 cells, less their mean and divided by their length, so that the product
 * of two descriptions is their correlation. Of each picture, the descriptions of many crops of it are known too: the
 * lowest product of one of these with the whole says how like it another picture must be at least to be one of its crops.
 */
import type { Plane } from "./plane.ts";

const cells = 8;
const descriptionLength = cells * cells;

/** Cut off at each side, as shares of it: of crops up to 0.05, none is further than 0.0125 from one of these. */
const cuts = [0.0125, 0.0375];
/** What is lost grows with the square of what is cut off: from 0.0375 to 0.05, nearly twofold. */
const growth = 2;

/** Descriptions lose a little when a picture is compressed, shrunk or brightened. */
const slack = 0.05;

/** Of the crop that is nearest; what is below shows something else. */
const leastLikeness = 0.95;

export interface Window {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The whole comes first. */
const windows: readonly Window[] = [
  { left: 0, right: 1, top: 0, bottom: 1 },
  ...cuts.flatMap((left) =>
    cuts.flatMap((right) =>
      cuts.flatMap((top) => cuts.map((bottom) => ({ left, right: 1 - right, top, bottom: 1 - bottom }))),
    ),
  ),
];

export interface Candidate {
  readonly whole: number;
  readonly crop: number;
  /** The part of the whole that the crop may show; it may be all of it. */
  readonly window: Window;
}

export class CropFinder {
  readonly #count: number;
  /** [pictures, windows, cells]: 4 KB per picture. */
  readonly #crops: Float32Array;
  /** How like it a picture must be at least to be a crop of it. */
  readonly #least: Float32Array;
  readonly #coarse: Coarse;

  constructor(count: number, lumaOf: (picture: number) => Plane) {
    this.#count = count;
    this.#crops = new Float32Array(count * windows.length * descriptionLength);
    this.#least = new Float32Array(count);
    for (let picture = 0; picture < count; picture++) {
      const crops = this.#cropsOf(picture);
      describeWindows(lumaOf(picture), crops);
      this.#least[picture] = 1 - growth * (1 - leastProduct(this.#descriptionOf(picture), crops)) - slack;
    }
    this.#coarse = new Coarse(count, (picture) => this.#descriptionOf(picture));
  }

  /** Pictures that `picture` may be a crop of, or that may be crops of it. */
  *candidates(picture: number, isWanted: (other: number) => boolean): Generator<Candidate> {
    const own = this.#descriptionOf(picture);
    for (let other = 0; other < this.#count; other++) {
      const least = Math.min(this.#least[picture], this.#least[other]);
      if (other === picture || !isWanted(other) || this.#coarse.most(picture, other) < least) continue;
      const likeness = product(own, this.#descriptionOf(other));
      if (likeness >= this.#least[picture]) yield* this.#between(picture, other);
      if (likeness >= this.#least[other]) yield* this.#between(other, picture);
    }
  }

  *#between(whole: number, crop: number): Generator<Candidate> {
    const { index, likeness } = nearestCrop(this.#cropsOf(whole), this.#descriptionOf(crop));
    if (likeness >= leastLikeness) yield { whole, crop, window: windows[index] };
  }

  #cropsOf(picture: number): Float32Array {
    const length = windows.length * descriptionLength;
    return this.#crops.subarray(picture * length, (picture + 1) * length);
  }

  /** Of the whole, which is the first window. */
  #descriptionOf(picture: number): Float32Array {
    return this.#cropsOf(picture).subarray(0, descriptionLength);
  }
}

/**
 * An upper bound of a product, from a quarter of the numbers: the means of four cells each, and the length of what
 * these leave out, by the inequality of Cauchy and Schwarz.
 */
class Coarse {
  readonly #means: Float32Array;
  readonly #rests: Float32Array;

  constructor(count: number, descriptionOf: (picture: number) => Float32Array) {
    this.#means = new Float32Array(count * coarseLength);
    this.#rests = new Float32Array(count);
    for (let picture = 0; picture < count; picture++) {
      const means = this.#means.subarray(picture * coarseLength, (picture + 1) * coarseLength);
      const description = descriptionOf(picture);
      for (let cell = 0; cell < descriptionLength; cell++) {
        const [x, y] = [(cell % cells) >> 1, Math.floor(cell / cells) >> 1];
        // Halves, so that the product of two is that of the projections.
        means[y * (cells / 2) + x] += description[cell] / 2;
      }
      this.#rests[picture] = Math.sqrt(Math.max(0, 1 - product(means, means)));
    }
  }

  most(a: number, b: number): number {
    let sum = this.#rests[a] * this.#rests[b];
    for (let i = 0; i < coarseLength; i++) sum += this.#means[a * coarseLength + i] * this.#means[b * coarseLength + i];
    return sum;
  }
}

const coarseLength = descriptionLength / 4;

function describeWindows(plane: Plane, target: Float32Array): void {
  const summed = new SummedPlane(plane);
  windows.forEach((window, index) => {
    describe(summed, window, target.subarray(index * descriptionLength, (index + 1) * descriptionLength));
  });
}

function leastProduct(own: Float32Array, crops: Float32Array): number {
  let least = 1;
  for (let index = 0; index < windows.length; index++) least = Math.min(least, productAt(crops, index, own));
  return least;
}

function nearestCrop(crops: Float32Array, description: Float32Array): { index: number; likeness: number } {
  let nearest = { index: 0, likeness: productAt(crops, 0, description) };
  for (let index = 1; index < windows.length; index++) {
    const likeness = productAt(crops, index, description);
    if (likeness > nearest.likeness) nearest = { index, likeness };
  }
  return nearest;
}

function productAt(crops: Float32Array, index: number, description: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < descriptionLength; i++) sum += crops[index * descriptionLength + i] * description[i];
  return sum;
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** The means of the cells of a window, centred and of length 1; of a plain picture, zeros. */
function describe(summed: SummedPlane, { left, right, top, bottom }: Window, target: Float32Array): void {
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
class SummedPlane {
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
