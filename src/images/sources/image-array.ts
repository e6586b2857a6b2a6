/** Arrays of images: [count, height, width], or with channels (1 or 3) as the second or the last axis. */
import { InputError } from "../../files/errors.ts";
import type { NumericArray } from "../../files/numeric-array.ts";
import type { ImageSize } from "../image.ts";
import type { PixelRecords } from "./pixel-records.ts";

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
  if (shape.length === 2)
    throw new InputError(
      `${name}: holds ${shape[0]} vectors of ${shape[1]} numbers, not images; give vectors as features, or make it ` +
        "count x height x width",
      { option: "features" },
    );
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
