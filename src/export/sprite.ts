/**
 * All images in one, as TensorBoard's projector takes them: square tiles, as many across as down, row by row. What
 * is transparent is not drawn, so that images that are no squares keep their shape, and the last tiles stay empty.
 */
import type { Sharp } from "sharp";
import { loadSharp } from "../files/sharp.ts";
import type { Dataset } from "../images/dataset.ts";
import type { ImageSize } from "../images/image.ts";
import { mapImages } from "./images.ts";
import type { ExportOptions } from "./run-contents.ts";

/** The projector takes no larger one. */
const largestSide = 8192;
/** Points are drawn 30 pixels wide, larger on a closer look: more would be loaded for nothing. */
const largestTile = 64;

export interface Sprite {
  readonly png: Uint8Array;
  /** The side of a tile. */
  readonly tile: number;
}

const clear = { r: 0, g: 0, b: 0, alpha: 0 };
const bytesPerPixel = 4;

export interface SpriteLayout {
  /** Tiles across, and as many down. */
  readonly across: number;
  readonly tile: number;
}

/** Images become smaller where they have to, and never larger. */
export function spriteLayout(count: number, { height, width }: ImageSize): SpriteLayout {
  const across = Math.ceil(Math.sqrt(count));
  return { across, tile: Math.min(Math.max(height, width), largestTile, Math.floor(largestSide / across)) };
}

export async function makeSprite(images: Dataset, options: ExportOptions = {}): Promise<Sprite> {
  const { across, tile } = spriteLayout(images.count, images.image);
  const side = across * tile;
  const pixels = new Uint8Array(side * side * bytesPerPixel);
  let index = 0;
  for await (const tilePixels of mapImages(images, (image) => tileOf(image, tile), options)) {
    const [row, column] = [Math.floor(index / across), index % across];
    draw(pixels, side, tilePixels, { left: column * tile, top: row * tile, tile });
    index++;
  }
  const sharp = await loadSharp();
  const png = await sharp(pixels, { raw: { width: side, height: side, channels: bytesPerPixel } })
    .png()
    .toBuffer();
  return { png, tile };
}

const tileOf = (image: Sharp, tile: number): Promise<Uint8Array> =>
  image
    .toColourspace("srgb")
    .ensureAlpha()
    .resize({ width: tile, height: tile, fit: "contain", background: clear })
    .raw()
    .toBuffer();

interface Place {
  readonly left: number;
  readonly top: number;
  readonly tile: number;
}

function draw(target: Uint8Array, side: number, pixels: Uint8Array, { left, top, tile }: Place): void {
  const length = tile * bytesPerPixel;
  for (let row = 0; row < tile; row++)
    target.set(pixels.subarray(row * length, (row + 1) * length), ((top + row) * side + left) * bytesPerPixel);
}
