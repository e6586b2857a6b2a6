/** Compares figures with stored ones, which someone has looked at. UPDATE_PICTURES=1 stores them anew. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { expect } from "vitest";
import type { Picture } from "../src/figures/picture.ts";

const updating = process.env.UPDATE_PICTURES === "1";

const pathOf = (file: string): string => fileURLToPath(new URL(`pictures/${file}`, import.meta.url));

function stored(file: string): Buffer {
  if (!existsSync(pathOf(file)))
    throw new Error(`there is no picture ${file}: look at it, then UPDATE_PICTURES=1 npm test`);
  return readFileSync(pathOf(file));
}

/** Byte for byte. */
export function expectStoredSvg(name: string, svg: string): void {
  if (updating) writeFileSync(pathOf(`${name}.svg`), svg);
  expect(svg).toBe(stored(`${name}.svg`).toString("utf8"));
}

/** Pixels must be equal, and so must the SVG of the text, whose rendering depends on the machine's fonts. */
export async function expectStoredPicture(name: string, { raster, overlay }: Picture): Promise<void> {
  const { width, height } = raster;
  if (updating)
    await sharp(raster.pixels, { raw: { width, height, channels: 3 } })
      .png()
      .toFile(pathOf(`${name}.png`));
  const { pixels, ...size } = await decodedPixels(stored(`${name}.png`));
  expect(size).toEqual({ width, height });
  expect(Buffer.compare(pixels, raster.pixels)).toBe(0);
  expectStoredSvg(name, overlay);
}

/** RGB pixels, whatever the file's format. */
export async function decodedPixels(png: Uint8Array): Promise<{ width: number; height: number; pixels: Buffer }> {
  const { data, info } = await sharp(png)
    .removeAlpha()
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data };
}
