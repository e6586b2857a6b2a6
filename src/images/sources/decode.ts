/** Decodes image files to a common size, and measures them. Nothing of sharp is in its types, which users see. */
import { reasonOf } from "../../files/errors.ts";
import type { ImageSize } from "../image.ts";
import { decode, readImage } from "./open-image.ts";
import { rawExtensions } from "./raw-preview.ts";

/** Part of the key of every cached folder: to be raised when the same file would give other pixels. */
export const decoderVersion = 1;

/**
 * How an image of other proportions is fitted to the common size: "cover" crops the longer side evenly at both ends;
 * "contain" keeps the whole image between white bars; "fill" stretches it.
 */
export type Fit = "cover" | "contain" | "fill";
export const fits: readonly Fit[] = ["cover", "contain", "fill"];

export interface DecodeSettings {
  readonly image: ImageSize;
  readonly fit: Fit;
}

/** The result, or a line that says why there is none. */
export type Outcome<Result> = { readonly result: Result } | { readonly reason: string };

const commonExtensions = /\.(png|jpe?g|webp|gif|tiff?|avif|heic|heif|hif)$/i;

/** Whether the name is that of an image, which this machine may be able to read or not. */
export const isImageName = (name: string): boolean => commonExtensions.test(name) || rawExtensions.test(name);

/** Pixels channel by channel and row by row. */
export const decodeImage = (file: string, settings: DecodeSettings): Promise<Outcome<Uint8Array>> =>
  attempt(async () => decode(await readImage(file), settings));

export interface Measurement {
  readonly height: number;
  readonly width: number;
  readonly coloured: boolean;
}

/** Size and colour, from which settings are chosen. */
export const measureImage = (file: string): Promise<Outcome<Measurement>> =>
  attempt(async () => {
    const image = await readImage(file);
    const small = { channels: 3, height: 32, width: 32 };
    const { height, width } = image;
    return { height, width, coloured: hasColour(await decode(image, { image: small, fit: "fill" })) };
  });

/** With the reason in place of an error. */
export async function attempt<Result>(run: () => Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { result: await run() };
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}

/** A pixel whose channels differ by at least this much is not grey; compression causes smaller differences. */
const colourDifference = 20;
/** An image with at least this share of such pixels is not grey. */
const colourShare = 0.02;

function hasColour(pixels: Uint8Array): boolean {
  const area = pixels.length / 3;
  let coloured = 0;
  for (let at = 0; at < area; at++) {
    const [red, green, blue] = [pixels[at], pixels[area + at], pixels[2 * area + at]];
    if (Math.max(red, green, blue) - Math.min(red, green, blue) >= colourDifference) coloured++;
  }
  return coloured >= colourShare * area;
}
