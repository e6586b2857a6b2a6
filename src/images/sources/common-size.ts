/** The size to which all images of a folder are resized: as requested, or chosen from a sample of them. */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { InputError } from "../../files/errors.ts";
import { type ImageSize, shortestSide } from "../image.ts";
import { type Measurement, measureImage } from "./decode.ts";
import { mapInOrder } from "./in-order.ts";

export interface SizeRequest {
  /** Both sides, or [height, width]. */
  readonly size: number | readonly [height: number, width: number] | undefined;
  readonly channels: 1 | 3 | undefined;
}

/** The longest side of a size that is chosen. */
const longestSide = 128;
/** Images that are measured, spread evenly over the folder. */
const sampleSize = 200;
/** From this share of coloured images on, colour is kept. */
const colouredShare = 0.05;

/** The requested height and width, if any. */
export function requestedSides(size: SizeRequest["size"]): readonly [height: number, width: number] | undefined {
  if (size === undefined) return undefined;
  const sides = typeof size === "number" ? ([size, size] as const) : size;
  if (sides.length !== 2 || sides.some((side) => !Number.isInteger(side) || side < 1 || side > 4096))
    throw new InputError(`size must be a whole number from 1 to 4096, or two: height and width; not ${size}`);
  return sides;
}

export function expectChannels(channels: number | undefined): void {
  if (channels !== undefined && channels !== 1 && channels !== 3)
    throw new InputError(`channels must be 1 (grey) or 3 (colour), not ${channels}`);
}

/**
 * Unless requested, height and width are the medians of the images' heights and widths, shrunk by a common factor if
 * the larger one is over `longestSide`, and at least `shortestSide`. There are three channels if one image in twenty has
 * colour.
 */
export async function chooseImageSize(
  root: string,
  paths: readonly string[],
  { size, channels }: SizeRequest,
): Promise<ImageSize> {
  const sides = requestedSides(size);
  if (sides !== undefined && channels !== undefined) return { channels, height: sides[0], width: sides[1] };
  const measured = await measureSome(root, paths);
  const [height, width] = sides ?? medianSides(measured);
  return { channels: channels ?? usualChannels(measured), height, width };
}

/** Measures a sample, or all images if none of the sample can be read. */
async function measureSome(root: string, paths: readonly string[]): Promise<Measurement[]> {
  const count = Math.min(sampleSize, paths.length);
  const sample = Array.from({ length: count }, (_, index) => paths[Math.floor((index * paths.length) / count)]);
  const measured = await measureImages(root, sample);
  return measured.length === 0 && count < paths.length ? measureImages(root, paths) : measured;
}

async function measureImages(root: string, paths: readonly string[]): Promise<Measurement[]> {
  const measured: Measurement[] = [];
  for await (const outcome of mapInOrder(paths, (path) => measureImage(join(root, path)), availableParallelism()))
    if ("result" in outcome) measured.push(outcome.result);
  return measured;
}

function medianSides(measured: readonly Measurement[]): readonly [height: number, width: number] {
  if (measured.length === 0) return [shortestSide, shortestSide];
  const height = median(measured.map((image) => image.height));
  const width = median(measured.map((image) => image.width));
  const factor = Math.min(1, longestSide / Math.max(height, width));
  return [Math.max(shortestSide, Math.round(factor * height)), Math.max(shortestSide, Math.round(factor * width))];
}

/** The lower median, so that it is the side of some image. */
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[(values.length - 1) >> 1];

function usualChannels(measured: readonly Measurement[]): 1 | 3 {
  const coloured = measured.filter((image) => image.coloured).length;
  return coloured > 0 && coloured >= colouredShare * measured.length ? 3 : 1;
}
