import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { afterAll, expect, test } from "vitest";
import { type Preparation, prepareImage } from "../preparation.ts";
import { prepareFile } from "./prepared-file.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-prepared-"));
afterAll(() => rmSync(folder, { recursive: true }));

const preparation: Preparation = {
  resize: { shortestEdge: 16 },
  resample: "bicubic",
  crop: { height: 14, width: 14 },
};

function waves(width: number, height: number, channels: 1 | 3 | 4): { data: Uint8Array; image: Sharp } {
  const data = Uint8Array.from({ length: width * height * channels }, (_, at) => {
    const [place, channel] = [Math.floor(at / channels), at % channels];
    return 128 + 80 * Math.sin(((place % width) / width) * 9 + channel) + 40 * Math.cos(((place / width) * 7) / height);
  });
  return { data, image: sharp(data, { raw: { width, height, channels } }) };
}

async function prepared(name: string): Promise<Uint8Array> {
  const outcome = await prepareFile(join(folder, name), preparation);
  if ("reason" in outcome) throw new Error(outcome.reason);
  return outcome.result;
}

const largestDifference = (a: Uint8Array, b: Uint8Array): number =>
  a.reduce((largest, value, at) => Math.max(largest, Math.abs(value - b[at])), 0);

test("a file is prepared as its pixels are, in colour and in grey", async () => {
  for (const channels of [1, 3] as const) {
    const { data, image } = waves(40, 25, channels);
    await image.png().toFile(join(folder, "waves.png"));
    expect(await prepared("waves.png")).toEqual(prepareImage({ data, width: 40, height: 25, channels }, preparation));
  }
});

test("a camera's rotation is applied", async () => {
  const { image } = waves(40, 25, 3);
  await image.clone().rotate(90).png().toFile(join(folder, "rotated.png"));
  await image.clone().withMetadata({ orientation: 6 }).png().toFile(join(folder, "turned.png"));
  expect(await prepared("turned.png")).toEqual(await prepared("rotated.png"));
});

test("what is transparent is white", async () => {
  await sharp({ create: { width: 20, height: 20, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0 } } })
    .png()
    .toFile(join(folder, "clear.png"));
  expect(new Set(await prepared("clear.png"))).toEqual(new Set([255]));
});

test("a large JPEG, which is loaded at a fraction of its size, hardly differs from the whole one", async () => {
  const { image } = waves(1001, 777, 3);
  for (const orientation of [1, 6]) {
    const jpeg = await image.clone().withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer();
    writeFileSync(join(folder, "large.jpg"), jpeg);
    await sharp(jpeg).autoOrient().png().toFile(join(folder, "large.png"));
    expect(largestDifference(await prepared("large.jpg"), await prepared("large.png"))).toBeLessThanOrEqual(3);
  }
});

test("a file that is no image gives a reason", async () => {
  writeFileSync(join(folder, "text.png"), "no image");
  writeFileSync(join(folder, "empty.png"), "");
  const reasons = await Promise.all(
    ["text.png", "empty.png", "absent.png"].map((name) => prepareFile(join(folder, name), preparation)),
  );
  expect(reasons).toEqual([
    { reason: expect.stringContaining("it is not an image") },
    { reason: "it is empty" },
    { reason: "it does not exist" },
  ]);
});
