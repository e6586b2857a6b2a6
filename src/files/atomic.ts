/**
 * Files that are there whole or not at all: written under a temporary name beside the final one, forced to the disk,
 * then renamed. A process killed meanwhile leaves the old file, and at most a hidden `.name.*.tmp`.
 */
import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileError } from "./errors.ts";

export type Chunk = string | Uint8Array;

/** `data` is the whole content, or what writes it to a file descriptor, all before it returns. */
export function writeFileAtomically(path: string, data: Chunk | ((fd: number) => void)): void {
  const file = new AtomicFile(path);
  try {
    if (typeof data === "function") data(file.open());
    else file.append(data);
    file.finish();
  } catch (error) {
    throw file.abandon(error);
  }
}

/** For files that need not fit in memory. */
export function writeChunksAtomically(path: string, chunks: Iterable<Chunk>): void {
  writeFileAtomically(path, (fd) => {
    for (const chunk of joinTexts(chunks)) writeAll(fd, chunk);
  });
}

/** For files whose content is made while others wait: `write` appends a chunk at a time, and is awaited. */
export async function streamFileAtomically(
  path: string,
  write: (append: (chunk: Chunk) => void) => Promise<void>,
): Promise<void> {
  const file = new AtomicFile(path);
  try {
    file.open();
    await write((chunk) => file.append(chunk));
    file.finish();
  } catch (error) {
    throw file.abandon(error);
  }
}

/** Beside the final one, and hidden. */
const temporaryPath = (path: string): string =>
  join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);

/** Where a folder is made that is to be there whole or not at all; then it is renamed. */
export const unfinishedFolder = (folder: string): string => temporaryPath(resolve(folder));

/** A file on its way, under its temporary name. End it by `finish` or by `abandon`. */
export class AtomicFile {
  readonly #path: string;
  readonly #temporary: string;
  #fd: number | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#temporary = temporaryPath(path);
  }

  /** The descriptor to write to. */
  open(): number {
    this.#fd ??= openSync(this.#temporary, "wx");
    return this.#fd;
  }

  append(chunk: Chunk): void {
    writeAll(this.open(), chunk);
  }

  /** After this the file is there. */
  finish(): void {
    fsyncSync(this.open());
    this.#close();
    renameSync(this.#temporary, this.#path);
  }

  /** Leaves nothing, and returns what to throw. */
  abandon(error: unknown): unknown {
    this.#close();
    if (existsSync(this.#temporary)) rmSync(this.#temporary);
    return isAboutAnotherFile(error, this.#temporary) ? error : fileError("write", this.#path, error);
  }

  #close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }
}

/** The caller's writer may read other files, whose errors are not ours to explain. */
const isAboutAnotherFile = (error: unknown, temporary: string): boolean =>
  error instanceof Error && "path" in error && error.path !== temporary;

/** Makes a folder, and those above it; returns the first one that was not there before, if any. */
export function makeFolder(folder: string): string | undefined {
  try {
    return mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw fileError("write", folder, error);
  }
}

/** Forces to the disk which files a folder has; where the system opens no folders, it sees to that itself. */
export function syncFolder(folder: string): void {
  let fd: number;
  try {
    fd = openSync(folder, "r");
  } catch {
    return;
  }
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Node writes no more than 2 GiB at once. */
const largestWrite = 2 ** 30;

/** At the end of the file, or from `position` on. */
export function writeAll(fd: number, chunk: Chunk, position?: number): void {
  const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
  let done = 0;
  while (done < bytes.byteLength) {
    const length = Math.min(bytes.byteLength - done, largestWrite);
    done += writeSync(fd, bytes, done, length, position === undefined ? null : position + done);
  }
}

const textLength = 2 ** 16;

/** Short texts, such as the lines of a table, are put together, so that not each costs a call of the system. */
function* joinTexts(chunks: Iterable<Chunk>): Generator<Chunk> {
  let text = "";
  for (const chunk of chunks) {
    if (typeof chunk === "string") text += chunk;
    if (text !== "" && (typeof chunk !== "string" || text.length >= textLength)) {
      yield text;
      text = "";
    }
    if (typeof chunk !== "string") yield chunk;
  }
  yield text;
}
