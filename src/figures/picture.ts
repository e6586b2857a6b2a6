/** A picture made of images: pixels, and text over them as SVG. */
import { InputError } from "../files/errors.ts";
import { loadSharp } from "../files/sharp.ts";
import { Raster, type Rgb } from "./raster.ts";
import { type FigureSize, group, margin, svgDocument } from "./svg.ts";

export type Theme = "light" | "dark";

export interface PictureOptions {
  /** Dark on white, or light on black. Default: "light". */
  readonly theme?: Theme;
}

interface Palette {
  readonly paper: Rgb;
  readonly ink: string;
}

const palettes: Readonly<Record<Theme, Palette>> = {
  light: { paper: [255, 255, 255], ink: "#1c1c21" },
  dark: { paper: [23, 23, 27], ink: "#ececf1" },
};

/** Pixels per unit of layout, so that text is sharp on fine screens. */
export const pixelRatio = 2;

export interface Picture {
  readonly raster: Raster;
  /** A whole SVG of the same size, in units of layout. */
  readonly overlay: string;
}

export interface PlacedTile {
  readonly tile: Raster;
  /** The upper left corner, in units of layout. */
  readonly left: number;
  readonly top: number;
}

export interface PictureParts extends FigureSize {
  /** For screen readers. */
  readonly title: string;
  readonly tiles: readonly PlacedTile[];
  /** SVG elements. */
  readonly overlay: readonly string[];
}

export function pictureOf(parts: PictureParts, { theme = "light" }: PictureOptions = {}): Picture {
  const { width, height, title, tiles, overlay } = parts;
  const palette = palettes[theme];
  if (palette === undefined) throw new InputError(`there is no theme "${theme}"; there are: light, dark`);
  const pixels = (units: number): number => Math.round(units * pixelRatio);
  const raster = new Raster(pixels(width + 2 * margin), pixels(height + 2 * margin), palette.paper);
  for (const { tile, left, top } of tiles) raster.draw(tile, pixels(left + margin), pixels(top + margin));
  const inked = group({ color: palette.ink, fill: "currentColor" }, ...overlay.filter((part) => part !== ""));
  return { raster, overlay: svgDocument({ width, height }, title, inked) };
}

export async function pictureToPng({ raster, overlay }: Picture): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const { width, height, pixels } = raster;
  const text = await sharp(Buffer.from(overlay), { density: 72 * pixelRatio })
    .resize({ width, height, fit: "fill" })
    .png()
    .toBuffer();
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .composite([{ input: text }])
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/** A small image for use within an SVG. */
export async function pngUri({ width, height, pixels }: Raster): Promise<string> {
  const sharp = await loadSharp();
  const png = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 9 })
    .toBuffer();
  return `data:image/png;base64,${png.toString("base64")}`;
}

export interface PngOptions {
  /** In pixels. Default: twice the width of the figure. */
  readonly width?: number;
}

/** Any of the SVG figures, on white. */
export async function svgToPng(svg: string, { width }: PngOptions = {}): Promise<Uint8Array> {
  const own = Number(/<svg[^>]* width="([\d.]+)"/.exec(svg)?.[1]);
  if (!(own > 0)) throw new InputError("svgToPng: the text is not an SVG with a width");
  const wanted = width ?? Math.round(own * pixelRatio);
  if (!Number.isInteger(wanted) || wanted < 1)
    throw new InputError(`svgToPng: width must be a whole number from 1, not ${wanted}`);
  const sharp = await loadSharp();
  return sharp(Buffer.from(svg), { density: (72 * wanted) / own })
    .resize({ width: wanted })
    .flatten({ background: "#ffffff" })
    .png({ compressionLevel: 9 })
    .toBuffer();
}
