/** Vectors as records: images of one place, with a channel per number. */
import { memoryBytes } from "../../files/bytes.ts";
import { InputError } from "../../files/errors.ts";
import { asFloat32, type NumericArray } from "../../files/numeric-array.ts";
import { vectorSize } from "../image.ts";
import { startFingerprint } from "./fingerprint.ts";
import { type PixelRecords, RecordReader } from "./pixel-records.ts";

/** What a column of vectors, or an array of them, may be called. */
export const vectorNames = ["features", "embeddings", "embedding", "vectors", "vector"];
/** What a table's column of names may be called. */
export const nameColumns = ["item", "file", "id", "name", "path"];
/** A class is no number to cluster by, even where it is written as one. */
export const labelColumns = ["label", "labels"];

/** Those of an array of any type. */
export function vectorsIn(array: NumericArray): PixelRecords {
  const { name, shape } = array;
  const length = lengthOf(shape);
  if (length === undefined)
    throw new InputError(
      `${name}: the array is ${shape.join(" x ") || "a single number"}; make it vectors x numbers, with two axes`,
    );
  expectSome(shape[0], length, name);
  const { bytes, offset } = asFloat32(array);
  return { bytes, offset, type: "float32", count: shape[0], image: vectorSize(length) };
}

/** The last of two axes; maps of one place, as some networks give them, are vectors too. */
function lengthOf(shape: readonly number[]): number | undefined {
  const [, second, third, last] = shape;
  if (shape.length === 2) return second;
  if (shape.length !== 4 || third !== 1) return undefined;
  return second === 1 ? last : last === 1 ? second : undefined;
}

/** Those of a table, which must be equally long. */
export function vectorsFromRows(rows: readonly Float32Array[], name: string): PixelRecords {
  const length = rows[0]?.length ?? 0;
  expectSome(rows.length, length, name);
  const values = new Float32Array(rows.length * length);
  for (const [row, numbers] of rows.entries()) {
    if (numbers.length !== length)
      throw new InputError(
        `${name}: row ${row} (from 0 on) has ${numbers.length} numbers, and row 0 has ${length}; make them equal`,
      );
    values.set(numbers, row * length);
  }
  const bytes = memoryBytes(new Uint8Array(values.buffer));
  return { bytes, offset: 0, type: "float32", count: rows.length, image: vectorSize(length) };
}

function expectSome(count: number, length: number, name: string): void {
  if (count === 0) throw new InputError(`${name}: holds no vectors; give at least one`);
  if (length === 0) throw new InputError(`${name}: its vectors have no numbers; give at least one column of them`);
}

/** Reads all numbers once: the SHA-256 of them, as of pixels. Refuses what nothing can be computed with. */
export function examineVectors(records: PixelRecords, name: string): string {
  const { image, count } = records;
  const reader = new RecordReader(records);
  const hash = startFingerprint(image, "float32");
  for (let first = 0; first < count; first += reader.recordsPerRead) {
    const values = reader.load(first, Math.min(reader.recordsPerRead, count - first));
    const bad = values.findIndex((value) => !Number.isFinite(value));
    if (bad >= 0) {
      const row = first + Math.floor(bad / image.channels);
      throw new InputError(
        `${name}: row ${row} (from 0 on) holds ${values[bad]} as a 32-bit float; remove the row or repair its numbers`,
      );
    }
    hash.update(values);
  }
  return hash.digest("hex");
}
