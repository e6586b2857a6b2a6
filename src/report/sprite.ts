/** All images of the map in one picture: tiles side by side, row by row. */

import { readTiles } from "../figures/images.ts";
import { Raster } from "../figures/raster.ts";
import type { Dataset } from "../images/dataset.ts";
import { boxFor, dataUri, encodeRaster } from "./pictures.ts";

export interface Sprite {
  readonly uri: string;
  /** Tiles per row. */
  readonly columns: number;
  /** The size of a tile, in pixels. */
  readonly width: number;
  readonly height: number;
}

/** Larger pictures would make browsers slow and files large. */
const mostPixels = 11_000_000;
const mostExactBytes = 5_000_000;

export async function makeSprite(dataset: Dataset, images: readonly number[]): Promise<Sprite> {
  const box = boxFor(dataset.image, images.length, mostPixels);
  const [{ width, height }] = readTiles(dataset, images.slice(0, 1), box);
  const columns = Math.ceil(Math.sqrt(images.length));
  const sheet = new Raster(columns * width, Math.ceil(images.length / columns) * height, [0, 0, 0]);
  images.forEach((image, index) => {
    const [tile] = readTiles(dataset, [image], box);
    sheet.draw(tile, (index % columns) * width, Math.floor(index / columns) * height);
  });
  const bytes = await encodeRaster(sheet, dataset.image, { mostExactBytes });
  return { uri: dataUri(bytes, "image/webp"), columns, width, height };
}
