/**
 * A cache file of decoded images: the pixels as equally long records, then a description as JSON, then its SHA-256 and
 * its length. It is written under a temporary name and renamed when whole, so that a process that is killed, or another
 * one that does the same, leaves no half file. What is damaged anyway counts as absent; pixels are checked against
 * their fingerprint where they are read into memory.
 */
import { createHash, type Hash, randomUUID } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { SkippedFile } from "../dataset.ts";
import { InputError } from "../errors.ts";
import { type ImageSize, pixelCount } from "../image.ts";
import { type ByteSource, openBytes, readBytes } from "./bytes.ts";
import { startFingerprint } from "./fingerprint.ts";
import type { LabelledImages } from "./labelled-images.ts";
import type { PixelRecords } from "./pixel-records.ts";
import { examinePixels } from "./pixel-store.ts";
import { reasonOf } from "./reason.ts";

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
  readonly #file: string;
  readonly #temporary: string;
  readonly #image: ImageSize;
  readonly #hash: Hash;
  #descriptor: number | undefined;

  constructor(file: string, image: ImageSize) {
    this.#file = file;
    this.#temporary = `${file}.${randomUUID()}.tmp`;
    this.#image = image;
    this.#hash = startFingerprint(image, "uint8");
    this.#attempt(() => {
      mkdirSync(dirname(file), { recursive: true });
      this.#descriptor = openSync(this.#temporary, "wx");
    });
  }

  append(pixels: Uint8Array): void {
    this.#hash.update(pixels);
    this.#write(pixels);
  }

  /** After this the cache file is there. */
  finish(found: { readonly files: readonly string[]; readonly skipped: readonly SkippedFile[] }): void {
    const description: Description = { image: this.#image, fingerprint: this.#hash.digest("hex"), ...found };
    const content = Buffer.from(JSON.stringify(description));
    const length = Buffer.alloc(8);
    length.writeDoubleLE(content.length);
    this.#write(Buffer.concat([content, digestOf(content), length]));
    this.#close();
    this.#attempt(() => renameSync(this.#temporary, this.#file));
  }

  /** For when something went wrong. */
  discard(): void {
    this.#close();
    rmSync(this.#temporary, { force: true });
  }

  #write(content: Uint8Array): void {
    const descriptor = this.#descriptor;
    if (descriptor === undefined) throw new Error(`${this.#temporary} is closed`);
    this.#attempt(() => {
      for (let done = 0; done < content.length; ) done += writeSync(descriptor, content, done);
    });
  }

  #close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #attempt(run: () => void): void {
    try {
      run();
    } catch (error) {
      const folder = dirname(this.#file);
      throw new InputError(`${folder}: cannot be written (${reasonOf(error)}); set cacheFolder to another folder`);
    }
  }
}
