/** NumPy's .npy files, version 1.0: what `numpy.load` reads. */
import { closeSync, openSync, readSync } from "node:fs";
import { InputError } from "../errors.ts";
import { writeChunksAtomically } from "./atomic.ts";
import { fileError } from "./file-errors.ts";
import { expectShape } from "./shape.ts";

const magic = "\x93NUMPY\x01\x00";
const lengthBytes = 2;
const alignment = 64;

/** Writes values, row-major. */
export function writeNpy(path: string, values: Float32Array | Int32Array, shape: readonly number[]): void {
  expectShape(values, shape, path);
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  writeChunksAtomically(path, [npyHeader(values instanceof Float32Array ? "<f4" : "<i4", shape), bytes]);
}

/** Filled up with spaces and a line end, so that the values begin at a multiple of 64. */
function npyHeader(descr: string, shape: readonly number[]): Uint8Array {
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${tuple}, }`;
  const start = magic.length + lengthBytes;
  const length = Math.ceil((start + text.length + 1) / alignment) * alignment - start;
  const header = Buffer.alloc(start + length, `${magic}\0\0${text.padEnd(length - 1)}\n`, "latin1");
  header.writeUInt16LE(length, magic.length);
  return header;
}

/** Some rows of a matrix of float32 that `writeNpy` wrote, one after another. The file need not fit in memory. */
export function readNpyRows(path: string, rows: readonly number[]): Float32Array<ArrayBuffer> {
  const fd = openToRead(path);
  try {
    const { start, height, width } = readMatrixHeader(fd, path);
    const values = new Float32Array(rows.length * width);
    const bytes = new Uint8Array(values.buffer);
    rows.forEach((row, index) => {
      if (!(row >= 0 && row < height)) throw new InputError(`${path}: it has ${height} rows; there is no row ${row}`);
      readFully(fd, path, bytes.subarray(index * width * 4, (index + 1) * width * 4), start + row * width * 4);
    });
    return values;
  } finally {
    closeSync(fd);
  }
}

function openToRead(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    throw fileError("read", path, error);
  }
}

function readMatrixHeader(fd: number, path: string): { start: number; height: number; width: number } {
  const before = Buffer.alloc(magic.length + lengthBytes);
  readFully(fd, path, before, 0);
  const text = Buffer.alloc(before.readUInt16LE(magic.length));
  readFully(fd, path, text, before.length);
  const header = before.toString("latin1", 0, magic.length) === magic ? text.toString("latin1") : "";
  const shape = /^{'descr': '<f4', 'fortran_order': False, 'shape': \((\d+), (\d+)\), }/.exec(header);
  if (shape === null) throw new InputError(`${path}: it holds no matrix of float32; the run must be made again`);
  return { start: before.length + text.length, height: Number(shape[1]), width: Number(shape[2]) };
}

function readFully(fd: number, path: string, target: Uint8Array, position: number): void {
  for (let done = 0; done < target.length; ) {
    const read = readSync(fd, target, done, target.length - done, position + done);
    if (read === 0) throw new InputError(`${path}: it is shorter than it says; the run must be made again`);
    done += read;
  }
}
