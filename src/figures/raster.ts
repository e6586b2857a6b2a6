/** Pictures made of pixels: images and maps, resized and placed side by side on a background. */
import { InputError } from "../files/errors.ts";
import type { ImageSize } from "../images/image.ts";

export type Rgb = readonly [red: number, green: number, blue: number];

/** Pixels row by row, three bytes each. */
export class Raster {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;

  constructor(width: number, height: number, background: Rgb) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint8Array(width * height * 3);
    for (let at = 0; at < this.pixels.length; at++) this.pixels[at] = background[at % 3];
  }

  /** Copies `tile` to where its upper left corner is (left, top). */
  draw(tile: Raster, left: number, top: number): void {
    if (left < 0 || top < 0 || left + tile.width > this.width || top + tile.height > this.height)
      throw new Error(`a tile of ${tile.width}x${tile.height} at ${left}, ${top} leaves ${this.width}x${this.height}`);
    for (let row = 0; row < tile.height; row++)
      this.pixels.set(
        tile.pixels.subarray(row * tile.width * 3, (row + 1) * tile.width * 3),
        ((top + row) * this.width + left) * 3,
      );
  }
}

export interface PlaneSize {
  readonly height: number;
  readonly width: number;
}

/** The size that fits a square of `box` pixels; smaller images grow by a whole factor, so that pixels stay sharp. */
export function fittedSize({ height, width }: PlaneSize, box: number): PlaneSize {
  const longest = Math.max(height, width);
  const factor = longest <= box ? Math.floor(box / longest) : box / longest;
  return { height: Math.max(1, Math.round(height * factor)), width: Math.max(1, Math.round(width * factor)) };
}

/** A plane of values at another size: each pixel is the mean of the area it covers. */
export function resized(values: Float32Array, from: PlaneSize, to: PlaneSize): Float32Array {
  const narrowed = alongAxis(values, { outer: from.height, inner: 1 }, from.width, to.width);
  return alongAxis(narrowed, { outer: 1, inner: to.width }, from.height, to.height);
}

/** Values [outer, from, inner] with another length of the middle axis. */
function alongAxis(
  values: Float32Array,
  { outer, inner }: { readonly outer: number; readonly inner: number },
  from: number,
  to: number,
): Float32Array {
  const result = new Float32Array(outer * to * inner);
  coverage(from, to).forEach((covered, pixel) => {
    for (const [index, share] of covered)
      for (let row = 0; row < outer; row++) {
        const [target, source] = [(row * to + pixel) * inner, (row * from + index) * inner];
        for (let at = 0; at < inner; at++) result[target + at] += share * values[source + at];
      }
  });
  return result;
}

/** For each of `to` pixels, the pixels of `from` that it covers, with their shares. */
function coverage(from: number, to: number): [index: number, share: number][][] {
  return Array.from({ length: to }, (_, pixel) => {
    // In units of 1 / to of a pixel, all of these are whole numbers.
    const [start, end] = [pixel * from, (pixel + 1) * from];
    const covered: [number, number][] = [];
    for (let index = Math.floor(start / to); index * to < end; index++)
      covered.push([index, (Math.min(end, (index + 1) * to) - Math.max(start, index * to)) / from]);
    return covered;
  });
}

/** An image of grey or colour values from 0 to 1 [channels, height, width], fitted to a square of `box` pixels. */
export function imageTile(values: Float32Array, image: ImageSize, box: number): Raster {
  const area = image.height * image.width;
  if (values.length !== image.channels * area)
    throw new InputError(
      `${values.length} values do not make an image of ${image.channels}x${image.height}x${image.width}`,
    );
  const size = fittedSize(image, box);
  const planes = Array.from({ length: image.channels }, (_, channel) =>
    resized(values.subarray(channel * area, (channel + 1) * area), image, size),
  );
  const [red, green, blue] = image.channels === 3 ? planes : [planes[0], planes[0], planes[0]];
  return paintedTile(size, (at) => [byte(red[at]), byte(green[at]), byte(blue[at])]);
}

/** A map of values [height, width] in colours. */
export function mapTile(values: Float32Array, map: PlaneSize, size: PlaneSize, colour: (value: number) => Rgb): Raster {
  const plane = resized(values, map, size);
  return paintedTile(size, (at) => colour(plane[at]));
}

function paintedTile({ height, width }: PlaneSize, colourAt: (at: number) => Rgb): Raster {
  const tile = new Raster(width, height, [0, 0, 0]);
  for (let at = 0; at < height * width; at++) tile.pixels.set(colourAt(at), at * 3);
  return tile;
}

/** A value from 0 to 1 as a byte. */
export const byte = (value: number): number => Math.round(255 * Math.min(Math.max(value, 0), 1));
