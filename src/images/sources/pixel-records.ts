/**
 * Images as records of equal length in memory or in a file, in the file's own order and type. A `RecordReader` converts
 * them to ours: channel by channel and row by row, as bytes or 32-bit floats.
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
  /** For each pixel, channel by channel and row by row, its place in the record. Default: the same place. */
  readonly order?: Uint32Array | undefined;
}

const arrays = { uint8: Uint8Array, float32: Float32Array, float64: Float64Array } as const;

/** The approximate number of bytes per read. */
const bytesPerRead = 2 ** 20;

export class RecordReader {
  /** The most records per read. */
  readonly recordsPerRead: number;
  readonly #records: PixelRecords;
  readonly #pixels: number;
  /** As in the file; a copy, since typed arrays need an aligned buffer. */
  readonly #raw: Uint8Array | Float32Array | Float64Array;
  /** In our order and type; the same array where nothing changes. */
  readonly #arranged: Uint8Array | Float32Array;

  constructor(records: PixelRecords) {
    this.#records = records;
    this.#pixels = pixelCount(records.image);
    const { type, order } = records;
    this.recordsPerRead = Math.max(1, Math.floor(bytesPerRead / (this.#pixels * arrays[type].BYTES_PER_ELEMENT)));
    const length = this.recordsPerRead * this.#pixels;
    const raw = new arrays[type](length);
    this.#raw = raw;
    if (raw instanceof Float64Array) this.#arranged = new Float32Array(length);
    else this.#arranged = order === undefined ? raw : raw.slice();
  }

  /** Records from `first` on, at most `recordsPerRead`. The next call overwrites the array. */
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
