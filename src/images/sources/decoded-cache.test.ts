import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeEach, expect, test } from "vitest";
import { boostcluster } from "../../../test/command-line.ts";
import { cacheSize, clearCache, decodedFolder } from "./decoded-cache.ts";
import { openDataset } from "./open.ts";

const temporary = mkdtempSync(join(tmpdir(), "boostcluster-cache-"));
afterAll(() => rmSync(temporary, { recursive: true }));

let cacheFolder: string;
beforeEach(() => {
  cacheFolder = mkdtempSync(join(temporary, "test-"));
});

/** A folder of one image, of a name of its own. */
async function imageFolder(name: string): Promise<string> {
  const folder = join(cacheFolder, "images", name);
  mkdirSync(folder, { recursive: true });
  const background = { r: 0, g: 0, b: 0 };
  await sharp({ create: { width: 16, height: 16, channels: 3, background } }).toFile(join(folder, "0.png"));
  return folder;
}

/** Opens and closes it, and returns the cache file that it is in. */
async function use(folder: string, cacheLimit?: number): Promise<string> {
  const before = new Map(filesOf().map((name) => [name, statSync(name).mtimeMs]));
  const dataset = await openDataset(folder, { cacheFolder, cacheLimit });
  dataset.close();
  return filesOf().find((name) => before.get(name) !== statSync(name).mtimeMs) ?? "";
}

const filesOf = (): string[] =>
  readdirSync(decodedFolder(cacheFolder)).map((name) => join(decodedFolder(cacheFolder), name));
const setAge = (file: string, hours: number): void => {
  const then = Date.now() / 1000 - 3600 * hours;
  utimesSync(file, then, then);
};

test("over the limit, what was used longest ago goes, and what is in use stays", async () => {
  mkdirSync(decodedFolder(cacheFolder), { recursive: true });
  const folders = [await imageFolder("a"), await imageFolder("b"), await imageFolder("c")];
  const files: string[] = [];
  for (const [index, folder] of folders.entries()) {
    const file = await use(folder);
    setAge(file, 10 - index);
    files.push(file);
  }
  expect(new Set(files).size).toBe(3);
  const { bytes } = cacheSize(cacheFolder);
  expect(await use(folders[0])).toBe(files[0]);
  setAge(files[0], 1);
  await use(await imageFolder("d"), bytes);
  expect(files.map((file) => existsSync(file))).toEqual([true, false, true]);
  expect(cacheSize(cacheFolder).bytes).toBeLessThanOrEqual(bytes);
  const dataset = await openDataset(folders[2], { cacheFolder, cacheLimit: 0, memoryLimit: 0 });
  expect(files.map((file) => existsSync(file))).toEqual([false, false, true]);
  clearCache(cacheFolder);
  const pixels = new Float32Array(256).fill(1);
  dataset.read([0], pixels);
  expect(pixels.every((value) => value === 0)).toBe(true);
  dataset.close();
});

test("what another process uses just now, or writes, stays; what a killed one has left goes", async () => {
  const name = "0123456789abcdef".repeat(4);
  mkdirSync(decodedFolder(cacheFolder), { recursive: true });
  const [fresh, written, left] = [
    `${name}.pixels`,
    `.${name}.pixels.0123456789ab.tmp`,
    `.${name}.pixels.ba9876543210.tmp`,
  ];
  const paths = [fresh, written, left].map((file) => join(decodedFolder(cacheFolder), file));
  for (const path of paths) writeFileSync(path, "pixels");
  setAge(paths[2], 2);
  await use(await imageFolder("a"), 0);
  expect(paths.map((path) => existsSync(path))).toEqual([true, true, false]);
});

test("data tells where decoded images are and how large; --clear-cache removes them and nothing else", async () => {
  mkdirSync(decodedFolder(cacheFolder), { recursive: true });
  await use(await imageFolder("a"));
  const others = [join(cacheFolder, "mine.pixels"), join(decodedFolder(cacheFolder), "mine.pixels")];
  for (const other of others) writeFileSync(other, "mine");
  const folder = cacheFolder;
  const place = ["--cache-folder", cacheFolder];
  const size = cacheSize(cacheFolder);
  expect(size).toMatchObject({ folder, files: 1 });
  expect(boostcluster(["data", ...place]).stdout).toMatch(
    /\ndecoded images and vectors: 1 file, .* of at most 4 GiB: .*\n$/,
  );
  expect(JSON.parse(boostcluster(["data", "--json", ...place]).stdout).cache).toEqual(size);
  expect(boostcluster(["data", "--clear-cache", ...place]).stdout).toMatch(/^removed 1 file \(.*\) from .*\n$/);
  expect(filesOf()).toEqual([others[1]]);
  expect(existsSync(others[0])).toBe(true);
  expect(cacheSize(join(cacheFolder, "nowhere"))).toMatchObject({ files: 0, bytes: 0 });
});

test("a limit that is no number of bytes is refused", async () => {
  await expect(openDataset(await imageFolder("a"), { cacheFolder, cacheLimit: -1 })).rejects.toThrow(
    "cacheLimit must be a number of bytes, not -1",
  );
});
