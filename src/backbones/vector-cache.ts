/**
 * Vectors that a backbone has computed, in a file that only grows: a record for each image, with the hash of its
 * content, the vector, and a checksum. Whoever is stopped has lost nothing that was written, and an image is known
 * again wherever it lies. Several processes may use the file at once: a record is believed only if its checksum is
 * right when it is read.
 */
import { createHash } from "node:crypto";
import { closeSync, fstatSync, mkdirSync, openSync, readSync, truncateSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { InputError, reasonOf } from "../files/errors.ts";

const keyLength = 32;
const checkLength = 8;

export interface CachedVector {
  /** SHA-256 of the image's content. */
  readonly key: Uint8Array;
  readonly vector: Float32Array;
}

/** Records that are read at once. */
const readAtOnce = 1024;

export class VectorCache {
  readonly #file: string;
  readonly #fd: number;
  /** Bytes per record. */
  readonly #length: number;
  /** Where in the file the record of an image begins, by its key. */
  readonly #places = new Map<string, number>();

  private constructor(file: string, fd: number, size: number) {
    this.#file = file;
    this.#fd = fd;
    this.#length = keyLength + size * Float32Array.BYTES_PER_ELEMENT + checkLength;
  }

  /** `size` is the length of a vector. */
  static open(file: string, size: number): VectorCache {
    try {
      mkdirSync(dirname(file), { recursive: true });
      const cache = new VectorCache(file, openSync(file, "a+"), size);
      cache.#index();
      return cache;
    } catch (error) {
      throw unwritable(file, error);
    }
  }

  /** Undefined where the image is not known. */
  get(key: Uint8Array): Float32Array | undefined {
    const place = this.#places.get(hexOf(key));
    if (place === undefined) return undefined;
    const record = Buffer.alloc(this.#length);
    readSync(this.#fd, record, 0, this.#length, place);
    if (!isRight(record) || !keyOf(record).equals(key)) return undefined;
    const vector = new Float32Array((this.#length - keyLength - checkLength) / Float32Array.BYTES_PER_ELEMENT);
    bytesOf(vector).set(record.subarray(keyLength, -checkLength));
    return vector;
  }

  /** By one write: what another process appends meanwhile comes before or after it. */
  append(vectors: readonly CachedVector[]): void {
    const records = Buffer.concat(vectors.flatMap(({ key, vector }) => recordOf(key, vector)));
    try {
      const written = writeSync(this.#fd, records);
      if (written < records.length) throw new Error("the disk is full");
    } catch (error) {
      throw unwritable(this.#file, error);
    }
    // Wrong if another process has appended just now: then the records there are not these, and are computed again.
    const start = fstatSync(this.#fd).size - records.length;
    vectors.forEach(({ key }, index) => {
      this.#places.set(hexOf(key), start + index * this.#length);
    });
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** Of two records of an image, the first of which is damaged then, the second counts. */
  #index(): void {
    const block = Buffer.alloc(readAtOnce * this.#length);
    let place = 0;
    for (;;) {
      const read = readSync(this.#fd, block, 0, block.length, place);
      const end = read - (read % this.#length);
      for (let start = 0; start < end; start += this.#length)
        this.#places.set(block.toString("hex", start, start + keyLength), place + start);
      place += end;
      if (end === 0) break;
    }
    // What was not written to its end, so that records after it begin where they should.
    if (place < fstatSync(this.#fd).size) truncateSync(this.#file, place);
  }
}

function recordOf(key: Uint8Array, vector: Float32Array): Uint8Array[] {
  const content = bytesOf(vector);
  return [key, content, checksum([key, content])];
}

const keyOf = (record: Buffer): Buffer => record.subarray(0, keyLength);

const isRight = (record: Buffer): boolean =>
  checksum([record.subarray(0, -checkLength)]).equals(record.subarray(-checkLength));

function checksum(parts: readonly Uint8Array[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest().subarray(0, checkLength);
}

const hexOf = (key: Uint8Array): string => Buffer.from(key).toString("hex");

const bytesOf = (values: Float32Array): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

const unwritable = (file: string, error: unknown): InputError =>
  new InputError(`${dirname(file)}: cannot be written (${reasonOf(error)}); set cacheFolder to another folder`, {
    option: "cacheFolder",
  });
