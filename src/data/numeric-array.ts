/** An array of numbers in a file, as IDX and NumPy have it: a type, a shape, and values, the last axis fastest. */
import { InputError } from "../errors.ts";
import type { ImageSize } from "../image.ts";
import { type ByteSource, readBytes } from "./bytes.ts";
import type { PixelRecords } from "./pixel-records.ts";

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
  return Array.from(new NumberArray(new Uint8Array(content).buffer), Number);
}

/** An array of images: [count, height, width], or with channels (1 or 3) as the second or the last axis. */
export function imagesOf(array: NumericArray): PixelRecords {
  const { name, bytes, offset, type, shape } = array;
  if (type !== "uint8" && type !== "float32" && type !== "float64")
    throw new InputError(`${name}: pixels must be uint8, float32 or float64, not ${type}; convert the array`);
  const { image, channelsLast } = imageLayout(shape, name);
  if (shape.includes(0)) throw new InputError(`${name}: the array (${shape.join(" x ")}) holds no pixels`);
  const order = channelsLast && image.channels > 1 ? channelsLastOrder(image) : undefined;
  return { bytes, offset, type, count: shape[0], image, order };
}

function imageLayout(shape: readonly number[], name: string): { image: ImageSize; channelsLast: boolean } {
  const [, second, third, last] = shape;
  const unsupported = (problem: string): InputError =>
    new InputError(
      `${name}: ${problem} (${shape.join(" x ")}); make it count x height x width, or with 1 or 3 channels as the ` +
        "second or the last axis",
    );
  if (shape.length === 3) return { image: { channels: 1, height: second, width: third }, channelsLast: false };
  if (shape.length !== 4) throw unsupported("the array's shape is not that of images");
  const [first, end] = [isChannels(second), isChannels(last)];
  if (first && end) throw unsupported("the second and the last axis could both be the channels");
  if (!first && !end) throw unsupported("no axis of the array has 1 or 3 channels");
  return end
    ? { image: { channels: last, height: second, width: third }, channelsLast: true }
    : { image: { channels: second, height: third, width: last }, channelsLast: false };
}

const isChannels = (side: number): boolean => side === 1 || side === 3;

function channelsLastOrder({ channels, height, width }: ImageSize): Uint32Array {
  const area = height * width;
  return Uint32Array.from({ length: channels * area }, (_, at) => (at % area) * channels + Math.floor(at / area));
}
