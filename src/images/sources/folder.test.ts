import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { Dataset } from "../dataset.ts";
import { pixelCount } from "../image.ts";
import { labelsFromFolders } from "./labels.ts";
import { type OpenOptions, openDataset } from "./open.ts";

const temporary = mkdtempSync(join(tmpdir(), "boostcluster-"));
afterAll(() => rmSync(temporary, { recursive: true }));

/** The folders of the current test. */
let folder: string;
let cacheFolder: string;
beforeEach(() => {
  const own = mkdtempSync(join(temporary, "test-"));
  folder = join(own, "images");
  cacheFolder = join(own, "cache");
  mkdirSync(folder);
});

const open = (options: OpenOptions = {}): Promise<Dataset> => openDataset(folder, { cacheFolder, ...options });

function place(name: string): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  return file;
}

type Colour = readonly [red: number, green: number, blue: number];

const plain = ([r, g, b]: Colour, width = 16, height = 16): Sharp =>
  sharp({ create: { width, height, channels: 3, background: { r, g, b } } });

const red: Colour = [255, 0, 0];
const grey: Colour = [100, 100, 100];

/** Left half black, right half white. */
function halves(width: number, height: number): Sharp {
  const pixels = Buffer.from(Array.from({ length: width * height }, (_, at) => (at % width < width / 2 ? 0 : 255)));
  return sharp(pixels, { raw: { width, height, channels: 1 } });
}

function pixels(dataset: Dataset, index = 0): number[] {
  const target = new Float32Array(pixelCount(dataset.image));
  dataset.read([index], target);
  return [...target].map((value) => Math.round(value * 255));
}

const names = (dataset: Dataset): string[] =>
  Array.from({ length: dataset.count }, (_, index) => dataset.itemName(index));

test("all formats are read, in natural order; other and hidden files are ignored", async () => {
  for (const name of ["b/10.png", "b/9.jpg", "a2.webp", "a10.gif", "a1.TIFF", "c/d/e.avif", "a1.jpeg", "a1.tif"])
    await plain(red).toFile(place(name));
  await plain(red).toFile(place(".hidden/a.png"));
  await plain(red).toFile(place(".b.png"));
  writeFileSync(place("notes.txt"), "no image");
  const dataset = await open();
  expect(names(dataset)).toEqual([
    "a1.TIFF",
    "a1.jpeg",
    "a1.tif",
    "a2.webp",
    "a10.gif",
    "b/9.jpg",
    "b/10.png",
    "c/d/e.avif",
  ]);
  expect(dataset).toMatchObject({ name: folder, image: { channels: 3, height: 16, width: 16 }, skipped: [] });
  expect(dataset.labels).toBeUndefined();
  for (let index = 0; index < dataset.count; index++) {
    const [first, second, third] = [0, 256, 512].map((at) => pixels(dataset, index)[at]);
    expect(first).toBeGreaterThan(250);
    expect(Math.max(second, third)).toBeLessThan(6);
  }
});

test("size and colour follow the images unless they are given", async () => {
  await plain(grey, 300, 200).toFile(place("a.png"));
  await plain(grey, 400, 200).toFile(place("b.jpg"));
  await plain(grey, 400, 100).toFile(place("c.png"));
  expect((await open()).image).toEqual({ channels: 1, height: 64, width: 128 });
  expect((await open({ size: 20 })).image).toEqual({ channels: 1, height: 20, width: 20 });
  expect((await open({ size: [10, 30], channels: 3 })).image).toEqual({ channels: 3, height: 10, width: 30 });
  expect(pixels(await open({ size: 8, channels: 3 }))).toEqual(new Array(192).fill(100));
  await plain(red, 400, 200).toFile(place("d.png"));
  expect((await open()).image.channels).toBe(3);
});

test("small images grow to 8 pixels; one coloured image in fifty does not count", async () => {
  for (let index = 0; index < 49; index++) await plain(grey, 2, 4).toFile(place(`${index}.png`));
  await plain(red, 2, 4).toFile(place("red.png"));
  expect((await open()).image).toEqual({ channels: 1, height: 8, width: 8 });
});

test("other proportions are cropped, framed or stretched", async () => {
  await halves(32, 8).png().toFile(place("a.png"));
  const row = async (fit: OpenOptions["fit"]) => pixels(await open({ size: 8, channels: 1, fit })).slice(0, 8);
  expect((await row("cover")).filter((value) => value > 200)).toHaveLength(4);
  expect(await row("contain")).toEqual(new Array(8).fill(255));
  expect((await row("fill")).filter((value) => value > 200)).toHaveLength(4);
  await expect(openDataset(folder, { cacheFolder, ...JSON.parse('{"fit":"big"}') })).rejects.toThrow(
    "fit must be one of",
  );
});

test("the orientation recorded by a camera is applied", async () => {
  await halves(16, 8).png().toFile(place("plain.png"));
  await halves(16, 8).jpeg({ quality: 100 }).withMetadata({ orientation: 6 }).toFile(place("rotated.jpg"));
  const dataset = await open();
  expect(dataset.image).toMatchObject({ height: 8, width: 8 });
  rmSync(join(folder, "plain.png"));
  const rotated = await open();
  expect(rotated.image).toEqual({ channels: 1, height: 16, width: 8 });
  expect(pixels(rotated).map((value) => (value > 127 ? 1 : 0))).toEqual([
    ...new Array(64).fill(0),
    ...new Array(64).fill(1),
  ]);
});

test("16 bits, CMYK, transparency and animation become plain pixels", async () => {
  const deep = Uint16Array.from({ length: 256 * 3 }, (_, at) => [65535, 32896, 0][at % 3]);
  const raw = { width: 16, height: 16, channels: 3 } as const;
  await sharp(deep, { raw }).toColourspace("rgb16").png().toFile(place("a16.png"));
  expect((await sharp(join(folder, "a16.png")).metadata()).depth).toBe("ushort");
  await plain(red).toColourspace("cmyk").jpeg({ quality: 100 }).toFile(place("b-cmyk.jpg"));
  expect((await sharp(join(folder, "b-cmyk.jpg")).metadata()).space).toBe("cmyk");
  await sharp({ create: { width: 16, height: 16, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
    .png()
    .toFile(place("c-clear.png"));
  const frames = [plain(red), plain([0, 0, 255])].map((frame) => frame.png().toBuffer());
  await sharp(await Promise.all(frames), { join: { animated: true } })
    .gif()
    .toFile(place("d.gif"));
  expect((await sharp(join(folder, "d.gif")).metadata()).pages).toBe(2);
  const dataset = await open();
  expect(dataset.image).toEqual({ channels: 3, height: 16, width: 16 });
  const middle = (index: number) => [0, 1, 2].map((channel) => pixels(dataset, index)[channel * 256 + 136]);
  expect(middle(0)).toEqual([255, 128, 0]);
  expect(middle(1)[0]).toBeGreaterThan(200);
  expect(Math.max(middle(1)[1], middle(1)[2])).toBeLessThan(60);
  expect(middle(2)).toEqual([255, 255, 255]);
  expect(middle(3)).toEqual([255, 0, 0]);
});

test("unreadable files are left out, with a reason that is cached too", async () => {
  await plain(red).toFile(place("good.png"));
  writeFileSync(place("empty.png"), "");
  writeFileSync(place("text.png"), "no image");
  writeFileSync(place("drawing.png"), '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
  const create = { width: 300, height: 300, channels: 3, background: "#000", noise } as const;
  await sharp({ create }).jpeg().toFile(place("short.jpg"));
  truncateSync(join(folder, "short.jpg"), 5000);
  await sharp({ create }).png().toFile(place("short.png"));
  truncateSync(join(folder, "short.png"), 5000);
  const bomb = await plain(red).jpeg().toBuffer();
  // Height and width of the frame: a small file that would fill the memory.
  bomb.writeUInt32BE(20_000 * 2 ** 16 + 20_000, bomb.indexOf(Uint8Array.of(0xff, 0xc0)) + 5);
  writeFileSync(place("bomb.jpg"), bomb);
  symlinkSync(join(folder, "absent"), join(folder, "link.png"));
  for (const dataset of [await open(), await open()]) {
    expect(names(dataset)).toEqual(["good.png"]);
    expect(dataset.image).toEqual({ channels: 3, height: 16, width: 16 });
    const reasons = Object.fromEntries(dataset.skipped.map(({ file, reason }) => [file, reason]));
    expect(reasons).toEqual({
      "bomb.jpg": "it is 20000x20000, more than 200 million pixels",
      "drawing.png": expect.stringContaining("it holds svg"),
      "empty.png": "it is empty",
      "link.png": "it does not exist",
      "short.jpg": expect.any(String),
      "short.png": expect.any(String),
      "text.png": expect.stringContaining("it is not an image"),
    });
    for (const reason of Object.values(reasons)) expect(reason).toMatch(/^.+$/);
  }
});

test("folders without images, or without any that can be read, are refused", async () => {
  await expect(open()).rejects.toThrow(`${folder}: holds no images`);
  writeFileSync(place("a.png"), "");
  writeFileSync(place("b.png"), "text");
  await expect(open()).rejects.toThrow(
    `${folder}: none of its images can be read; 2 left out, the first one, a.png, because it is empty`,
  );
  expect(readdirSync(join(cacheFolder, "decoded"))).toEqual([]);
});

/** Opens the folder and returns how many images were decoded. */
async function decodedBy(options: OpenOptions = {}): Promise<number> {
  let calls = 0;
  await open({ ...options, onProgress: () => calls++ });
  return calls;
}

test("images are decoded once, until a file or a setting changes", async () => {
  for (const name of ["a.png", "b.png", "c.png"]) await plain(red).toFile(place(name));
  const progress: [number, number][] = [];
  const first = await open({ onProgress: (done, total) => progress.push([done, total]) });
  expect(progress).toEqual([1, 2, 3].map((done) => [done, 3]));
  expect(await decodedBy()).toBe(0);
  const [memory, file] = [await open(), await open({ memoryLimit: 0 })];
  expect(memory.fingerprint).toBe(first.fingerprint);
  expect(pixels(memory, 2)).toEqual(pixels(first, 2));
  expect(pixels(file, 2)).toEqual(pixels(first, 2));
  file.close();
  expect(await decodedBy({ size: 9 })).toBe(3);
  expect(await decodedBy({ channels: 1 })).toBe(3);
  expect(await decodedBy({ fit: "fill" })).toBe(3);
  utimesSync(join(folder, "a.png"), 1, 1);
  expect(await decodedBy()).toBe(3);
  copyFileSync(join(folder, "a.png"), join(folder, "d.png"));
  expect(await decodedBy()).toBe(4);
  expect(await decodedBy()).toBe(0);
  expect(readdirSync(join(cacheFolder, "decoded")).filter((name) => !name.endsWith(".pixels"))).toEqual([]);
});

test("the fingerprint depends on the pixels alone", async () => {
  const paint = async (value: number) => {
    for (const name of ["a.png", "b.png"]) await plain([value, 9, 9]).toFile(place(name));
    return (await open({ size: 16 })).fingerprint;
  };
  const before = await paint(200);
  rmSync(cacheFolder, { recursive: true });
  expect(await paint(200)).toBe(before);
  expect(await paint(201)).not.toBe(before);
});

test("a damaged cache file is rebuilt", async () => {
  for (const name of ["a.png", "b.png"]) await plain(red).toFile(place(name));
  const { fingerprint } = await open();
  const decoded = join(cacheFolder, "decoded");
  const [name] = readdirSync(decoded);
  const whole = readFileSync(join(decoded, name));
  const withByte = (at: number) => whole.with(at, whole[at] ^ 1);
  const damages = [
    whole.subarray(0, 100),
    whole.subarray(0, -1),
    new Uint8Array(0),
    new Uint8Array(5000),
    whole.subarray(9),
  ];
  for (const damaged of [...damages, withByte(5), withByte(whole.length - 60), withByte(whole.length - 2)]) {
    writeFileSync(join(decoded, name), damaged);
    expect(await decodedBy()).toBe(2);
    expect((await open()).fingerprint).toBe(fingerprint);
  }
  expect(readFileSync(join(decoded, name)).equals(whole)).toBe(true);
});

test("concurrent opening is safe", async () => {
  for (let index = 0; index < 20; index++) await plain([index, 0, 200]).toFile(place(`${index}.png`));
  const datasets = await Promise.all(Array.from({ length: 5 }, () => open()));
  expect(new Set(datasets.map(({ fingerprint }) => fingerprint)).size).toBe(1);
  expect(readdirSync(join(cacheFolder, "decoded"))).toHaveLength(1);
  datasets.forEach((dataset) => {
    expect(names(dataset)).toEqual(Array.from({ length: 20 }, (_, index) => `${index}.png`));
    expect(pixels(dataset, 13)[0]).toBe(13);
  });
});

test("the work can be aborted, and leaves nothing behind", async () => {
  for (let index = 0; index < 8; index++) await plain(red).toFile(place(`${index}.png`));
  const controller = new AbortController();
  const opening = open({ signal: controller.signal, onProgress: () => controller.abort() });
  await expect(opening).rejects.toThrow("aborted");
  expect(readdirSync(join(cacheFolder, "decoded"))).toEqual([]);
});

test("a cache folder that cannot be written is named in the error", async () => {
  await plain(red).toFile(place("a.png"));
  const blocked = join(folder, "a.png");
  await expect(open({ cacheFolder: blocked })).rejects.toThrow(/cannot be written .* set cacheFolder/);
  expect(existsSync(cacheFolder)).toBe(false);
});

test("labels are the first sub-folders", async () => {
  for (const name of ["10/a.png", "9/b.png", "10/old/c.png", "x y/d.png"]) await plain(red).toFile(place(name));
  const dataset = await open({ labels: "folders" });
  expect(names(dataset)).toEqual(["9/b.png", "10/a.png", "10/old/c.png", "x y/d.png"]);
  expect(dataset.labels).toEqual({ names: ["9", "10", "x y"], values: Int32Array.of(0, 1, 1, 2) });
  await plain(red).toFile(place("loose.png"));
  await expect(open({ labels: "folders" })).rejects.toThrow("loose.png is in no sub-folder");
  expect(() => labelsFromFolders(["a/1.png", "../b/2.png"], "a")).toThrow("../b/2.png is not in this folder");
});

test("labels come from a file, by name or in order", async () => {
  for (const name of ["a.png", "b/b,1.png", "d.png"]) await plain(red).toFile(place(name));
  writeFileSync(place("c.png"), "");
  const labels = join(folder, "labels.csv");
  const expected = { names: ["cat", "dog"], values: Int32Array.of(0, 1, 0) };
  writeFileSync(labels, '\uFEFFfile,label\r\n"d.png","cat"\r\n./a.png,cat\r\nb\\b,1.png,dog\r\nother.png,bird\r\n');
  expect((await open({ labels })).labels).toEqual(expected);
  expect(names(await open())).toEqual(["a.png", "b/b,1.png", "d.png"]);
  writeFileSync(labels, "cat\ndog\nbird\ncat\n");
  expect((await open({ labels })).labels).toEqual(expected);
  writeFileSync(labels, "cat\ndog\ncat\n");
  await expect(open({ labels })).rejects.toThrow("labels.csv: has 3 labels for 4 images");
  writeFileSync(labels, "a.png,cat\n");
  await expect(open({ labels })).rejects.toThrow('has no label for b/b,1.png; add a line "b/b,1.png,label"');
});

test("links are followed, but not in circles", async () => {
  await plain(red).toFile(place("a/a.png"));
  symlinkSync(folder, join(folder, "a", "circle"));
  symlinkSync(join(folder, "a", "a.png"), join(folder, "b.png"));
  expect(names(await open())).toEqual(["a/a.png", "b.png"]);
});
