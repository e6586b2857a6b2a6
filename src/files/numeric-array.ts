/** An array of numbers in a file, as IDX and NumPy have it: a type, a shape, and values, the last axis fastest. */

import type { ByteSource } from "./byte-source.ts";
import { readBytes } from "./bytes.ts";
import { InputError } from "./errors.ts";

/** Typed arrays that hold each type; all little-endian, as is every machine that Node runs on. */
export const numberArrays = {
  uint8: Uint8Array,
  int8: Int8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  uint64: BigUint64Array,
  int64: BigInt64Array,
  /** As bits: Node has no array for it before version 24. */
  float16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

export type NumberType = keyof typeof numberArrays;

export interface NumericArray {
  /** The file, for messages. */
  readonly name: string;
  readonly bytes: ByteSource;
  /** Where the first value is. */
  readonly offset: number;
  readonly type: NumberType;
  readonly shape: readonly number[];
}

export const valueCount = (shape: readonly number[]): number => shape.reduce((product, side) => product * side, 1);

export const isShape = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((side) => Number.isSafeInteger(side) && side >= 0);

/** `what` is what the message calls the values. */
export function expectShape(values: ArrayLike<unknown>, shape: readonly number[], what: string): void {
  if (!isShape(shape) || valueCount(shape) !== values.length)
    throw new InputError(`${what}: ${values.length} values do not fill the shape [${shape.join(", ")}]`);
}

/** Before anything is allocated: a damaged header may promise terabytes. */
export function expectComplete({ name, bytes, offset, type, shape }: NumericArray): void {
  const promised = valueCount(shape) * numberArrays[type].BYTES_PER_ELEMENT;
  if (promised > bytes.length - offset)
    throw new InputError(
      `${name}: the header promises ${promised} bytes of values (${shape.join(" x ")}) but the file has ` +
        `${bytes.length - offset}; it is damaged or incomplete, get it again`,
    );
}

/** The values of an array with one axis. */
export function readNumbers(array: NumericArray): number[] {
  const { name, bytes, offset, type, shape } = array;
  if (shape.length !== 1)
    throw new InputError(
      `${name}: labels must be an array with one axis, not ${shape.join(" x ") || "a single number"}`,
    );
  const NumberArray = numberArrays[type];
  const content = readBytes(bytes, offset, valueCount(shape) * NumberArray.BYTES_PER_ELEMENT);
  return Array.from(new NumberArray(new Uint8Array(content).buffer), numberOf(type));
}

/** What makes a number of an array's element. */
const numberOf = (type: NumberType): ((element: number | bigint) => number) =>
  type === "float16" ? (bits) => halfPrecision(Number(bits)) : Number;

/** The number of these bits: a sign, 5 bits of exponent, 10 of fraction. */
function halfPrecision(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) / 1024;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -14 : sign * (1 + fraction) * 2 ** (exponent - 15);
}

/** The same array as float32, converted as it is read. */
export function asFloat32(array: NumericArray): NumericArray {
  const { bytes, offset, type, shape } = array;
  if (type === "float32") return array;
  const NumberArray = numberArrays[type];
  const toNumber = numberOf(type);
  const read = (position: number, target: Uint8Array): void => {
    const numbers = new Float32Array(target.length / Float32Array.BYTES_PER_ELEMENT);
    const elements = new NumberArray(numbers.length);
    const first = position / Float32Array.BYTES_PER_ELEMENT;
    bytes.read(offset + first * elements.BYTES_PER_ELEMENT, new Uint8Array(elements.buffer));
    for (let at = 0; at < numbers.length; at++) numbers[at] = toNumber(elements[at]);
    target.set(new Uint8Array(numbers.buffer));
  };
  const length = valueCount(shape) * Float32Array.BYTES_PER_ELEMENT;
  return { ...array, bytes: { length, read, close: () => bytes.close() }, offset: 0, type: "float32" };
}
