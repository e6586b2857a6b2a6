/**
 * What is kept of an image file to find copies of it: the SHA-256 of its content, its size, how sharp it is, and a small
 * picture. As bytes they are one record of a cache file.
 */
import { createHash } from "node:crypto";
import { attempt, type Outcome } from "../sources/decode.ts";
import { type OpenImage, readImage } from "../sources/open-image.ts";
import { halved, type Plane } from "./plane.ts";
import { neutral, type Picture } from "./same-picture.ts";

/** Part of the key of cached thumbnails: to be raised when the same file would give others. */
export const thumbnailVersion = 2;

export interface Thumbnail {
  /** SHA-256 of the file, in hexadecimal. */
  readonly digest: string;
  /** Of the image as it is seen, in pixels. */
  readonly width: number;
  readonly height: number;
  /** The variance of the Laplacian at a common size: the more, the sharper. */
  readonly sharpness: number;
  /** Read at each call: all pictures of a folder would take much memory. */
  picture(): Picture;
}

/** Files are decoded to as many pixels a side as they have, by powers of two, and at these sharpness is measured. */
const [leastDecoded, mostDecoded] = [64, 256];
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
    const { luma, blue, red } = await channelsOf(opened);
    const record = Buffer.alloc(thumbnailBytes);
    createHash("sha256").update(content).digest().copy(record);
    record.writeUInt32LE(width, digestBytes);
    record.writeUInt32LE(height, digestBytes + 4);
    record.writeFloatLE(laplacianVariance(luma), digestBytes + 8);
    record.set(bytesOf(shrunk(luma, lumaSide)), headBytes);
    record.set(bytesOf(blue), headBytes + lumaBytes);
    record.set(bytesOf(red), headBytes + lumaBytes + colourBytes);
    return record;
  });

/** `read` gives the record that was made of a file. */
export function readThumbnail(read: () => Uint8Array): Thumbnail {
  const record = bufferOf(read());
  const width = record.readUInt32LE(digestBytes);
  const height = record.readUInt32LE(digestBytes + 4);
  return {
    digest: record.toString("hex", 0, digestBytes),
    width,
    height,
    sharpness: record.readFloatLE(digestBytes + 8),
    picture: () => pictureIn(read(), Math.min(width, height)),
  };
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const pictureIn = (record: Uint8Array, shortestSide: number): Picture => ({
  shortestSide,
  luma: planeAt(record, headBytes, lumaSide),
  blue: planeAt(record, headBytes + lumaBytes, colourSide),
  red: planeAt(record, headBytes + lumaBytes + colourBytes, colourSide),
});

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

/** As JPEG has them: brightness, and what blue and red are above it, around `neutral`, at the side that is kept. */
interface Channels {
  readonly luma: Plane;
  readonly blue: Plane;
  readonly red: Plane;
}

async function channelsOf({ height, width, raw }: OpenImage): Promise<Channels> {
  const side = Math.max(leastDecoded, Math.min(mostDecoded, 2 ** Math.ceil(Math.log2(Math.max(height, width)))));
  const { data, info } = await raw((opened) =>
    opened.resize({ width: side, height: side, fit: "fill" }).toColourspace("srgb"),
  );
  const luma = { side, values: new Float32Array(side * side) };
  const blue = { side: colourSide, values: new Float32Array(colourSide ** 2).fill(neutral) };
  const red = { side: colourSide, values: new Float32Array(colourSide ** 2).fill(neutral) };
  split(data, info.channels, { luma, blue, red });
  return { luma, blue, red };
}

/** Colours are the means of the pixels that each of theirs stands for. A grey image has one channel for all three. */
function split(data: Uint8Array, channels: number, { luma, blue, red }: Channels): void {
  const { side } = luma;
  const [toGreen, toBlue] = channels < 3 ? [0, 0] : [1, 2];
  const step = side / blue.side;
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const at = y * side + x;
      const r = data[channels * at];
      const b = data[channels * at + toBlue];
      const brightness = 0.299 * r + 0.587 * data[channels * at + toGreen] + 0.114 * b;
      const small = Math.floor(y / step) * blue.side + Math.floor(x / step);
      luma.values[at] = brightness;
      blue.values[small] += (0.564 * (b - brightness)) / step ** 2;
      red.values[small] += (0.713 * (r - brightness)) / step ** 2;
    }
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
