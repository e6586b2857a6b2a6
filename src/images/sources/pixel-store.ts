/** The pixels of a dataset as numbers from 0 to 1, or its vectors as they are, read in any order. */
import { InputError } from "../../files/errors.ts";
import { pixelCount } from "../image.ts";
import { startFingerprint } from "./fingerprint.ts";
import { type PixelRecords, RecordReader } from "./pixel-records.ts";

export class PixelStore {
  readonly #records: PixelRecords;
  readonly #reader: RecordReader;
  readonly #largest: number;
  #closed = false;

  /** `largest` is the value that becomes 1. */
  constructor(records: PixelRecords, largest: number) {
    this.#records = records;
    this.#reader = new RecordReader(records);
    this.#largest = largest;
  }

  /** Consecutive images of the file are read together, wherever they are in `indices`. */
  read(indices: ArrayLike<number>, target: Float32Array): void {
    this.#expectReadable(indices, target);
    const places = Uint32Array.from({ length: indices.length }, (_, place) => place);
    places.sort((a, b) => indices[a] - indices[b]);
    for (let start = 0; start < places.length; ) {
      const end = this.#endOfRun(indices, places, start);
      const first = indices[places[start]];
      const run = this.#reader.load(first, indices[places[end - 1]] - first + 1);
      for (; start < end; start++) this.#scale(run, indices[places[start]] - first, target, places[start]);
    }
  }

  close(): void {
    if (!this.#closed) this.#records.bytes.close();
    this.#closed = true;
  }

  #endOfRun(indices: ArrayLike<number>, places: Uint32Array, start: number): number {
    const first = indices[places[start]];
    let end = start + 1;
    for (; end < places.length; end++) {
      const index = indices[places[end]];
      if (index - indices[places[end - 1]] > 1 || index - first >= this.#reader.recordsPerRead) break;
    }
    return end;
  }

  #scale(run: Uint8Array | Float32Array, from: number, target: Float32Array, to: number): void {
    const pixels = pixelCount(this.#records.image);
    const [source, start] = [from * pixels, to * pixels];
    for (let pixel = 0; pixel < pixels; pixel++) target[start + pixel] = run[source + pixel] / this.#largest;
  }

  #expectReadable(indices: ArrayLike<number>, target: Float32Array): void {
    const { count, image } = this.#records;
    if (this.#closed) throw new Error("the dataset is closed");
    if (target.length < indices.length * pixelCount(image))
      throw new RangeError(`${indices.length} images do not fit into ${target.length} numbers`);
    for (let place = 0; place < indices.length; place++)
      if (!(Number.isInteger(indices[place]) && indices[place] >= 0 && indices[place] < count))
        throw new RangeError(`there is no image ${indices[place]} of ${count}`);
  }
}

export interface PixelFacts {
  readonly fingerprint: string;
  /** The value that becomes 1. */
  readonly largest: number;
}

/**
 * Reads all pixels once. The range of bytes is 0 to 255; that of floats is 0 to 1 if none is larger, else 0 to 255.
 * Other values are refused, since only their owner knows what is black and what is white.
 */
export function examinePixels(records: PixelRecords, name: string): PixelFacts {
  const { image, type, count } = records;
  const reader = new RecordReader(records);
  const hash = startFingerprint(image, type === "uint8" ? "uint8" : "float32");
  let largest = type === "uint8" ? 255 : 1;
  for (let first = 0; first < count; first += reader.recordsPerRead) {
    const values = reader.load(first, Math.min(reader.recordsPerRead, count - first));
    if (values instanceof Float32Array) largest = Math.max(largest, largestFloat(values, { first, records, name }));
    hash.update(values);
  }
  return { fingerprint: hash.digest("hex"), largest };
}

interface FloatOrigin {
  readonly first: number;
  readonly records: PixelRecords;
  readonly name: string;
}

function largestFloat(values: Float32Array, { first, records, name }: FloatOrigin): 1 | 255 {
  let largest: 1 | 255 = 1;
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (value >= 0 && value <= 1) continue;
    if (!(value >= 0 && value <= 255)) {
      const row = first + Math.floor(at / pixelCount(records.image));
      throw new InputError(`${name}: image ${row} holds ${value}; scale the pixels to numbers from 0 to 1`);
    }
    largest = 255;
  }
  return largest;
}
