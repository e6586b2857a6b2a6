import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync, gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { afterAll, expect, test } from "vitest";
import { InputError } from "../../files/errors.ts";
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

async function refusal(name: string, content: Uint8Array | string, options: OpenOptions = {}): Promise<string> {
  const file = write(name, content);
  const error: unknown = await openDataset(file, options).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(InputError);
  const message = error instanceof Error ? error.message : "";
  expect(message).toContain(name);
  expect(message).not.toContain("\n");
  return message;
}

function idx(shape: readonly number[], values: Uint8Array, type = 8): Buffer {
  const header = Buffer.alloc(4 + 4 * shape.length);
  header[2] = type;
  header[3] = shape.length;
  for (const [axis, side] of shape.entries()) header.writeUInt32BE(side, 4 + 4 * axis);
  return Buffer.concat([header, values]);
}

type Values = Uint8Array | Float32Array | Float64Array | BigInt64Array;

function npy(descr: string, shape: readonly number[], values: Values, { fortran = false, version = 1 } = {}): Buffer {
  const sides = `${shape.join(", ")}${shape.length === 1 ? "," : ""}`;
  const text = `{'descr': '${descr}', 'fortran_order': ${fortran ? "True" : "False"}, 'shape': (${sides}), }\n`;
  const length = Buffer.alloc(version === 1 ? 2 : 4);
  length.writeUIntLE(text.length, 0, length.length);
  const magic = Buffer.from([0x93, ...Buffer.from("NUMPY"), version, 0]);
  return Buffer.concat([magic, length, Buffer.from(text), new Uint8Array(values.buffer)]);
}

const numbers = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => index);
const scaled = (values: Iterable<number>): number[] => [...Float32Array.from(values, (value) => value / 255)];

test("IDX, plain and compressed, in memory and from the file", async () => {
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

test("channels come first or last", async () => {
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

test(".npy of every version, type and order", async () => {
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

test("Fortran order is turned", async () => {
  // numpy.asfortranarray(numpy.arange(24).reshape(2, 3, 4)), as it is in memory.
  const turned = [0, 12, 4, 16, 8, 20, 1, 13, 5, 17, 9, 21, 2, 14, 6, 18, 10, 22, 3, 15, 7, 19, 11, 23];
  const file = write("fortran.npy", npy("|u1", [2, 3, 4], Uint8Array.from(turned), { fortran: true }));
  expect(await pixelsOf(file)).toEqual(scaled(numbers(24)));
  expect(await pixelsOf(file, { memoryLimit: 0 })).toEqual(scaled(numbers(24)));
});

test("the same pixels have the same fingerprint in every format, others have another", async () => {
  const print = async (name: string, content: Uint8Array) => (await openDataset(write(name, content))).fingerprint;
  const expected = await print("a.idx", idx([3, 2, 4], numbers(24)));
  expect(await print("a.npy", npy("|u1", [3, 2, 4], numbers(24)))).toBe(expected);
  expect(await print("a4.npy", npy("|u1", [3, 1, 2, 4], numbers(24)))).toBe(expected);
  expect(await print("b.npy", npy("|u1", [3, 4, 2], numbers(24)))).not.toBe(expected);
  expect(await print("c.npy", npy("|u1", [3, 2, 4], numbers(24).with(7, 8)))).not.toBe(expected);
});

test(".npz: x or images or the only array, with labels", async () => {
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
  expect(await refusal("c.npz", zipSync({ "a.npy": images, "b.npy": images }))).toContain("holds a, b; call");
  expect(await refusal("d.npz", zipSync({}))).toContain("holds no arrays");
  const objects = npy("|O", [1], numbers(8));
  expect(await pixelsOf(write("f.npz", zipSync({ "x.npy": images, "meta.npy": objects })))).toHaveLength(24);
  expect(await refusal("e.npz", zipSync({ "x.npy": images, "y.npy": npy("|u1", [2], numbers(2)) }))).toContain(
    "2 labels",
  );
});

function element(type: number, content: Uint8Array): Buffer {
  const tag = Buffer.alloc(8);
  tag.writeUInt32LE(type, 0);
  tag.writeUInt32LE(content.length, 4);
  return Buffer.concat([tag, content, Buffer.alloc((8 - (content.length % 8)) % 8)]);
}

function matMatrix(name: string, shape: readonly number[], values: Uint8Array): Buffer {
  const flags = element(6, Uint8Array.of(9, 0, 0, 0, 0, 0, 0, 0));
  const dimensions = element(5, new Uint8Array(Int32Array.from(shape).buffer));
  const short = Buffer.alloc(8);
  short.writeUInt32LE(1 | (name.length << 16), 0);
  short.write(name, 4, "latin1");
  return element(14, Buffer.concat([flags, dimensions, short, element(2, values)]));
}

const matHeader = Buffer.concat([
  Buffer.from("MATLAB 5.0 MAT-file".padEnd(124)),
  Uint8Array.of(0, 1),
  Buffer.from("IM"),
]);

/** An element as it is compressed: without padding. */
function compressedElement(content: Uint8Array): Buffer {
  const deflated = deflateSync(content);
  return element(15, deflated).subarray(0, 8 + deflated.length);
}

test(".mat in the layout of USPS, plain and compressed", async () => {
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

test("junk is refused in one line that says what was expected", async () => {
  const junk = Buffer.from("This is a letter to my aunt, and it is long enough to be any header. ".repeat(4));
  expect(await refusal("junk-idx3-ubyte", junk)).toContain("not an IDX file");
  expect(await refusal("junk.npy", junk)).toContain("not a .npy file");
  expect(await refusal("junk.npz", junk)).toContain("not a readable .npz file");
  expect(await refusal("junk.mat", junk)).toContain("not a MATLAB level 5 .mat file");
  expect(await refusal("hdf.mat", `MATLAB 7.3 MAT-file${" ".repeat(200)}`)).toContain("7.3");
  expect(await refusal("junk.bin", junk)).toContain("give a folder of images");
  for (const name of ["empty-idx3-ubyte", "empty.npy", "empty.npz", "empty.mat"]) await refusal(name, "");
  const damaged = gzipSync(idx([3, 2, 4], numbers(24))).subarray(0, 30);
  expect(await refusal("damaged-idx3-ubyte.gz", damaged)).toContain("cannot be decompressed");
});

test("headers that promise more than there is are refused before anything is allocated", async () => {
  const most = 2 ** 32 - 1;
  expect(await refusal("huge-idx3-ubyte", idx([most, most, most], numbers(24)))).toContain("the file has 24");
  expect(await refusal("short-idx3-ubyte", idx([4, 2, 4], numbers(24)))).toContain("promises 32 bytes");
  expect(await refusal("cut-idx3-ubyte", idx([4, 2, 4], numbers(24)).subarray(0, 9))).toContain(
    "within its IDX header",
  );
  expect(await refusal("axes-idx9-ubyte", Uint8Array.of(0, 0, 8, 255, 0))).toContain("within its IDX header");
  expect(await refusal("huge.npy", npy("<f8", [1e9, 1e9, 1e9], new Float64Array(3)))).toContain("the file has 24");
  expect(await refusal("fortran.npy", npy("<f8", [1e6, 1e6, 1e6], numbers(8), { fortran: true }))).toContain(
    "promises",
  );
  expect(await refusal("cut.npy", npy("|u1", [3, 2, 4], numbers(24)).subarray(0, 40))).toContain(
    "within its .npy header",
  );
  expect(await refusal("huge.npz", zipSync({ "x.npy": npy("|u1", [1e6, 1e6, 4], numbers(24)) }))).toContain("promises");
  const bomb = Buffer.from(zipSync({ "x.npy": npy("|u1", [3, 2, 4], numbers(24)) }));
  bomb.writeUInt32LE(most, bomb.indexOf("PK\x01\x02", 0, "latin1") + 24);
  expect(await refusal("bomb.npz", bomb)).toContain("bomb.npz");
  const long = Buffer.concat([matHeader, matMatrix("data", [4, 2, 10], numbers(80))]);
  expect(await refusal("cut.mat", long.subarray(0, 200))).toContain("longer than the file");
  expect(
    await refusal("less.mat", Buffer.concat([matHeader, matMatrix("data", [256, 1100, 10], numbers(80))])),
  ).toContain("has 80 values");
});

test("arrays that are not images are refused", async () => {
  expect(await refusal("flat.npy", npy("|u1", [3, 8], numbers(24)))).toContain("3 x 8");
  expect(await refusal("both.npy", npy("|u1", [2, 3, 2, 3], numbers(36)))).toContain("could both be the channels");
  expect(await refusal("none.npy", npy("|u1", [2, 2, 2, 2], numbers(16)))).toContain("1 or 3 channels");
  expect(await refusal("no.npy", npy("|u1", [0, 2, 2], numbers(0)))).toContain("no pixels");
  expect(await refusal("int.npy", npy("<i8", [1, 1, 1], BigInt64Array.of(1n)))).toContain("not int64");
  expect(await refusal("big.npy", npy(">f4", [1, 1, 1], new Float32Array(1)))).toContain("type >f4");
  expect(await refusal("float-idx3-ubyte", idx([1, 1, 1], numbers(4), 0x0d))).toContain("0xd");
  expect(await refusal("flat.mat", Buffer.concat([matHeader, matMatrix("data", [5, 2, 2], numbers(20))]))).toContain(
    "5 x 2 x 2",
  );
  expect(await refusal("other.mat", Buffer.concat([matHeader, matMatrix("abc", [4, 2, 2], numbers(16))]))).toContain(
    "but abc",
  );
});

test("floats that are no pixels are refused by row", async () => {
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, -0.5, 256]) {
    const values = new Float32Array(12).with(9, bad);
    expect(await refusal("bad.npy", npy("<f4", [3, 2, 2], values))).toContain(`image 2 holds ${bad}`);
    expect(await refusal("bad.npy", npy("<f8", [3, 2, 2], Float64Array.from(values)))).toContain(
      `image 2 holds ${bad}`,
    );
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
  await expect(open(write("y.bin", Uint8Array.of(0, 1, 2)))).rejects.toThrow("is no text");
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
