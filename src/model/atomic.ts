/**
 * Files that are there whole or not at all: written under a temporary name beside the final one, forced to the disk,
 * then renamed. A process killed meanwhile leaves the old file, and at most a hidden `.name.*.tmp`.
 */
import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileError } from "./file-errors.ts";

export type Chunk = string | Uint8Array;

/** `data` is the whole content, or what writes it to a file descriptor, all before it returns. */
export function writeFileAtomically(path: string, data: Chunk | ((fd: number) => void)): void {
  const write = typeof data === "function" ? data : (fd: number) => writeAll(fd, data);
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    writeAndRename(temporary, path, write);
  } catch (error) {
    throw isAboutAnotherFile(error, temporary) ? error : fileError("write", path, error);
  }
}

/** For files that need not fit in memory. */
export function writeChunksAtomically(path: string, chunks: Iterable<Chunk>): void {
  writeFileAtomically(path, (fd) => {
    for (const chunk of joinTexts(chunks)) writeAll(fd, chunk);
  });
}

function writeAndRename(temporary: string, path: string, write: (fd: number) => void): void {
  const fd = openSync(temporary, "wx");
  try {
    try {
      write(fd);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** The caller's writer may read other files, whose errors are not ours to explain. */
const isAboutAnotherFile = (error: unknown, temporary: string): boolean =>
  error instanceof Error && "path" in error && error.path !== temporary;

/** Node writes no more than 2 GiB at once. */
const largestWrite = 2 ** 30;

function writeAll(fd: number, chunk: Chunk): void {
  const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
  let done = 0;
  while (done < bytes.byteLength) done += writeSync(fd, bytes, done, Math.min(bytes.byteLength - done, largestWrite));
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
