/**
 * What is kept of an image file to find copies of it: the SHA-256 of its content, its size, how sharp it is, and a small
 * picture. As bytes they are one record of a cache file.
 */
import { createHash } from "node:crypto";
import { attempt, type Outcome } from "../sources/decode.ts";
import { decode, readImage } from "../sources/open-image.ts";
import { halved, type Plane } from "./plane.ts";
import { neutral, type Picture } from "./same-picture.ts";

/** Part of the key of cached thumbnails: to be raised when the same file would give others. */
export const thumbnailVersion = 1;

export interface Thumbnail {
  /** SHA-256 of the file, in hexadecimal. */
  readonly digest: string;
  /** Of the image as it is seen, in pixels. */
  readonly width: number;
  readonly height: number;
  /** The variance of the Laplacian at a common size: the more, the sharper. */
  readonly sharpness: number;
  /** Unpacked at each call: as numbers, all pictures of a folder would take much memory. */
  picture(): Picture;
}

/** Files are decoded to this many pixels a side, at which sharpness is measured. */
const decodedSide = 256;
const lumaSide = 64;
const colourSide = 32;

const digestBytes = 32;
const headBytes = digestBytes + 12;
const lumaBytes = lumaSide ** 2;
const colourBytes = colourSide ** 2;
export const thumbnailBytes = headBytes + lumaBytes + 2 * colourBytes;

/** The thumbnail of a file, as a record. */
export const makeThumbnail = (file: string): Promise<Outcome<Uint8Array>> =>
  attempt(async () => {
    const opened = await readImage(file);
    const { content, height, width } = opened;
    const image = { channels: 3, height: decodedSide, width: decodedSide };
    const { luma, blue, red } = lumaAndColours(await decode(opened, { image, fit: "fill" }));
    const record = Buffer.alloc(thumbnailBytes);
    createHash("sha256").update(content).digest().copy(record);
    record.writeUInt32LE(width, digestBytes);
    record.writeUInt32LE(height, digestBytes + 4);
    record.writeFloatLE(laplacianVariance(luma), digestBytes + 8);
    record.set(bytesOf(shrunk(luma, lumaSide)), headBytes);
    record.set(bytesOf(shrunk(blue, colourSide)), headBytes + lumaBytes);
    record.set(bytesOf(shrunk(red, colourSide)), headBytes + lumaBytes + colourBytes);
    return record;
  });

export function readThumbnail(bytes: Uint8Array): Thumbnail {
  const record = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const width = record.readUInt32LE(digestBytes);
  const height = record.readUInt32LE(digestBytes + 4);
  return {
    digest: record.toString("hex", 0, digestBytes),
    width,
    height,
    sharpness: record.readFloatLE(digestBytes + 8),
    picture: () => ({
      shortestSide: Math.min(width, height),
      luma: planeAt(record, headBytes, lumaSide),
      blue: planeAt(record, headBytes + lumaBytes, colourSide),
      red: planeAt(record, headBytes + lumaBytes + colourBytes, colourSide),
    }),
  };
}

const planeAt = (record: Uint8Array, start: number, side: number): Plane => ({
  side,
  values: new Float32Array(record.subarray(start, start + side ** 2)),
});

// Loops in place of `from` and of destructuring: there is a thumbnail for each of many files.
function bytesOf({ values }: Plane): Uint8Array {
  const bytes = new Uint8Array(values.length);
  for (let at = 0; at < values.length; at++) bytes[at] = Math.round(values[at]);
  return bytes;
}

interface Channels {
  readonly luma: Plane;
  readonly blue: Plane;
  readonly red: Plane;
}

/** As JPEG has them: brightness, and what blue and red are above it, around 128. */
function lumaAndColours(pixels: Uint8Array): Channels {
  const area = pixels.length / 3;
  const luma = new Float32Array(area);
  const blue = new Float32Array(area);
  const red = new Float32Array(area);
  for (let at = 0; at < area; at++) {
    const r = pixels[at];
    const g = pixels[area + at];
    const b = pixels[2 * area + at];
    luma[at] = 0.299 * r + 0.587 * g + 0.114 * b;
    blue[at] = neutral + 0.564 * (b - luma[at]);
    red[at] = neutral + 0.713 * (r - luma[at]);
  }
  const side = decodedSide;
  return { luma: { side, values: luma }, blue: { side, values: blue }, red: { side, values: red } };
}

const shrunk = (plane: Plane, side: number): Plane => (plane.side === side ? plane : shrunk(halved(plane), side));

function laplacianVariance({ side, values }: Plane): number {
  let [sum, squares] = [0, 0];
  for (let y = 1; y < side - 1; y++)
    for (let x = 1; x < side - 1; x++) {
      const at = y * side + x;
      const value = values[at - 1] + values[at + 1] + values[at - side] + values[at + side] - 4 * values[at];
      sum += value;
      squares += value ** 2;
    }
  const count = (side - 2) ** 2;
  return squares / count - (sum / count) ** 2;
}
