/**
 * Opens image files, through sharp. An animation becomes its first frame, a RAW file the preview within it; the rotation
 * recorded by a camera (EXIF) is applied; every colour space and depth becomes 8-bit sRGB or grey; transparent areas
 * become white, as on paper.
 */
import { readFile } from "node:fs/promises";
import type { Metadata, OutputInfo, Sharp } from "sharp";
import { reasonOf } from "../../files/errors.ts";
import { loadSharp } from "../../files/sharp.ts";
import type { ImageSize } from "../image.ts";
import { rawExtensions, rawPreview } from "./raw-preview.ts";

/** Sharp's names; AVIF is a kind of HEIF. Other formats, such as SVG in a file named .png, are refused. */
const formats = ["png", "jpeg", "webp", "gif", "tiff", "heif"];

/** More than any camera's; a small file that claims more is a decompression bomb. */
const largestPixels = 200e6;

const white = { r: 255, g: 255, b: 255, alpha: 1 };

export interface OpenImage {
  /** The file's own bytes. */
  readonly content: Uint8Array;
  /** As it is seen, upright. */
  readonly height: number;
  readonly width: number;
  /** Sharp's name. */
  readonly format: string;
  /** Its pixels, of 8 bits, after a change of what is upright and on white. */
  raw(change: (opened: Sharp) => Sharp): Promise<{ readonly data: Uint8Array; readonly info: OutputInfo }>;
}

/** The file is read here rather than by sharp, which caches files by name and would miss a change. */
export const readImage = async (file: string): Promise<OpenImage> => openImage(await readFile(file), file);

/** `content` is that of `file`, whose extension tells RAW files from others. */
export async function openImage(content: Buffer, file: string): Promise<OpenImage> {
  if (content.length === 0) throw new Error("it is empty");
  const picture = rawExtensions.test(file) ? rawPreview(content) : content;
  const refuse = isHeic(content) ? notReadable : notAnImage;
  const sharp = await loadSharp();
  const metadata = await sharp(picture, { limitInputPixels: false }).metadata().catch(refuse);
  const { format, height, width } = metadata;
  if (!formats.includes(format)) throw new Error(`it holds ${format}, not one of ${formats.join(", ")}`);
  if (height * width > largestPixels)
    throw new Error(`it is ${width}x${height}, more than ${largestPixels / 1e6} million pixels`);
  const raw: OpenImage["raw"] = (change) =>
    change(
      sharp(picture, { limitInputPixels: largestPixels, failOn: "error" }).autoOrient().flatten({ background: white }),
    )
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
  return {
    content,
    ...upright(metadata),
    format,
    raw: isHeic(content) ? (change) => raw(change).catch(notReadable) : raw,
  };
}

/** HEIF whose pictures are HEVC, as telephones write it; AVIF is HEIF too, and sharp always has it. */
const isHeic = (content: Buffer): boolean =>
  /^ftyp(hei[cxms]|hev[cxms]|mif1|msf1)/.test(content.toString("latin1", 4, 12));

function notReadable(): never {
  throw new Error(
    "this sharp cannot read HEIC; convert it to JPEG, or have the camera or the export write JPEG (most compatible)",
  );
}

function notAnImage(error: unknown): never {
  throw new Error(`it is not an image (${reasonOf(error)})`);
}

/** EXIF orientations from 5 on swap height and width. */
const upright = ({ height, width, orientation = 1 }: Metadata): { height: number; width: number } =>
  orientation >= 5 ? { height: width, width: height } : { height, width };

interface Fitting {
  readonly image: ImageSize;
  readonly fit: "cover" | "contain" | "fill";
}

/** Pixels channel by channel and row by row. */
export async function decode({ raw }: OpenImage, { image, fit }: Fitting): Promise<Uint8Array> {
  const { channels, height, width } = image;
  const colours = channels === 1 ? "b-w" : "srgb";
  const { data, info } = await raw((opened) =>
    opened.resize({ width, height, fit, background: white }).toColourspace(colours),
  );
  return channelByChannel(data, info.channels, image);
}

/** Sharp's order is pixel by pixel, and a grey image has one channel even where three were requested. */
function channelByChannel(data: Uint8Array, given: number, { channels, height, width }: ImageSize): Uint8Array {
  const area = height * width;
  const pixels = new Uint8Array(channels * area);
  for (let channel = 0; channel < channels; channel++) {
    const from = Math.min(channel, given - 1);
    for (let at = 0; at < area; at++) pixels[channel * area + at] = data[at * given + from];
  }
  return pixels;
}
