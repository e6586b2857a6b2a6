/**
 * The picture that a camera puts into its RAW files, to be seen at once: the largest JPEG within, upright. RAW formats
 * differ from maker to maker, and this is what nearly all have in common, so it is searched for in the bytes themselves.
 */

export const rawExtensions =
  /\.(cr2|cr3|crw|nef|nrw|arw|sr2|srf|dng|orf|rw2|raf|pef|srw|3fr|iiq|rwl|x3f|erf|kdc|mrw)$/i;

/** A JPEG file. */
export function rawPreview(content: Buffer): Buffer {
  let largest: EmbeddedJpeg | undefined;
  for (let at = content.indexOf(startOfImage); at >= 0; ) {
    const found = jpegAt(content, at);
    if (found !== undefined && found.pixels > (largest?.pixels ?? 0)) largest = found;
    // A preview holds thumbnails of its own, which are within it.
    at = content.indexOf(startOfImage, found?.end ?? at + 2);
  }
  if (largest === undefined) throw new Error("it holds no JPEG preview; export it as JPEG from a RAW converter");
  const jpeg = content.subarray(largest.start, largest.end);
  const orientation = exifOrientation(jpeg) === undefined ? containerOrientation(content) : undefined;
  return orientation === undefined ? jpeg : withOrientation(jpeg, orientation);
}

const startOfImage = Uint8Array.of(0xff, 0xd8, 0xff);

interface EmbeddedJpeg {
  readonly start: number;
  readonly end: number;
  readonly pixels: number;
}

/** Undefined where the bytes only look like one, or are raw data that was compressed as lossless JPEG. */
function jpegAt(content: Buffer, start: number): EmbeddedJpeg | undefined {
  let pixels = 0;
  for (let at = start + 2; at + 2 <= content.length; ) {
    if (content[at] !== 0xff) return undefined;
    const marker = content[at + 1];
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0xd9) return pixels === 0 ? undefined : { start, end: at + 2, pixels };
    if (at + 4 > content.length) return undefined;
    if (isFrame(marker) && at + 9 <= content.length) {
      if (marker > 0xc2) return undefined;
      pixels = content.readUInt16BE(at + 5) * content.readUInt16BE(at + 7);
    }
    at += 2 + content.readUInt16BE(at + 2);
    if (marker === 0xda) at = endOfScan(content, at);
  }
  return undefined;
}

/** SOF markers: 0 to 2 are what cameras and browsers use, 3 and above are lossless and rare kinds. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** The place of the marker after compressed data, in which a zero or a restart may follow 0xff. */
function endOfScan(content: Buffer, from: number): number {
  for (let at = content.indexOf(0xff, from); at >= 0 && at + 1 < content.length; at = content.indexOf(0xff, at + 1)) {
    const next = content[at + 1];
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return content.length;
}

/** Most RAW files are TIFF files of a kind; Canon's newest have one inside, in a box named CMT1. */
function containerOrientation(content: Buffer): number | undefined {
  const box = content.subarray(0, 2 ** 16).indexOf("CMT1");
  return tiffOrientation(box < 0 ? content : content.subarray(box + 4));
}

function exifOrientation(jpeg: Buffer): number | undefined {
  const exif = jpeg.subarray(0, 2 ** 16).indexOf("Exif\0\0", 0, "latin1");
  return exif < 0 ? undefined : tiffOrientation(jpeg.subarray(exif + 6));
}

const orientationTag = 0x0112;

/** The orientation of the first image of a TIFF structure, from 1 to 8. */
function tiffOrientation(tiff: Buffer): number | undefined {
  const order = tiff.toString("latin1", 0, 2);
  if ((order !== "II" && order !== "MM") || tiff.length < 10) return undefined;
  const short = (at: number): number => (order === "II" ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = order === "II" ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return undefined;
  const last = Math.min(directory + 2 + 12 * short(directory), tiff.length - 11);
  for (let entry = directory + 2; entry < last; entry += 12)
    if (short(entry) === orientationTag) {
      const orientation = short(entry + 8);
      return orientation >= 1 && orientation <= 8 ? orientation : undefined;
    }
  return undefined;
}

/** With an EXIF segment that says nothing else, so that the preview is a photo like any other from here on. */
function withOrientation(jpeg: Buffer, orientation: number): Buffer {
  const directory = [
    0,
    1,
    orientationTag >> 8,
    orientationTag & 0xff,
    0,
    3,
    0,
    0,
    0,
    1,
    0,
    orientation,
    0,
    0,
    0,
    0,
    0,
    0,
  ];
  const tiff = Buffer.concat([Buffer.from("MM\0*\0\0\0\b", "latin1"), Buffer.from(directory)]);
  const exif = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff]);
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, exif.length + 2]);
  return Buffer.concat([head, exif, jpeg.subarray(2)]);
}
