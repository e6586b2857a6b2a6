import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { copyMakers, drawScene } from "../../../test/scenes.ts";
import type { Dataset } from "../dataset.ts";
import { openDataset } from "../sources/open.ts";
import { copyCount, distinctImages, distinctPlaces, findStacks, type StackOptions } from "./stacks.ts";

const temporary = mkdtempSync(join(tmpdir(), "boostcluster-"));
const cacheFolder = join(temporary, "cache");
afterAll(() => rmSync(temporary, { recursive: true }));

function newFolder(): string {
  return mkdtempSync(join(temporary, "images-"));
}

async function open(folder: string): Promise<Dataset> {
  return openDataset(folder, { cacheFolder, size: 16 });
}

/** Stacks by the files' names, the best first. */
async function namedStacks(folder: string, options: StackOptions = {}): Promise<string[][]> {
  const dataset = await open(folder);
  const stacks = await findStacks(dataset, { cacheFolder, ...options });
  dataset.close();
  return stacks.map((members) => members.map(({ image }) => dataset.itemName(image)));
}

/** Each of them with some of the copies, in turn; the name of a file begins with the picture's. */
async function writeCopies(folder: string, pictures: readonly Buffer[], perPicture: number): Promise<void> {
  const makers = Object.entries(copyMakers);
  for (const [index, picture] of pictures.entries()) {
    writeFileSync(join(folder, `${index} original.png`), picture);
    for (let copy = 0; copy < perPicture; copy++) {
      const [name, make] = makers[(index * perPicture + copy) % makers.length];
      await make(picture).toFile(join(folder, `${index} ${name}`));
    }
  }
}

const byNumber = ([a]: readonly unknown[], [b]: readonly unknown[]): number => Number(a) - Number(b);

function expectStacksByPicture(stacks: readonly string[][], pictures: number, size: number): void {
  const pictureOf = (name: string): string => name.split(" ")[0];
  for (const names of stacks) expect(new Set(names.map(pictureOf)), names.join()).toHaveLength(1);
  const complete = Array.from({ length: pictures }, (_, picture) => [String(picture), size]);
  expect(stacks.map((names) => [pictureOf(names[0]), names.length] as const).sort(byNumber)).toEqual(complete);
}

test("every re-encoded, resized, slightly cropped copy of 40 scenes is found, no two scenes are joined", async () => {
  const folder = newFolder();
  const scenes = await Promise.all(Array.from({ length: 40 }, (_, seed) => drawScene(seed)));
  await writeCopies(folder, scenes, 3);
  expectStacksByPicture(await namedStacks(folder), 40, 4);
}, 120_000);

const photos = fileURLToPath(new URL("../../../../shared/data/photos-clothing/images", import.meta.url));

test("the same of real photos", async () => {
  if (!existsSync(photos)) return console.log(`not run: there are no photos in ${photos}`);
  const files = readdirSync(photos, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".jpg"));
  const chosen = files.sort().filter((_, index) => index % 10 === 0);
  // The makers cut from this size.
  const pictures = chosen.map((file) => sharp(join(photos, file)).resize(480, 360, { fit: "cover" }).png().toBuffer());
  const folder = newFolder();
  await writeCopies(folder, await Promise.all(pictures), 2);
  expectStacksByPicture(await namedStacks(folder), chosen.length, 3);
}, 120_000);

test("a scene in which something small has moved is another picture", async () => {
  const folder = newFolder();
  for (let seed = 0; seed < 20; seed++)
    for (const moved of [0, 20]) writeFileSync(join(folder, `${seed}-${moved}.png`), await drawScene(seed, { moved }));
  expect(await namedStacks(folder)).toEqual([]);
});

test("small pictures: copies are found, and strokes that are alike are none", async () => {
  const folder = newFolder();
  const strokes = await Promise.all(Array.from({ length: 12 }, (_, index) => stroke(2 + index)));
  for (const [index, picture] of strokes.entries()) {
    await sharp(picture)
      .png()
      .toFile(join(folder, `${index} original.png`));
    await sharp(picture)
      .jpeg({ quality: 50 })
      .toFile(join(folder, `${index} compressed.jpg`));
    await sharp(picture)
      .linear(1.1, 0)
      .png()
      .toFile(join(folder, `${index} brighter.png`));
    await sharp(picture)
      .resize(24)
      .png()
      .toFile(join(folder, `${index} smaller.png`));
  }
  expectStacksByPicture(await namedStacks(folder), strokes.length, 4);
});

/** A slanted bar on black, 28x28, as a digit 1. */
const stroke = (slant: number): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="28" height="28"><rect width="28" height="28"/><line x1="${14 + slant / 2}" ` +
        `y1="5" x2="${14 - slant / 2}" y2="23" stroke="#ccc" stroke-width="5"/></svg>`,
    ),
  )
    .png()
    .toBuffer();

test("files of the same bytes are one stack, however many", async () => {
  const folder = newFolder();
  const scene = await sharp(await drawScene(7))
    .resize(40)
    .png()
    .toBuffer();
  for (let copy = 0; copy < 150; copy++) writeFileSync(join(folder, `${copy}.png`), scene);
  expect((await namedStacks(folder)).map((names) => names.length)).toEqual([150]);
});

test("the best of a stack is the largest, then the sharpest; copies are exact or near", async () => {
  const folder = newFolder();
  const scene = await drawScene(1);
  await sharp(scene).resize(300).png().toFile(join(folder, "a-small.png"));
  await sharp(scene).blur(3).png().toFile(join(folder, "b-blurred.png"));
  writeFileSync(join(folder, "c-best.png"), scene);
  mkdirSync(join(folder, "d"));
  copyFileSync(join(folder, "c-best.png"), join(folder, "d", "exact.png"));
  const dataset = await open(folder);
  const [stack] = await findStacks(dataset, { cacheFolder });
  expect(stack.map(({ image, kind }) => [dataset.itemName(image), kind])).toEqual([
    ["c-best.png", "best"],
    ["a-small.png", "near"],
    ["b-blurred.png", "near"],
    ["d/exact.png", "exact"],
  ]);
  expect(stack[1]).toMatchObject({ width: 300, height: 225 });
  expect(stack[2].sharpness).toBeLessThan(stack[0].sharpness);
});

test("plain pictures of nearly the same colour are not copies, unless their bytes are the same", async () => {
  const folder = newFolder();
  for (const grey of [200, 202, 204])
    await sharp({ create: { width: 99, height: 99, channels: 3, background: { r: grey, g: grey, b: grey } } })
      .png()
      .toFile(join(folder, `${grey}.png`));
  copyFileSync(join(folder, "204.png"), join(folder, "205.png"));
  expect(await namedStacks(folder)).toEqual([["204.png", "205.png"]]);
});

test("files are looked at once, and the work can be aborted", async () => {
  const folder = newFolder();
  for (let seed = 0; seed < 3; seed++) writeFileSync(join(folder, `${seed}.png`), await drawScene(seed));
  const steps: string[] = [];
  const onProgress = (step: string): void => void steps.push(step);
  await namedStacks(folder, { onProgress });
  expect(steps).toEqual([...new Array(3).fill("looking"), ...new Array(3).fill("comparing")]);
  await namedStacks(folder, { onProgress });
  expect(steps.slice(6)).toEqual(new Array(3).fill("comparing"));
  await expect(namedStacks(folder, { signal: AbortSignal.abort() })).rejects.toThrow("aborted");
});

test("the distinct images are the best of each stack and all that are in none, in order", async () => {
  const folder = newFolder();
  for (const [index, seed] of [0, 1, 0, 2, 1].entries())
    writeFileSync(join(folder, `${index}.png`), await drawScene(seed));
  const dataset = await open(folder);
  const stacks = await findStacks(dataset, { cacheFolder });
  const distinct = distinctImages(dataset, stacks);
  expect([0, 1, 2].map((image) => distinct.itemName(image))).toEqual(["0.png", "1.png", "3.png"]);
  expect(distinct.count).toBe(dataset.count - copyCount(stacks));
  expect([...distinctPlaces(dataset.count, stacks)]).toEqual([0, 1, 0, 2, 1]);
  expect(distinct.fingerprint).not.toBe(dataset.fingerprint);
  const [some, all] = [new Float32Array(768), new Float32Array(768)];
  distinct.read([2], some);
  dataset.read([3], all);
  expect(some).toEqual(all);
  expect(distinctImages(dataset, [])).toBe(dataset);
});
