import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { Dataset } from "../dataset.ts";
import { pixelCount } from "../image.ts";
import { openDataset } from "./open.ts";
import { streamImages } from "./stream.ts";

const temporary = mkdtempSync(join(tmpdir(), "boostcluster-"));
afterAll(() => rmSync(temporary, { recursive: true }));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(temporary, "photos-"));
});

function put(name: string, content: Uint8Array): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
}

const open = (): Promise<Dataset> => openDataset(folder, { cacheFolder: join(temporary, "cache") });

const names = (dataset: Dataset): string[] =>
  Array.from({ length: dataset.count }, (_, index) => dataset.itemName(index));

/** Left half black, right half white. */
function halves(width: number, height: number): Promise<Buffer> {
  const pixels = Buffer.from(Array.from({ length: width * height }, (_, at) => (at % width < width / 2 ? 0 : 255)));
  return sharp(pixels, { raw: { width, height, channels: 1 } })
    .jpeg({ quality: 100 })
    .toBuffer();
}

/** A TIFF directory that says how the camera was held, then whatever else the maker put there. */
function rawFile(order: "II" | "MM", orientation: number, ...parts: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(26);
  const little = order === "II";
  const short = (value: number, at: number) => (little ? head.writeUInt16LE(value, at) : head.writeUInt16BE(value, at));
  head.write(order, "latin1");
  short(42, 2);
  short(8, little ? 4 : 6);
  short(1, 8);
  for (const [index, value] of [0x0112, 3].entries()) short(value, 10 + 2 * index);
  short(1, little ? 14 : 16);
  short(orientation, 18);
  return Buffer.concat([head, ...parts]);
}

/** Raw data as lossless JPEG, which claims more pixels than the preview has, and bytes that only begin like a JPEG. */
const lossless = Buffer.from([0xff, 0xd8, 0xff, 0xc3, 0, 11, 8, 0xf, 0xff, 0xf, 0xff, 1, 1, 0x11, 0, 0xff, 0xd9]);
const stray = Buffer.from([0xff, 0xd8, 0xff, 1, 2, 3, 0xff, 0xd8, 0xff]);

test.each(["II", "MM"] as const)("a RAW file (%s) is its largest preview, as the camera was held", async (order) => {
  const [thumbnail, preview] = [await halves(16, 8), await halves(64, 32)];
  put("shot.NEF", rawFile(order, 6, stray, lossless, thumbnail, Buffer.alloc(9), preview, stray));
  const dataset = await open();
  expect(dataset.image).toEqual({ channels: 1, height: 64, width: 32 });
  const pixels = new Float32Array(pixelCount(dataset.image));
  dataset.read([0], pixels);
  const dark = pixels.filter((value) => value < 0.5).length;
  expect(dark).toBe(pixels.length / 2);
  expect(Math.max(...pixels.subarray(0, 32 * 30))).toBeLessThan(0.1);
});

test("a preview that says itself how it was held is believed", async () => {
  const turned = await sharp(await halves(64, 32))
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  put("shot.dng", rawFile("II", 1, turned));
  expect((await open()).image).toMatchObject({ height: 64, width: 32 });
});

test("of a shot in RAW and JPEG the JPEG is taken; videos beside photos are nothing to report", async () => {
  const photo = await halves(32, 32);
  put("IMG_1.JPG", photo);
  put("img_1.cr2", rawFile("II", 1, photo));
  put("other/IMG_1.CR2", rawFile("II", 1, photo));
  put("IMG_1.MOV", Buffer.from("video"));
  put("lone.arw", Buffer.from("no preview here"));
  const dataset = await open();
  expect(names(dataset)).toEqual(["IMG_1.JPG", "other/IMG_1.CR2"]);
  expect(dataset.skipped).toEqual([
    { file: "img_1.cr2", reason: "IMG_1.JPG is the same shot, and is taken" },
    { file: "lone.arw", reason: "it holds no JPEG preview; export it as JPEG from a RAW converter" },
  ]);
  const streamed: string[] = [];
  for await (const one of streamImages([folder], { image: dataset.image, fit: "cover" }))
    if ("pixels" in one) streamed.push(one.item);
  expect(streamed).toEqual(names(dataset).map((name) => join(folder, name)));
});

test("HEIC that this sharp cannot read is left out, and what to do is said", async () => {
  put("a.jpg", await halves(32, 32));
  put("b.heic", Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic\0\0\0\x08mdat", "latin1"));
  expect((await open()).skipped).toEqual([
    { file: "b.heic", reason: expect.stringMatching(/^this sharp cannot read HEIC; convert it to JPEG/) },
  ]);
});

test("an animated WebP is its first frame", async () => {
  const frames = ["#000", "#fff"].map((background) =>
    sharp({ create: { width: 16, height: 16, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  put(
    "a.webp",
    await sharp(await Promise.all(frames), { join: { animated: true } })
      .webp({ lossless: true })
      .toBuffer(),
  );
  const dataset = await open();
  const pixels = new Float32Array(pixelCount(dataset.image));
  dataset.read([0], pixels);
  expect(Math.max(...pixels)).toBe(0);
});

test("what other programs keep among photos is not taken for them", async () => {
  const photo = await halves(32, 32);
  const foreign = [
    "._IMG_1.jpg",
    ".thumbnails/1.jpg",
    "@eaDir/IMG_1.jpg/SYNOPHOTO_THUMB_M.jpg",
    ".picasaoriginals/IMG_1.jpg",
    ".@__thumb/s100IMG_1.jpg",
    ".dtrash/files/IMG_1.jpg",
    "__MACOSX/IMG_1.jpg",
    "$RECYCLE.BIN/IMG_1.jpg",
    "Catalog Previews.lrdata/IMG_1.jpg",
    "Photos.photoslibrary/resources/derivatives/1.jpeg",
    "Thumbs.db",
  ];
  for (const name of [...foreign, "IMG_1.jpg", "Photos.photoslibrary/originals/1/1.jpeg", "resources/2.jpg"])
    put(name, photo);
  const dataset = await open();
  expect(names(dataset)).toEqual(["IMG_1.jpg", "Photos.photoslibrary/originals/1/1.jpeg", "resources/2.jpg"]);
  expect(dataset.skipped).toEqual([]);
});
