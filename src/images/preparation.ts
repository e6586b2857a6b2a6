/** An image as a pretrained network takes it, by the rules of Hugging Face's image processors. */
import type { ImageSize } from "./image.ts";
import { type Preprocessing, uprightInPython } from "./preprocessing.ts";
import { type Region, type Resample, type RgbPixels, resample } from "./resample.ts";

export interface Sides {
  readonly height: number;
  readonly width: number;
}

/** Pixel by pixel, as decoders give them. */
export interface DecodedPixels extends RgbPixels {
  readonly channels: 1 | 3;
}

export interface Preparation {
  /**
   * To both sides, or so that the shorter side becomes `shortestEdge` and proportions stay, unless the longer one would
   * exceed `longestEdge`. undefined: no resizing.
   */
  readonly resize: { readonly shortestEdge: number; readonly longestEdge?: number } | Sides | undefined;
  readonly resample: Resample;
  /** The middle, padded with black where the image is smaller. undefined: no cropping. */
  readonly crop: Sides | undefined;
}

/** The size that every prepared image has; undefined where it would depend on the image. */
export function preparedSides({ resize, crop }: Preparation): Sides | undefined {
  if (crop !== undefined) return crop;
  return resize !== undefined && "height" in resize ? resize : undefined;
}

/** RGB from 0 to 255, channel by channel ([3, height, width]); a grey image has three equal channels. */
export function prepareImage(pixels: DecodedPixels, preparation: Preparation): Uint8Array {
  const whole = resizedSides(pixels, preparation);
  const sides = preparation.crop ?? whole;
  const [across, down] = [middle(whole.width, sides.width), middle(whole.height, sides.height)];
  const seen = { left: across.start, width: across.count, top: down.start, height: down.count };
  const place = { left: across.padding, width: sides.width, top: down.padding, height: sides.height };
  return onBlack(resample(coloured(pixels), whole, preparation.resample, seen), seen, place);
}

/** An image as numbers from 0 to 1, channel by channel, as a decoder would give it. */
export function interleaved(values: Float32Array, { channels, height, width }: ImageSize): DecodedPixels {
  const area = height * width;
  const data = new Uint8Array(values.length);
  for (let channel = 0; channel < channels; channel++)
    for (let at = 0; at < area; at++) data[at * channels + channel] = Math.round(255 * values[channel * area + at]);
  return { data, height, width, channels: channels === 1 ? 1 : 3 };
}

function coloured(pixels: DecodedPixels): RgbPixels {
  if (pixels.channels === 3) return pixels;
  const data = new Uint8Array(3 * pixels.data.length);
  for (let at = 0; at < data.length; at++) data[at] = pixels.data[(at / 3) | 0];
  return { ...pixels, data };
}

/** What the whole image is resized to, before it is cropped. */
export function resizedSides({ height, width }: Sides, { resize }: Preparation): Sides {
  if (resize === undefined) return { height, width };
  if ("height" in resize) return resize;
  const { shortestEdge, longestEdge = Number.POSITIVE_INFINITY } = resize;
  const [short, long] = [Math.min(height, width), Math.max(height, width)];
  let newShort = shortestEdge;
  let newLong = Math.trunc((shortestEdge * long) / short);
  if (newLong > longestEdge) {
    newShort = Math.max(1, Math.trunc((longestEdge * newShort) / newLong));
    newLong = longestEdge;
  }
  return width <= height ? { height: newLong, width: newShort } : { height: newShort, width: newLong };
}

/** Along one axis: what is seen of `size` through a centred window, and the padding before it. */
function middle(size: number, window: number): { start: number; count: number; padding: number } {
  const offset = Math.floor((size - window) / 2);
  return { start: Math.max(0, offset), count: Math.min(size, window), padding: Math.max(0, -offset) };
}

function onBlack(part: Uint8Array, seen: Sides, place: Region): Uint8Array {
  const area = place.height * place.width;
  if (part.length === 3 * area) return part;
  const image = new Uint8Array(3 * area);
  for (let channel = 0; channel < 3; channel++)
    for (let row = 0; row < seen.height; row++) {
      const from = (channel * seen.height + row) * seen.width;
      const to = channel * area + (place.top + row) * place.width + place.left;
      image.set(part.subarray(from, from + seen.width), to);
    }
  return image;
}

/** The same for those who prepare images elsewhere, in words and in Python with Pillow; then divided by 255. */
export function preparationWords({ resize, resample, crop }: Preparation): Preprocessing {
  const words = ["turn upright as EXIF says, put on white"];
  const lines: string[] = [];
  if (resize !== undefined) {
    const { told, sizes, size } = resizeWords(resize);
    words.push(`${told} (${resample})`);
    lines.push(...sizes, `image = image.resize(${size}, Image.${resample.toUpperCase()})`);
  }
  if (crop !== undefined) {
    words.push(`crop the middle ${crop.height}x${crop.width}`);
    lines.push(`left, top = (image.width - ${crop.width}) // 2, (image.height - ${crop.height}) // 2`);
    lines.push(`image = image.crop((left, top, left + ${crop.width}, top + ${crop.height}))`);
  }
  return {
    words: `${words.join(", ")}, RGB, divide by 255`,
    python: (file) => `${uprightInPython(file)}
${lines.join("\n")}
images = (numpy.asarray(image, numpy.float32) / 255).transpose(2, 0, 1)[None]`,
  };
}

/** In words, and as what Pillow is to resize to, after lines that find it. */
function resizeWords(resize: NonNullable<Preparation["resize"]>): { told: string; sizes: string[]; size: string } {
  if ("height" in resize)
    return {
      told: `resize to ${resize.height}x${resize.width}`,
      sizes: [],
      size: `(${resize.width}, ${resize.height})`,
    };
  const { shortestEdge, longestEdge } = resize;
  const told = `resize the shorter side to ${shortestEdge}`;
  const sizes = [
    "short, long = sorted(image.size)",
    `short, long = ${shortestEdge}, int(${shortestEdge} * long / short)`,
  ];
  const size = "(short, long) if image.width <= image.height else (long, short)";
  if (longestEdge === undefined) return { told, sizes, size };
  return {
    told: `${told}, or the longer one to ${longestEdge} where it would be longer`,
    sizes: [
      ...sizes,
      `if long > ${longestEdge}:`,
      `    short, long = max(1, int(${longestEdge} * short / long)), ${longestEdge}`,
    ],
    size,
  };
}
