/** The images to look at: files of a folder, or images of an array. Nothing is decoded before it is asked for. */
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Sharp } from "sharp";
import { readTiles } from "../../figures/images.ts";
import { loadSharp } from "../../files/sharp.ts";
import type { Dataset } from "../../images/dataset.ts";
import { readImage } from "../../images/sources/open-image.ts";
import { encodeRaster, isPixelated, longestSide } from "../../report/pictures.ts";
import { movedImages } from "./moved-images.ts";

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

export interface Pictures {
  readonly count: number;
  /** A folder, whose files they are. */
  readonly folder: string | undefined;
  /** What an image is called. */
  nameOf(image: number): string;
  /** What tells the image from others, and from what it was before: its file and that file's time, or its place. */
  versionOf(image: number): Promise<string>;
  /** As WebP, no side longer than `side`, none enlarged. */
  encode(image: number, side: number): Promise<Uint8Array<ArrayBuffer>>;
  sizeOf(image: number): Promise<PictureSize>;
  /** Whether they are so small that each pixel is shown as a square. */
  pixelated(): Promise<boolean>;
  close(): void;
}

/** Of files in a folder, by their names relative to it. */
export function folderPictures(folder: string, files: readonly string[]): Pictures {
  const moved = movedImages(folder);
  const pathOf = (image: number): string => {
    const path = resolve(folder, files[image]);
    return existsSync(path) ? path : (moved(path) ?? path);
  };
  const open = (image: number) => readImage(pathOf(image));
  return {
    count: files.length,
    folder,
    nameOf: (image) => files[image],
    versionOf: async (image) => {
      const { size, mtimeMs } = await stat(pathOf(image));
      return `${files[image]}\n${size}\n${mtimeMs}`;
    },
    encode: async (image, side) => {
      const { raw } = await open(image);
      const { data, info } = await raw((opened) => shrunk(opened, side).toColourspace("srgb"));
      const sharp = await loadSharp();
      const { width, height, channels } = info;
      const encoded = sharp(data, { raw: { width, height, channels } });
      const exact = isPixelated({ width, height, channels });
      return new Uint8Array(await encoded.webp(exact ? { lossless: true } : { quality: 80, effort: 2 }).toBuffer());
    },
    sizeOf: async (image) => {
      const { width, height } = await open(image);
      return { width, height };
    },
    pixelated: async () => {
      if (files.length === 0) return false;
      const { width, height } = await open(0);
      return isPixelated({ width, height, channels: 3 });
    },
    close: () => {},
  };
}

const shrunk = (opened: Sharp, side: number): Sharp =>
  opened.resize({ width: side, height: side, fit: "inside", withoutEnlargement: true });

/** Of a dataset that is open: an array, or a named set. */
export function datasetPictures(dataset: Dataset): Pictures {
  const { image: size, count, fingerprint } = dataset;
  return {
    count,
    folder: undefined,
    nameOf: (image) => `image ${dataset.itemName(image)}`,
    versionOf: async (image) => `${fingerprint}\n${image}`,
    encode: async (image, side) => {
      const [tile] = readTiles(dataset, [image], Math.min(side, longestSide(size)));
      return new Uint8Array(await encodeRaster(tile, size));
    },
    sizeOf: async () => ({ width: size.width, height: size.height }),
    pixelated: async () => isPixelated(size),
    close: () => dataset.close(),
  };
}
