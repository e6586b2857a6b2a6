/** The images of a dataset, one after another, as sharp takes them. */
import { availableParallelism } from "node:os";
import type { Sharp } from "sharp";
import { loadSharp } from "../files/sharp.ts";
import type { Dataset } from "../images/dataset.ts";
import { type ImageSize, pixelCount } from "../images/image.ts";
import { mapInOrder } from "../images/sources/in-order.ts";
import type { ExportOptions } from "./run-contents.ts";

/** What `make` makes of each image, in their order, several at once. */
export const mapImages = <Result>(
  images: Dataset,
  make: (image: Sharp) => Promise<Result>,
  options: ExportOptions = {},
): AsyncGenerator<Result> =>
  mapInOrder(
    readImages(images, options),
    async (bytes) => make(await asSharp(bytes, images.image)),
    availableParallelism(),
  );

/** The bytes of each image, pixel by pixel. */
function* readImages(images: Dataset, { signal }: ExportOptions): Generator<Uint8Array> {
  const values = new Float32Array(pixelCount(images.image));
  for (let index = 0; index < images.count; index++) {
    signal?.throwIfAborted();
    images.read([index], values);
    yield pixelByPixel(values, images.image);
  }
}

/** Datasets have images channel by channel, as numbers from 0 to 1. */
function pixelByPixel(values: Float32Array, { channels, height, width }: ImageSize): Uint8Array {
  const area = height * width;
  const bytes = new Uint8Array(channels * area);
  for (let at = 0; at < bytes.length; at++)
    bytes[at] = Math.round(255 * values[(at % channels) * area + Math.floor(at / channels)]);
  return bytes;
}

async function asSharp(bytes: Uint8Array, { channels, height, width }: ImageSize): Promise<Sharp> {
  const sharp = await loadSharp();
  return sharp(bytes, { raw: { width, height, channels: channels === 1 ? 1 : 3 } });
}

/** As it is, without loss. */
export const pngOf = (image: Sharp, { channels }: ImageSize): Promise<Uint8Array> =>
  image
    .toColourspace(channels === 1 ? "b-w" : "srgb")
    .png()
    .toBuffer();
