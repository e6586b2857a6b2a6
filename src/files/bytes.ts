/** Bytes from memory or from a file. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { ByteSource } from "./byte-source.ts";
import { InputError, reasonOf } from "./errors.ts";

/** What is no larger is read into memory, unless told otherwise. */
export const defaultMemoryLimit = 256 * 2 ** 20;

export const memoryBytes = (content: Uint8Array): ByteSource => ({
  length: content.length,
  read: (position, target) => target.set(content.subarray(position, position + target.length)),
  close: () => undefined,
});

/** Opens a file; its content is read at once if it is no larger than `memoryLimit`. */
export function openBytes(file: string, memoryLimit = defaultMemoryLimit): ByteSource {
  const bytes = openFile(file);
  if (bytes.length > memoryLimit) return bytes;
  try {
    return memoryBytes(readBytes(bytes));
  } finally {
    bytes.close();
  }
}

export function readBytes(bytes: ByteSource, position = 0, length = bytes.length - position): Buffer {
  const content = Buffer.alloc(Math.max(0, Math.min(length, bytes.length - position)));
  bytes.read(position, content);
  return content;
}

function openFile(file: string): ByteSource {
  const descriptor = openDescriptor(file);
  const status = fstatSync(descriptor);
  if (!status.isFile()) {
    closeSync(descriptor);
    throw new InputError(`${file}: this is not a file; give the path of one`);
  }
  return {
    length: status.size,
    read: (position, target) => fill(descriptor, position, target, file),
    close: () => closeSync(descriptor),
  };
}

function openDescriptor(file: string): number {
  try {
    return openSync(file, "r");
  } catch (error) {
    throw new InputError(`${file}: cannot be opened (${reasonOf(error)}); check the path`);
  }
}

/** A system may return less than was asked for. */
function fill(descriptor: number, position: number, target: Uint8Array, file: string): void {
  for (let done = 0; done < target.length; ) {
    const count = readSync(descriptor, target, done, target.length - done, position + done);
    if (count === 0) throw new Error(`${file} has become shorter while it was read`);
    done += count;
  }
}
