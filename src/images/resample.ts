/**
 * Resizes 8-bit images as Pillow's `Image.resize` does, to the bit: pretrained networks have seen nothing else.
 *
 * Rows first, then columns. Where an image shrinks, the filter widens by the same factor, so that every pixel counts
 * (antialiasing). Weights are whole numbers in units of 2^-22, and what lies between the two passes is 8-bit again.
 */

/** RGB pixel by pixel, as decoders give it. */
export interface RgbPixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A part of an image. */
export interface Region {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface Filter {
  /** Weights are zero from this distance on, in pixels. */
  readonly support: number;
  readonly weight: (distance: number) => number;
}

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(x * Math.PI) / (x * Math.PI));

function bicubic(distance: number): number {
  const a = -0.5;
  const x = Math.abs(distance);
  if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
}

const filters = {
  box: { support: 0.5, weight: (x) => (x > -0.5 && x <= 0.5 ? 1 : 0) },
  bilinear: { support: 1, weight: (x) => Math.max(0, 1 - Math.abs(x)) },
  hamming: { support: 1, weight: (x) => (Math.abs(x) < 1 ? sinc(x) * (0.54 + 0.46 * Math.cos(x * Math.PI)) : 0) },
  bicubic: { support: 2, weight: bicubic },
  lanczos: { support: 3, weight: (x) => (x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0) },
} satisfies Readonly<Record<string, Filter>>;

export type Resample = "nearest" | keyof typeof filters;

/** `part`, channel by channel ([3, height, width]), of what the whole image would be with `width` and `height`. */
export function resample(
  pixels: RgbPixels,
  { width, height }: { readonly width: number; readonly height: number },
  method: Resample,
  part: Region = { left: 0, top: 0, width, height },
): Uint8Array {
  const across = { from: pixels.width, to: width, start: part.left, count: part.width };
  const down = { from: pixels.height, to: height, start: part.top, count: part.height };
  if (method === "nearest") return pick(pixels, nearest(across), nearest(down));
  const columns = kernels(filters[method], across);
  const rows = kernels(filters[method], down);
  return resizeColumns(resizeRows(pixels, columns, rows), rows, part.width);
}

/** One axis: `count` places from `start` on, of `to` that `from` become. */
interface Axis {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly count: number;
}

/** Adds up steps as Pillow does, since rounding decides between two neighbours. */
function nearest({ from, to, start, count }: Axis): Int32Array {
  const step = from / to;
  const places = new Int32Array(count);
  let place = step / 2;
  for (let at = 0; at < start + count; at++, place += step) if (at >= start) places[at - start] = place;
  return places;
}

function pick({ data, width }: RgbPixels, columns: Int32Array, rows: Int32Array): Uint8Array {
  const picked = new Uint8Array(3 * rows.length * columns.length);
  let to = 0;
  for (let channel = 0; channel < 3; channel++)
    for (const row of rows) for (const column of columns) picked[to++] = data[(row * width + column) * 3 + channel];
  return picked;
}

const fractionBits = 22;
const half = 1 << (fractionBits - 1);

/** What each place of an axis is made of. */
interface Kernels {
  /** The first source of each place, and the one after the last. */
  readonly first: Int32Array;
  readonly end: Int32Array;
  /** `size` weights for each place, of which it uses those that it has sources for. */
  readonly weights: Int32Array;
  readonly size: number;
}

function kernels({ support, weight }: Filter, { from, to, start, count }: Axis): Kernels {
  const scale = from / to;
  const widening = Math.max(1, scale);
  const reach = support * widening;
  const size = Math.ceil(reach) * 2 + 1;
  const first = new Int32Array(count);
  const end = new Int32Array(count);
  const weights = new Int32Array(count * size);
  for (let place = 0; place < count; place++) {
    const centre = (start + place + 0.5) * scale;
    first[place] = Math.max(0, centre - reach + 0.5);
    end[place] = Math.min(from, centre + reach + 0.5);
    const exact = Array.from({ length: end[place] - first[place] }, (_, at) =>
      weight((first[place] + at - centre + 0.5) * (1 / widening)),
    );
    const total = exact.reduce((sum, one) => sum + one, 0);
    for (const [at, one] of exact.entries()) weights[place * size + at] = inFractions(total === 0 ? one : one / total);
  }
  return { first, end, weights, size };
}

/** Rounds halves away from zero; `Math.round` would not. */
const inFractions = (weight: number): number => Math.trunc(weight * 2 ** fractionBits + (weight < 0 ? -0.5 : 0.5));

/** Every row that `rows` needs, at its new width; channel by channel. */
function resizeRows({ data, width }: RgbPixels, columns: Kernels, rows: Kernels): Uint8ClampedArray {
  const { first, end, weights, size } = columns;
  const [top, bottom] = [rows.first[0], rows.end[rows.end.length - 1]];
  const plane = (bottom - top) * first.length;
  const resized = new Uint8ClampedArray(3 * plane);
  let to = 0;
  for (let row = top; row < bottom; row++)
    for (let column = 0; column < first.length; column++) {
      let [red, green, blue] = [half, half, half];
      let tap = column * size;
      const last = (row * width + end[column]) * 3;
      for (let at = (row * width + first[column]) * 3; at < last; at += 3) {
        const weight = weights[tap++];
        red = (red + Math.imul(data[at], weight)) | 0;
        green = (green + Math.imul(data[at + 1], weight)) | 0;
        blue = (blue + Math.imul(data[at + 2], weight)) | 0;
      }
      resized[to] = red >> fractionBits;
      resized[to + plane] = green >> fractionBits;
      resized[to + 2 * plane] = blue >> fractionBits;
      to++;
    }
  return resized;
}

/** `lines` begins, in each channel, with the first row that `rows` needs. */
function resizeColumns(lines: Uint8ClampedArray, rows: Kernels, width: number): Uint8Array {
  const { first, end, weights, size } = rows;
  const plane = lines.length / 3;
  const resized = new Uint8ClampedArray(3 * first.length * width);
  let to = 0;
  for (let channel = 0; channel < 3; channel++)
    for (let row = 0; row < first.length; row++) {
      const start = channel * plane + (first[row] - first[0]) * width;
      const length = (end[row] - first[row]) * width;
      for (let column = start; column < start + width; column++) {
        let sum = half;
        let tap = row * size;
        for (let at = column; at < column + length; at += width) sum = (sum + Math.imul(lines[at], weights[tap++])) | 0;
        resized[to++] = sum >> fractionBits;
      }
    }
  return new Uint8Array(resized.buffer);
}
