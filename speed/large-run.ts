/** A run of very many images that nobody has clustered: small pictures, made-up features and scores. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import type { Dataset } from "../src/images/dataset.ts";
import { Random } from "../src/numeric/random.ts";
import { madeUpRun } from "../test/reported-run.ts";

export interface LargeRunOptions {
  /** Default: 100,000. */
  readonly count?: number;
  /** Default: 40. */
  readonly k?: number;
}

/** Pictures that differ; the others are the same but for some bytes behind their end. */
const distinct = 500;
const imagesPerFolder = 1000;
const side = 64;

/** Makes `images` and `run` in that folder, and returns where they are. */
export async function makeLargeRun(
  folder: string,
  { count = 100_000, k = 40 }: LargeRunOptions = {},
): Promise<{ readonly images: string; readonly run: string }> {
  const images = join(folder, "images");
  const pictures = await Promise.all(Array.from({ length: distinct }, (_, index) => picture(index)));
  const names = Array.from({ length: count }, (_, image) => {
    const group = String(Math.floor(image / imagesPerFolder)).padStart(3, "0");
    return `${group}/${String(image).padStart(6, "0")}.png`;
  });
  names.forEach((name, image) => {
    if (image % imagesPerFolder === 0) mkdirSync(join(images, name, ".."), { recursive: true });
    writeFileSync(join(images, name), Buffer.concat([pictures[image % distinct], Buffer.from(name)]));
  });
  const run = join(folder, "run");
  madeUpRun(run, datasetOf(images, names), { k, bare: true });
  return { images, run };
}

/** Stripes of two colours. */
async function picture(index: number): Promise<Buffer> {
  const random = new Random(index, "large run");
  const colours = [0, 1].map(() => [0, 1, 2].map(() => random.integer(256)));
  const [width, slope] = [4 + random.integer(12), random.uniform()];
  const pixels = Uint8Array.from({ length: side * side * 3 }, (_, at) => {
    const [x, y] = [Math.floor(at / 3) % side, Math.floor(at / 3 / side)];
    return colours[Math.floor((x + slope * y) / width) % 2][at % 3];
  });
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
}

/** Their pixels are never asked for. */
const datasetOf = (source: string, names: readonly string[]): Dataset => ({
  name: source,
  count: names.length,
  image: { channels: 3, height: 32, width: 32 },
  origin: { source, fit: "cover" },
  skipped: [],
  fingerprint: "0".repeat(64),
  labels: undefined,
  itemName: (image) => names[image],
  read: () => {},
  close: () => {},
});
