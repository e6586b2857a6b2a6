/**
 * Equally long records on their way into a file, which a later process can go on with: now and then what is there is
 * forced to the disk, and a note beside it says how much that is. One process at a time does so; another that wants the
 * same file meanwhile makes one of its own.
 */

import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Chunk, writeAll } from "../../files/atomic.ts";
import { type Lock, LockedError, takeLock } from "../../files/lock-file.ts";
import type { SkippedFile } from "../dataset.ts";

/** What is noted: so many records, and the files that have none. */
interface Progress {
  readonly size: number;
  readonly records: number;
  readonly skipped: readonly SkippedFile[];
}

export interface PartialOptions {
  /** Milliseconds between two notes. Default: 2000. */
  readonly noteEvery?: number;
}

export class PartialRecords {
  readonly #path: string;
  readonly #temporary: string;
  readonly #size: number;
  readonly #lock: Lock | undefined;
  readonly #fd: number;
  #open = true;
  readonly #noteEvery: number;
  #records: number;
  readonly #skipped: SkippedFile[];
  /** Whether there is a note, and when it was written. */
  #noted: boolean;
  #notedAt = performance.now();

  /** Of `size` bytes each. */
  constructor(path: string, size: number, { noteEvery = 2000 }: PartialOptions = {}) {
    this.#path = path;
    this.#size = size;
    this.#noteEvery = noteEvery;
    this.#lock = lockFor(path);
    const name = this.#lock === undefined ? `${randomBytes(6).toString("hex")}.tmp` : "partial";
    this.#temporary = join(dirname(path), `.${basename(path)}.${name}`);
    const progress = this.#lock === undefined ? undefined : this.#readNote();
    this.#noted = progress !== undefined;
    this.#records = progress?.records ?? 0;
    this.#skipped = [...(progress?.skipped ?? [])];
    this.#fd = openSync(this.#temporary, progress === undefined ? "w+" : "r+");
    ftruncateSync(this.#fd, this.#records * size);
  }

  get records(): number {
    return this.#records;
  }

  /** Files that have no record, in order. */
  get skipped(): readonly SkippedFile[] {
    return this.#skipped;
  }

  /** The records that an earlier process left, one after another. */
  *left(): Generator<Uint8Array> {
    const record = new Uint8Array(this.#size);
    for (let index = 0; index < this.#records; index++) {
      readSync(this.#fd, record, 0, this.#size, index * this.#size);
      yield record;
    }
  }

  append(record: Uint8Array): void {
    writeAll(this.#fd, record, this.#records * this.#size);
    this.#records++;
    this.#noteIfDue();
  }

  skip(file: SkippedFile): void {
    this.#skipped.push(file);
    this.#noteIfDue();
  }

  /** After this the file is there, with `end` behind the records. */
  finish(end: Chunk): void {
    writeAll(this.#fd, end, this.#records * this.#size);
    fsyncSync(this.#fd);
    this.#close();
    renameSync(this.#temporary, this.#path);
    for (const note of [this.#note, `${this.#note}.new`]) rmSync(note, { force: true });
    this.#lock?.release();
  }

  /** What has been noted is left to a later process, and nothing else; also where `finish` has failed. */
  leave(): void {
    this.#close();
    if (!this.#noted) rmSync(this.#temporary, { force: true });
    this.#lock?.release();
  }

  /** Once: the number may be another file's by then. */
  #close(): void {
    if (this.#open) closeSync(this.#fd);
    this.#open = false;
  }

  get #note(): string {
    return `${this.#temporary}.json`;
  }

  #noteIfDue(): void {
    if (this.#lock === undefined || performance.now() - this.#notedAt < this.#noteEvery) return;
    fsyncSync(this.#fd);
    const progress: Progress = { size: this.#size, records: this.#records, skipped: this.#skipped };
    // One name, so that a killed process leaves nothing that the next one does not write over.
    writeFileSync(`${this.#note}.new`, JSON.stringify(progress), { flush: true });
    renameSync(`${this.#note}.new`, this.#note);
    this.#noted = true;
    this.#notedAt = performance.now();
  }

  #readNote(): Progress | undefined {
    if (!existsSync(this.#note) || !existsSync(this.#temporary)) return undefined;
    const progress: Progress = JSON.parse(readFileSync(this.#note, "utf8"));
    return progress.size === this.#size ? progress : undefined;
  }
}

/** Undefined where another process makes the same file. */
function lockFor(path: string): Lock | undefined {
  try {
    return takeLock(`${path}.lock`, () => ({ message: `${path}: another process writes it` }));
  } catch (error) {
    if (error instanceof LockedError) return undefined;
    throw error;
  }
}
