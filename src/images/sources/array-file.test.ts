import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { afterAll, expect, test } from "vitest";
import { compressedElement, idx, matHeader, matMatrix, npy, numbers } from "../../../test/array-files.ts";
import { pixelCount } from "../image.ts";
import { type OpenOptions, openDataset } from "./open.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: Uint8Array | string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

async function pixelsOf(file: string, options: OpenOptions = {}): Promise<number[]> {
  const dataset = await openDataset(file, options);
  const target = new Float32Array(dataset.count * pixelCount(dataset.image));
  dataset.read(
    Array.from({ length: dataset.count }, (_, index) => index),
    target,
  );
  dataset.close();
  return [...target];
}

const scaled = (values: Iterable<number>): number[] => [...Float32Array.from(values, (value) => value / 255)];

test("IDX is read plain and compressed, from memory and from the file", async () => {
  const content = idx([3, 2, 4], numbers(24));
  for (const name of ["x-idx3-ubyte", "x.idx", "X.IDX3"]) expect(await pixelsOf(write(name, content))).toHaveLength(24);
  const plain = write("x-idx3-ubyte", content);
  expect(await pixelsOf(plain)).toEqual(scaled(numbers(24)));
  expect(await pixelsOf(plain, { memoryLimit: 0 })).toEqual(scaled(numbers(24)));
  expect(await pixelsOf(write("x-idx3-ubyte.gz", gzipSync(content)))).toEqual(scaled(numbers(24)));
  const dataset = await openDataset(plain);
  expect(dataset).toMatchObject({ name: plain, count: 3, image: { channels: 1, height: 2, width: 4 }, skipped: [] });
  expect(dataset.labels).toBeUndefined();
  expect(dataset.itemName(2)).toBe("2");
});

test("channels may come first or last", async () => {
  const first = await openDataset(write("first.npy", npy("|u1", [1, 3, 2, 2], numbers(12))));
  const last = await openDataset(write("last.npy", npy("|u1", [1, 2, 2, 3], numbers(12))));
  expect(first.image).toEqual({ channels: 3, height: 2, width: 2 });
  expect(last.image).toEqual(first.image);
  const target = new Float32Array(12);
  last.read([0], target);
  expect([...target]).toEqual(scaled([0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11]));
  expect(await pixelsOf(join(folder, "first.npy"))).toEqual(scaled(numbers(12)));
  expect(await pixelsOf(write("one.npy", npy("|u1", [3, 2, 2, 1], numbers(12))))).toEqual(scaled(numbers(12)));
  expect(await pixelsOf(write("four-idx4-ubyte", idx([1, 2, 2, 3], numbers(12))))).toEqual([...target]);
});

test(".npy is read in every version, type and order", async () => {
  for (const version of [1, 2, 3])
    expect(await pixelsOf(write("v.npy", npy("|u1", [3, 2, 4], numbers(24), { version })))).toEqual(
      scaled(numbers(24)),
    );
  const halves = Float32Array.from({ length: 12 }, (_, index) => index / 12);
  expect(await pixelsOf(write("f4.npy", npy("<f4", [3, 2, 2], halves)))).toEqual([...halves]);
  expect(await pixelsOf(write("f4.npy", npy("<f4", [3, 2, 2], halves)), { memoryLimit: 0 })).toEqual([...halves]);
  expect(await pixelsOf(write("f8.npy", npy("<f8", [3, 2, 2], Float64Array.from(halves))))).toEqual([...halves]);
  const bytes = Float32Array.from(numbers(12));
  expect(await pixelsOf(write("to255.npy", npy("<f4", [3, 2, 2], bytes)))).toEqual(scaled(bytes));
});

test("Fortran order is converted", async () => {
  // numpy.asfortranarray(numpy.arange(24).reshape(2, 3, 4)), as it is in memory.
  const transposed = [0, 12, 4, 16, 8, 20, 1, 13, 5, 17, 9, 21, 2, 14, 6, 18, 10, 22, 3, 15, 7, 19, 11, 23];
  const file = write("fortran.npy", npy("|u1", [2, 3, 4], Uint8Array.from(transposed), { fortran: true }));
  expect(await pixelsOf(file)).toEqual(scaled(numbers(24)));
  expect(await pixelsOf(file, { memoryLimit: 0 })).toEqual(scaled(numbers(24)));
});

test("the same pixels have the same fingerprint in every format, other pixels another", async () => {
  const print = async (name: string, content: Uint8Array) => (await openDataset(write(name, content))).fingerprint;
  const expected = await print("a.idx", idx([3, 2, 4], numbers(24)));
  expect(await print("a.npy", npy("|u1", [3, 2, 4], numbers(24)))).toBe(expected);
  expect(await print("a4.npy", npy("|u1", [3, 1, 2, 4], numbers(24)))).toBe(expected);
  expect(await print("b.npy", npy("|u1", [3, 4, 2], numbers(24)))).not.toBe(expected);
  expect(await print("c.npy", npy("|u1", [3, 2, 4], numbers(24).with(7, 8)))).not.toBe(expected);
});

test(".npz holds images as x, images or the only array, and labels", async () => {
  const images = npy("|u1", [3, 2, 4], numbers(24));
  const labels = npy("<i8", [3], BigInt64Array.of(7n, -1n, 7n));
  for (const [x, y] of [
    ["x", "y"],
    ["images", "labels"],
    ["digits", "y"],
  ]) {
    const file = write("a.npz", zipSync({ [`${y}.npy`]: labels, [`${x}.npy`]: images }));
    expect(await pixelsOf(file)).toEqual(scaled(numbers(24)));
    expect((await openDataset(file)).labels).toEqual({ names: ["-1", "7"], values: Int32Array.of(1, 0, 1) });
    expect((await openDataset(file, { labels: "none" })).labels).toBeUndefined();
  }
  expect((await openDataset(write("b.npz", zipSync({ "a.npy": images }, { level: 0 })))).labels).toBeUndefined();
  const objects = npy("|O", [1], numbers(8));
  expect(await pixelsOf(write("f.npz", zipSync({ "x.npy": images, "meta.npy": objects })))).toHaveLength(24);
});

test(".mat is read in the layout of USPS, plain and compressed", async () => {
  const values = numbers(4 * 2 * 10);
  const other = matMatrix("abc", [1, 1], Uint8Array.of(5));
  const data = matMatrix("data", [4, 2, 10], values);
  for (const content of [
    Buffer.concat([matHeader, other, data]),
    ...[data].map(compressedElement).map((packed) => Buffer.concat([matHeader, compressedElement(other), packed])),
  ]) {
    const dataset = await openDataset(write("a.mat", content));
    expect(dataset).toMatchObject({ count: 20, image: { channels: 1, height: 2, width: 2 } });
    expect([...(dataset.labels?.values ?? [])]).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 0, 0]);
    const target = new Float32Array(4);
    dataset.read([1], target);
    expect([...target]).toEqual(scaled([4, 6, 5, 7]));
  }
});

test("labels of an array come from IDX, .npy or text", async () => {
  const images = write("three.idx", idx([3, 2, 4], numbers(24)));
  const expected = { names: ["2", "10"], values: Int32Array.of(1, 0, 1) };
  for (const labels of [
    write("y-idx1-ubyte", idx([3], Uint8Array.of(10, 2, 10))),
    write("y.npy", npy("<i8", [3], BigInt64Array.of(10n, 2n, 10n))),
    write("y.txt", "10\r\n2\r\n10\r\n"),
    write("y.csv", "index,label\n1,2\n0,10\n2,10\n"),
  ])
    expect((await openDataset(images, { labels })).labels).toEqual(expected);
  const open = (labels: string) => openDataset(images, { labels });
  await expect(open(write("two.txt", "1\n2\n"))).rejects.toThrow("two.txt: has 2 labels for 3 images");
  await expect(open(write("gap.csv", "0,1\n2,1\n"))).rejects.toThrow("has no label for 1");
  await expect(open(write("y2.npy", npy("|u1", [3, 1], numbers(3))))).rejects.toThrow("one axis, not 3 x 1");
  await expect(open(write("y.bin", Uint8Array.of(0, 1, 2)))).rejects.toThrow("is not text");
  await expect(open(join(folder, "absent.csv"))).rejects.toThrow("absent.csv: cannot be opened (it does not exist)");
  await expect(open(folder)).rejects.toThrow("not a file");
  await expect(open("folders")).rejects.toThrow("has no sub-folders");
});

test("options that do not fit are refused", async () => {
  const images = write("three.idx", idx([3, 2, 4], numbers(24)));
  expect((await openDataset(images, { size: [2, 4], channels: 1 })).count).toBe(3);
  await expect(openDataset(images, { size: 4 })).rejects.toThrow("its images are 2x4 grey");
  await expect(openDataset(images, { channels: 3 })).rejects.toThrow("its images are 2x4 grey");
  await expect(openDataset(images, { size: 0 })).rejects.toThrow("size must be");
  await expect(openDataset(images, { size: [8.5, 8] })).rejects.toThrow("size must be");
  await expect(openDataset(images, { memoryLimit: -1 })).rejects.toThrow("memoryLimit must be");
  await expect(openDataset(images, { labels: "" })).rejects.toThrow("labels must be");
  await expect(openDataset(images, { signal: AbortSignal.abort() })).rejects.toThrow("aborted");
  await expect(openDataset(join(folder, "mnits"))).rejects.toThrow(
    /mnits: there is no such file or folder.*mnist-test/,
  );
});
