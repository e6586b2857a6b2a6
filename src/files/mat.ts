/**
 * MATLAB level 5 .mat files, as far as the USPS digits need it: a header of 128 bytes, then elements, each a type, a
 * length and content; a matrix is an element of elements, and may be compressed as a whole.
 * "MAT-File Format", The MathWorks, chapter 1.
 */

import { openBytes, readBytes } from "./bytes.ts";
import { InputError } from "./errors.ts";
import { inflate, largestInflated, tooLarge } from "./inflate.ts";

/** Element types. */
const [uint8, matrix, compressed] = [2, 14, 15];

const headerLength = 128;
const advice = 'save the variable alone, with "-v7"';

export interface MatArray {
  readonly name: string;
  readonly shape: readonly number[];
  /** The first axis fastest. */
  readonly values: Uint8Array;
}

/** The matrices of unsigned bytes in a file; others are passed over. */
export function readMat(file: string): MatArray[] {
  const content = readFile(file);
  if (content.toString("latin1", 0, 10) === "MATLAB 7.3")
    throw new InputError(`${file}: is a MATLAB 7.3 file; ${advice}`);
  if (content.length < headerLength || content.toString("latin1", 0, 6) !== "MATLAB")
    throw new InputError(`${file}: this is not a MATLAB level 5 .mat file; ${advice}`);
  if (content.toString("latin1", 126, 128) !== "IM")
    throw new InputError(`${file}: was written on a big-endian machine; ${advice} on another one`);
  return elements(content.subarray(headerLength), file).flatMap((element) => {
    const array = readMatrix(element, file);
    return array === undefined ? [] : [array];
  });
}

function readFile(file: string): Buffer {
  const bytes = openBytes(file, 0);
  try {
    if (bytes.length > largestInflated) throw tooLarge(file, advice);
    return readBytes(bytes);
  } finally {
    bytes.close();
  }
}

interface Element {
  readonly type: number;
  readonly content: Buffer;
}

function elements(content: Buffer, file: string): Element[] {
  const found: Element[] = [];
  for (let at = 0; at < content.length; ) {
    const { element, end } = readElement(content, at, file);
    found.push(element);
    at = end;
  }
  return found;
}

function readElement(content: Buffer, at: number, file: string): { element: Element; end: number } {
  const damaged = new InputError(`${file}: an element is longer than the file; it is damaged, get it again`);
  if (at + 8 > content.length) throw damaged;
  const first = content.readUInt32LE(at);
  const short = first >>> 16;
  // An element of up to four bytes has its length in the upper half of its type, and its content in place of a length.
  const [type, length, start] =
    short > 0 ? [first & 0xffff, short, at + 4] : [first, content.readUInt32LE(at + 4), at + 8];
  if (start + length > content.length) throw damaged;
  const end = short > 0 ? at + 8 : type === compressed ? start + length : start + Math.ceil(length / 8) * 8;
  return { element: { type, content: content.subarray(start, start + length) }, end };
}

function readMatrix({ type, content }: Element, file: string): MatArray | undefined {
  if (type === compressed) {
    const [element] = elements(inflate(content, file, advice), file);
    return element === undefined ? undefined : readMatrix(element, file);
  }
  if (type !== matrix) return undefined;
  const [, dimensions, name, values] = elements(content, file);
  if (values === undefined || values.type !== uint8) return undefined;
  const shape = Array.from({ length: Math.floor(dimensions.content.length / 4) }, (_, axis) =>
    dimensions.content.readInt32LE(4 * axis),
  );
  return { name: name.content.toString("latin1"), shape, values: values.content };
}
