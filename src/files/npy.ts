/**
 * NumPy's .npy: a magic string, a version, the length of the header, the header (a Python dictionary with the type, the
 * order and the shape), the values. Versions 1 to 3 are read, version 1.0 is written.
 */
import { writeChunksAtomically } from "./atomic.ts";
import type { ByteSource } from "./byte-source.ts";
import { defaultMemoryLimit, memoryBytes, openBytes, readBytes } from "./bytes.ts";
import { InputError } from "./errors.ts";
import { largestInflated } from "./inflate.ts";
import {
  expectComplete,
  expectShape,
  type NumberType,
  type NumericArray,
  numberArrays,
  valueCount,
} from "./numeric-array.ts";

const magic = "\x93NUMPY";

const types: Record<string, NumberType> = {
  "|b1": "uint8",
  "|u1": "uint8",
  "|i1": "int8",
  "<u2": "uint16",
  "<i2": "int16",
  "<u4": "uint32",
  "<i4": "int32",
  "<u8": "uint64",
  "<i8": "int64",
  "<f2": "float16",
  "<f4": "float32",
  "<f8": "float64",
};

export function openNpy(file: string, memoryLimit = defaultMemoryLimit): NumericArray {
  const bytes = openBytes(file, memoryLimit);
  try {
    return parseNpy(bytes, file);
  } catch (error) {
    bytes.close();
    throw error;
  }
}

export function parseNpy(bytes: ByteSource, name: string): NumericArray {
  const { text, offset } = readHeader(bytes, name);
  const type = /'descr'\s*:\s*'([^']*)'/.exec(text)?.[1];
  const order = /'fortran_order'\s*:\s*(True|False)/.exec(text)?.[1];
  const sides = /'shape'\s*:\s*\(([\d\s,]*)\)/.exec(text)?.[1];
  if (order === undefined || sides === undefined)
    throw new InputError(`${name}: the header of this .npy file is not one of NumPy's; save the array again`);
  if (type === undefined || !(type in types))
    throw new InputError(
      `${name}: holds values of type ${type ?? "record"}; save it as uint8, float32 or float64 (labels: integers)`,
    );
  const shape = (sides.match(/\d+/g) ?? []).map(Number);
  const array: NumericArray = { name, bytes, offset, type: types[type], shape };
  expectComplete(array);
  return order === "True" && shape.length > 1 ? lastAxisFastest(array) : array;
}

function readHeader(bytes: ByteSource, name: string): { text: string; offset: number } {
  const start = readBytes(bytes, 0, 12);
  if (start.length < 12 || start.toString("latin1", 0, 6) !== magic)
    throw new InputError(`${name}: this is not a .npy file, which starts with \\x93NUMPY; save it with numpy.save`);
  const version = start[6];
  if (version < 1 || version > 3)
    throw new InputError(`${name}: is of .npy version ${version}, which is not known here; versions 1 to 3 are`);
  const [from, length] = version === 1 ? [10, start.readUInt16LE(8)] : [12, start.readUInt32LE(8)];
  if (from + length > bytes.length)
    throw new InputError(`${name}: ends within its .npy header; it is incomplete, save the array again`);
  return { text: readBytes(bytes, from, length).toString("utf8"), offset: from + length };
}

/** Fortran order has the first axis fastest: an image's pixels are then all over the file. */
function lastAxisFastest(array: NumericArray): NumericArray {
  const { name, bytes, offset, type, shape } = array;
  const NumberArray = numberArrays[type];
  const size = valueCount(shape) * NumberArray.BYTES_PER_ELEMENT;
  if (size > largestInflated)
    throw new InputError(`${name}: is in Fortran order and too large to turn; save numpy.ascontiguousarray of it`);
  const values = new NumberArray(new Uint8Array(readBytes(bytes, offset, size)).buffer);
  const turned = values.slice();
  const index = shape.map(() => 0);
  for (let at = 0; at < turned.length; at++) {
    turned[at] = values[fortranPlace(index, shape)];
    advance(index, shape);
  }
  bytes.close();
  return { name, bytes: memoryBytes(new Uint8Array(turned.buffer)), offset: 0, type, shape };
}

const fortranPlace = (index: readonly number[], shape: readonly number[]): number =>
  index.reduceRight((place, at, axis) => place * shape[axis] + at, 0);

/** To the next value, the last axis fastest. */
function advance(index: number[], shape: readonly number[]): void {
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    if (++index[axis] < shape[axis]) return;
    index[axis] = 0;
  }
}

/** Some rows of a matrix of float32 that `writeNpy` wrote, one after another. The file need not fit in memory. */
export function readNpyRows(path: string, rows: readonly number[]): Float32Array<ArrayBuffer> {
  const { bytes, offset, type, shape } = openNpy(path, 0);
  try {
    const [height, width] = shape;
    if (type !== "float32" || shape.length !== 2)
      throw new InputError(`${path}: holds no matrix of float32; the run must be made again`);
    const values = new Float32Array(rows.length * width);
    const target = new Uint8Array(values.buffer);
    const size = width * values.BYTES_PER_ELEMENT;
    rows.forEach((row, index) => {
      if (!(row >= 0 && row < height)) throw new InputError(`${path}: has ${height} rows; there is no row ${row}`);
      bytes.read(offset + row * size, target.subarray(index * size, (index + 1) * size));
    });
    return values;
  } finally {
    bytes.close();
  }
}

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
  // Two bytes of version, two of length.
  const start = magic.length + 4;
  const length = Math.ceil((start + text.length + 1) / alignment) * alignment - start;
  const header = Buffer.alloc(start + length, `${magic}\x01\0\0\0${text.padEnd(length - 1)}\n`, "latin1");
  header.writeUInt16LE(length, start - 2);
  return header;
}
