/** The bytes of array files, written by hand so that readers are tested against the formats and not against writers. */
import { deflateSync } from "node:zlib";

/** 0, 1, 2, … */
export const numbers = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => index);

export function idx(shape: readonly number[], values: Uint8Array, type = 8): Buffer {
  const header = Buffer.alloc(4 + 4 * shape.length);
  header[2] = type;
  header[3] = shape.length;
  for (const [axis, side] of shape.entries()) header.writeUInt32BE(side, 4 + 4 * axis);
  return Buffer.concat([header, values]);
}

type Values = Uint8Array | Float32Array | Float64Array | BigInt64Array;

export function npy(
  descr: string,
  shape: readonly number[],
  values: Values,
  { fortran = false, version = 1 } = {},
): Buffer {
  const sides = `${shape.join(", ")}${shape.length === 1 ? "," : ""}`;
  const text = `{'descr': '${descr}', 'fortran_order': ${fortran ? "True" : "False"}, 'shape': (${sides}), }\n`;
  const length = Buffer.alloc(version === 1 ? 2 : 4);
  length.writeUIntLE(text.length, 0, length.length);
  const magic = Buffer.from([0x93, ...Buffer.from("NUMPY"), version, 0]);
  return Buffer.concat([magic, length, Buffer.from(text), new Uint8Array(values.buffer)]);
}

function element(type: number, content: Uint8Array): Buffer {
  const tag = Buffer.alloc(8);
  tag.writeUInt32LE(type, 0);
  tag.writeUInt32LE(content.length, 4);
  return Buffer.concat([tag, content, Buffer.alloc((8 - (content.length % 8)) % 8)]);
}

export function matMatrix(name: string, shape: readonly number[], values: Uint8Array): Buffer {
  const flags = element(6, Uint8Array.of(9, 0, 0, 0, 0, 0, 0, 0));
  const dimensions = element(5, new Uint8Array(Int32Array.from(shape).buffer));
  const short = Buffer.alloc(8);
  short.writeUInt32LE(1 | (name.length << 16), 0);
  short.write(name, 4, "latin1");
  return element(14, Buffer.concat([flags, dimensions, short, element(2, values)]));
}

export const matHeader = Buffer.concat([
  Buffer.from("MATLAB 5.0 MAT-file".padEnd(124)),
  Uint8Array.of(0, 1),
  Buffer.from("IM"),
]);

/** A compressed element, which has no padding. */
export function compressedElement(content: Uint8Array): Buffer {
  const deflated = deflateSync(content);
  return element(15, deflated).subarray(0, 8 + deflated.length);
}
