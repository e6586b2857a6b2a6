/** Images for the page: WebP within the HTML file. */
import { readTiles } from "../figures/images.ts";
import type { Raster } from "../figures/raster.ts";
import { loadSharp } from "../files/sharp.ts";
import type { Dataset } from "../images/dataset.ts";
import type { ImageSize } from "../images/image.ts";

/** Images with sides up to this are stored exactly and shown with sharp pixels. */
const largestExact = 32;
/** No image is stored larger. */
const largestSide = 128;

export const longestSide = ({ height, width }: ImageSize): number => Math.max(height, width);

export const isPixelated = (image: ImageSize): boolean => longestSide(image) <= largestExact;

/** The side of the square that each of `count` images fits, so that together they have at most `mostPixels`. */
export const boxFor = (image: ImageSize, count: number, mostPixels: number): number =>
  Math.max(8, Math.min(longestSide(image), largestSide, Math.floor(Math.sqrt(mostPixels / Math.max(1, count)))));

export interface EncodingOptions {
  /** Keep every pixel where that takes at most this many bytes. */
  readonly mostExactBytes: number;
}

export async function encodeRaster(
  { width, height, pixels }: Raster,
  image: ImageSize,
  { mostExactBytes }: EncodingOptions = { mostExactBytes: 10_000 },
): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const input = sharp(pixels, { raw: { width, height, channels: 3 } });
  if (isPixelated(image)) {
    const exact = await input.clone().webp({ lossless: true }).toBuffer();
    if (exact.length <= mostExactBytes) return exact;
  }
  return input.webp({ quality: 82 }).toBuffer();
}

export const dataUri = (bytes: Uint8Array, type: string): string =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;

/** One image of the dataset, ready for `src`. */
export async function imageUri(dataset: Dataset, image: number, box: number): Promise<string> {
  const [tile] = readTiles(dataset, [image], box);
  return dataUri(await encodeRaster(tile, dataset.image), "image/webp");
}
