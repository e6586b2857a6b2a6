/** The images that figures show. */

import { InputError } from "../files/errors.ts";
import type { Dataset } from "../images/dataset.ts";
import { pixelCount } from "../images/image.ts";
import { imageTile, type Raster } from "./raster.ts";

/** The part of a dataset that a figure reads. */
export type ImageSource = Pick<Dataset, "count" | "image" | "read">;

/** Each of the images as a tile that fits a square of `box` pixels. */
export function readTiles(source: ImageSource, indices: readonly number[], box: number): Raster[] {
  const size = pixelCount(source.image);
  const pixels = new Float32Array(size);
  return indices.map((index) => {
    source.read([index], pixels);
    return imageTile(pixels, source.image, box);
  });
}

export function expectImages({ count }: ImageSource, assignments: number): void {
  if (count !== assignments)
    throw new InputError(`${count} images and ${assignments} assignments: give one for each image`);
}
