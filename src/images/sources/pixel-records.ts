/**
 * Images as equally long records in memory or in a file, one after another, in whatever order and type the file has.
 * A `RecordReader` brings them into ours: channel by channel and row by row, as bytes or 32-bit floats.
 */

import type { ByteSource } from "../../files/byte-source.ts";
import { type ImageSize, pixelCount } from "../image.ts";

export type PixelType = "uint8" | "float32" | "float64";

export interface PixelRecords {
  readonly bytes: ByteSource;
  /** Where the first record starts. */
  readonly offset: number;
  readonly type: PixelType;
  readonly count: number;
  readonly image: ImageSize;
  /** For each pixel, channel by channel and row by row, its place in the record. Left out: the same place. */
  readonly order?: Uint32Array | undefined;
}

const arrays = { uint8: Uint8Array, float32: Float32Array, float64: Float64Array } as const;

/** Records read at once take about this many bytes. */
const readAtOnce = 2 ** 20;

export class RecordReader {
  /** The most records that are loaded at once. */
  readonly atOnce: number;
  readonly #records: PixelRecords;
  readonly #pixels: number;
  /** What the file has; typed arrays need an aligned buffer, which a place in the file is not. */
  readonly #raw: Uint8Array | Float32Array | Float64Array;
  /** What we have: the same array where nothing changes. */
  readonly #arranged: Uint8Array | Float32Array;

  constructor(records: PixelRecords) {
    this.#records = records;
    this.#pixels = pixelCount(records.image);
    const { type, order } = records;
    this.atOnce = Math.max(1, Math.floor(readAtOnce / (this.#pixels * arrays[type].BYTES_PER_ELEMENT)));
    const length = this.atOnce * this.#pixels;
    const raw = new arrays[type](length);
    this.#raw = raw;
    if (raw instanceof Float64Array) this.#arranged = new Float32Array(length);
    else this.#arranged = order === undefined ? raw : raw.slice();
  }

  /** Records from `first` on, at most `atOnce`. The array is overwritten by the next call. */
  load(first: number, count: number): Uint8Array | Float32Array {
    const { bytes, offset } = this.#records;
    const size = this.#pixels * this.#raw.BYTES_PER_ELEMENT;
    bytes.read(offset + first * size, new Uint8Array(this.#raw.buffer, 0, count * size));
    if (this.#arranged !== this.#raw) this.#arrange(count);
    return this.#arranged.subarray(0, count * this.#pixels);
  }

  #arrange(count: number): void {
    const { order } = this.#records;
    for (let start = 0; start < count * this.#pixels; start += this.#pixels)
      for (let pixel = 0; pixel < this.#pixels; pixel++)
        this.#arranged[start + pixel] = this.#raw[start + (order === undefined ? pixel : order[pixel])];
  }
}
