/**
 * Many small pictures in two files that only grow: `pictures.pack` has one picture after another, `pictures.index` an
 * entry of 32 bytes for each: 16 of its key, 8 of its place, 4 of its length, 4 unused. The picture is written before
 * its entry, so that a process that is killed leaves at most a picture that nobody finds.
 */
import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../files/atomic.ts";
import { type Lock, LockedError, takeLock } from "../../files/lock-file.ts";

const entrySize = 32;

/** What only the process has that writes. */
interface Writing {
  readonly lock: Lock;
  /** The descriptor of the index. */
  readonly index: number;
}

interface Place {
  readonly offset: number;
  readonly length: number;
}

/** The first 16 bytes of a hash, as text of one character per byte: short, and fast to look up. */
const keyOf = (version: string): string =>
  createHash("sha256").update(version).digest().subarray(0, 16).toString("latin1");

export class ThumbnailPack {
  readonly #places = new Map<string, Place>();
  readonly #file: FileHandle;
  /** Absent where another process writes. */
  readonly #writing: Writing | undefined;
  #end: number;

  private constructor(file: FileHandle, writing: Writing | undefined, index: Buffer, end: number) {
    this.#file = file;
    this.#writing = writing;
    this.#end = end;
    for (let at = 0; at + entrySize <= index.length; at += entrySize) {
      const place = { offset: Number(index.readBigUInt64LE(at + 16)), length: index.readUInt32LE(at + 24) };
      if (place.offset + place.length <= end) this.#places.set(index.toString("latin1", at, at + 16), place);
    }
  }

  /** The pack in that folder, which is made if need be. Where another process writes to it, it is only read. */
  static async open(folder: string): Promise<ThumbnailPack> {
    makeFolder(folder);
    const lock = lockUnlessHeld(join(folder, "pictures.lock"));
    const [pack, index] = [join(folder, "pictures.pack"), join(folder, "pictures.index")];
    const file = await open(pack, lock === undefined ? "r" : "a+");
    const { size } = await file.stat();
    if (lock === undefined) return new ThumbnailPack(file, undefined, readFileSync(index), size);
    const fd = openSync(index, "a+");
    // What was cut off in the middle of an entry would shift all that follow.
    const whole = Math.floor(fstatSync(fd).size / entrySize) * entrySize;
    truncateSync(index, whole);
    return new ThumbnailPack(file, { lock, index: fd }, readFileSync(index), size);
  }

  has(version: string): boolean {
    return this.#places.has(keyOf(version));
  }

  async get(version: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const place = this.#places.get(keyOf(version));
    if (place === undefined) return undefined;
    const bytes = new Uint8Array(place.length);
    const { bytesRead } = await this.#file.read(bytes, 0, place.length, place.offset);
    // A machine that lost its power may have kept the entry and not the picture.
    return bytesRead === place.length && isWebp(bytes) ? bytes : undefined;
  }

  add(version: string, bytes: Uint8Array): void {
    if (this.#writing === undefined) return;
    const key = keyOf(version);
    const place = { offset: this.#end, length: bytes.length };
    this.#end += writeSync(this.#file.fd, bytes);
    const entry = Buffer.alloc(entrySize);
    entry.write(key, 0, "latin1");
    entry.writeBigUInt64LE(BigInt(place.offset), 16);
    entry.writeUInt32LE(place.length, 24);
    writeSync(this.#writing.index, entry);
    this.#places.set(key, place);
  }

  async close(): Promise<void> {
    await this.#file.close();
    if (this.#writing === undefined) return;
    closeSync(this.#writing.index);
    this.#writing.lock.release();
  }
}

function lockUnlessHeld(path: string): Lock | undefined {
  try {
    return takeLock(path, () => ({ message: `${path}: another process writes` }));
  } catch (error) {
    if (error instanceof LockedError) return undefined;
    throw error;
  }
}

const isWebp = (bytes: Uint8Array): boolean => Buffer.from(bytes.buffer, 0, 4).toString("latin1") === "RIFF";
