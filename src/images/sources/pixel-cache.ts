/**
 * A cache file of decoded images: the pixels as equally long records, then a description as JSON, then its SHA-256 and
 * its length. What is damaged counts as absent; pixels are checked against their fingerprint where they are read into
 * memory.
 */
import { createHash, type Hash } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { ByteSource } from "../../files/byte-source.ts";
import { openBytes, readBytes } from "../../files/bytes.ts";
import { InputError, reasonOf } from "../../files/errors.ts";
import type { SkippedFile } from "../dataset.ts";
import { type ImageSize, pixelCount } from "../image.ts";
import { startFingerprint } from "./fingerprint.ts";
import type { LabelledImages } from "./labelled-images.ts";
import { type PartialOptions, PartialRecords } from "./partial-records.ts";
import type { PixelRecords } from "./pixel-records.ts";
import { examinePixels } from "./pixel-store.ts";

interface Description {
  readonly image: ImageSize;
  /** The file of each record. */
  readonly files: readonly string[];
  readonly skipped: readonly SkippedFile[];
  readonly fingerprint: string;
}

export type CachedImages = Required<Omit<LabelledImages, "labels">>;

const digestLength = 32;
const endLength = digestLength + 8;

const digestOf = (content: Uint8Array): Buffer => createHash("sha256").update(content).digest();

export function readPixelCache(file: string, memoryLimit: number): CachedImages | undefined {
  if (!existsSync(file)) return undefined;
  const bytes = openBytes(file, memoryLimit);
  const description = readDescription(bytes);
  if (description !== undefined) {
    const { image, files, skipped, fingerprint } = description;
    const records: PixelRecords = { bytes, offset: 0, type: "uint8", count: files.length, image };
    if (bytes.length > memoryLimit || examinePixels(records, file).fingerprint === fingerprint)
      return { records, files, skipped, facts: { fingerprint, largest: 255 } };
  }
  bytes.close();
  return undefined;
}

function readDescription(bytes: ByteSource): Description | undefined {
  const end = readBytes(bytes, Math.max(0, bytes.length - endLength));
  if (end.length < endLength) return undefined;
  const length = end.readDoubleLE(digestLength);
  const start = bytes.length - endLength - length;
  if (!(Number.isInteger(start) && start >= 0 && length > 0)) return undefined;
  const content = readBytes(bytes, start, length);
  if (!digestOf(content).equals(end.subarray(0, digestLength))) return undefined;
  // The digest says that it is as we wrote it.
  const description: Description = JSON.parse(content.toString("utf8"));
  return start === description.files.length * pixelCount(description.image) ? description : undefined;
}

export class PixelCacheWriter {
  readonly #folder: string;
  readonly #records: PartialRecords;
  readonly #image: ImageSize;
  readonly #hash: Hash;

  /** Goes on with what an earlier process left, if it left anything. */
  constructor(file: string, image: ImageSize, options: PartialOptions = {}) {
    this.#folder = dirname(file);
    this.#image = image;
    this.#hash = startFingerprint(image, "uint8");
    this.#records = this.#attempt(() => {
      mkdirSync(this.#folder, { recursive: true });
      const records = new PartialRecords(file, pixelCount(image), options);
      for (const record of records.left()) this.#hash.update(record);
      return records;
    });
  }

  /** Files that are done: those with a record, and those without. */
  get done(): number {
    return this.#records.records + this.skipped.length;
  }

  get skipped(): readonly SkippedFile[] {
    return this.#records.skipped;
  }

  append(pixels: Uint8Array): void {
    this.#hash.update(pixels);
    this.#attempt(() => this.#records.append(pixels));
  }

  skip(file: SkippedFile): void {
    this.#attempt(() => this.#records.skip(file));
  }

  /** After this the cache file is there. `files`: those with a record. */
  finish(files: readonly string[]): void {
    const { skipped } = this;
    const description: Description = { image: this.#image, fingerprint: this.#hash.digest("hex"), files, skipped };
    const content = Buffer.from(JSON.stringify(description));
    const length = Buffer.alloc(8);
    length.writeDoubleLE(content.length);
    this.#attempt(() => this.#records.finish(Buffer.concat([content, digestOf(content), length])));
  }

  /** Leaves what took a while to make to a later process. */
  leave(): void {
    this.#records.leave();
  }

  #attempt<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      throw new InputError(
        `${this.#folder}: cannot be written (${reasonOf(error)}); set cacheFolder to another folder`,
        { option: "cacheFolder" },
      );
    }
  }
}
