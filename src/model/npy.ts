/** NumPy's .npy files, version 1.0: what `numpy.load` reads. */
import { writeChunksAtomically } from "./atomic.ts";
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
