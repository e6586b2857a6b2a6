/**
 * Vectors that a backbone has computed, in a file that only grows: a record for each image, with the hash of its
 * content, the vector, and a checksum. Whoever is stopped has lost nothing that was written, and an image is known
 * again wherever it lies.
 */
import { createHash } from "node:crypto";
import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
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
  readonly #size: number;
  /** Where in the file the record of an image begins, by its key. */
  readonly #places = new Map<string, number>();

  private constructor(file: string, fd: number, size: number) {
    this.#file = file;
    this.#fd = fd;
    this.#size = size;
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
    const vector = new Float32Array(this.#size);
    readSync(this.#fd, bytesOf(vector), 0, vector.byteLength, place + keyLength);
    return vector;
  }

  has(key: Uint8Array): boolean {
    return this.#places.has(hexOf(key));
  }

  /** By one write: what another process appends meanwhile comes before or after it. */
  append(vectors: readonly CachedVector[]): void {
    const records = Buffer.concat(
      vectors.map(({ key, vector }) => Buffer.concat([key, bytesOf(vector), checkOf(key, bytesOf(vector))])),
    );
    try {
      writeSync(this.#fd, records);
    } catch (error) {
      throw unwritable(this.#file, error);
    }
    const start = fstatSync(this.#fd).size - records.length;
    vectors.forEach(({ key }, index) => {
      this.#places.set(hexOf(key), start + index * this.#recordLength);
    });
  }

  close(): void {
    closeSync(this.#fd);
  }

  get #recordLength(): number {
    return keyLength + 4 * this.#size + checkLength;
  }

  /** What follows a record that is damaged or was not written to its end is forgotten. */
  #index(): void {
    const length = this.#recordLength;
    const { size } = fstatSync(this.#fd);
    const block = Buffer.alloc(readAtOnce * length);
    let place = 0;
    while (place + length <= size) {
      const read = readSync(this.#fd, block, 0, block.length, place);
      const whole = Math.floor(read / length);
      for (let record = 0; record < whole; record++) {
        const bytes = block.subarray(record * length, (record + 1) * length);
        const [key, vector] = [bytes.subarray(0, keyLength), bytes.subarray(keyLength, length - checkLength)];
        if (!checkOf(key, vector).equals(bytes.subarray(length - checkLength))) {
          this.#cut(place);
          return;
        }
        this.#places.set(hexOf(key), place);
        place += length;
      }
    }
    if (place < size) this.#cut(place);
  }

  #cut(place: number): void {
    ftruncateSync(this.#fd, place);
  }
}

const hexOf = (key: Uint8Array): string => Buffer.from(key).toString("hex");

const bytesOf = (values: Float32Array): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

const checkOf = (key: Uint8Array, vector: Uint8Array): Buffer =>
  createHash("sha256").update(key).update(vector).digest().subarray(0, checkLength);

const unwritable = (file: string, error: unknown): InputError =>
  new InputError(`${dirname(file)}: cannot be written (${reasonOf(error)}); set cacheFolder to another folder`, {
    option: "cacheFolder",
  });
