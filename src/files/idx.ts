/**
 * IDX, the format of MNIST: two zeros, a type, the number of axes, the length of each axis as a big-endian 32-bit
 * number, the values. Only unsigned bytes are read. A file may be compressed with gzip, whatever its name.
 */

import type { ByteSource } from "./byte-source.ts";
import { defaultMemoryLimit, memoryBytes, openBytes, readBytes } from "./bytes.ts";
import { InputError } from "./errors.ts";
import { gunzip, largestInflated, tooLarge } from "./inflate.ts";
import { expectComplete, type NumericArray } from "./numeric-array.ts";

const unsignedByte = 0x08;
const advice = "decompress it first, a plain file need not fit in memory";

/** Names such as `train-images-idx3-ubyte`, `train-images.idx3-ubyte.gz`, `digits.idx` and `digits.idx3.gz`. */
export const isIdxName = (name: string): boolean => /(idx\d-ubyte|\.idx\d?)(\.gz)?$/i.test(name);

/** What a file of bytes of that shape begins with. */
export function idxHeader(shape: readonly number[]): Uint8Array {
  const header = Buffer.alloc(4 + 4 * shape.length);
  header.set([0, 0, unsignedByte, shape.length]);
  for (const [axis, length] of shape.entries()) header.writeUInt32BE(length, 4 + 4 * axis);
  return header;
}

export function openIdx(file: string, memoryLimit = defaultMemoryLimit): NumericArray {
  const bytes = openBytes(file, memoryLimit);
  try {
    return parseIdx(isGzip(bytes) ? gunzipped(bytes, file) : bytes, file);
  } catch (error) {
    bytes.close();
    throw error;
  }
}

function isGzip(bytes: ByteSource): boolean {
  const [first, second] = readBytes(bytes, 0, 2);
  return first === 0x1f && second === 0x8b;
}

function gunzipped(bytes: ByteSource, file: string): ByteSource {
  if (bytes.length > largestInflated) throw tooLarge(file, advice);
  const content = gunzip(readBytes(bytes), file, advice);
  bytes.close();
  return memoryBytes(content);
}

function parseIdx(bytes: ByteSource, name: string): NumericArray {
  const start = readBytes(bytes, 0, 4);
  if (start.length < 4 || start[0] !== 0 || start[1] !== 0 || start[3] === 0)
    throw new InputError(`${name}: this is not an IDX file, which starts with 0, 0, a type and the number of axes`);
  if (start[2] !== unsignedByte)
    throw new InputError(`${name}: holds IDX values of type 0x${start[2].toString(16)}; only 0x8, bytes, are read`);
  const header = readBytes(bytes, 4, 4 * start[3]);
  if (header.length < 4 * start[3])
    throw new InputError(`${name}: ends within its IDX header; it is incomplete, get it again`);
  const shape = Array.from({ length: start[3] }, (_, axis) => header.readUInt32BE(4 * axis));
  const array: NumericArray = { name, bytes, offset: 4 + header.length, type: "uint8", shape };
  expectComplete(array);
  return array;
}
