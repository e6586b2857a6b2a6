import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openBytes } from "../../files/bytes.ts";
import { Random } from "../../numeric/random.ts";
import type { PixelRecords } from "./pixel-records.ts";
import { examinePixels, PixelStore } from "./pixel-store.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The records start at an unaligned offset and take more than one read. */
const [offset, count, image] = [3, 700, { channels: 3, height: 20, width: 30 }];
const length = count * 1800;
const random = new Random(1);
const contents = {
  uint8: Uint8Array.from({ length }, () => random.integer(256)),
  float32: Float32Array.from({ length }, () => random.uniform()),
  float64: Float64Array.from({ length }, () => random.uniform()),
};
const types = ["uint8", "float32", "float64"] as const;

function records(type: keyof typeof contents, memoryLimit: number, order?: Uint32Array): PixelRecords {
  const file = join(folder, type);
  writeFileSync(file, Buffer.concat([Buffer.alloc(offset), new Uint8Array(contents[type].buffer)]));
  return { bytes: openBytes(file, memoryLimit), offset, type, count, image, order };
}

/** Much faster than `toEqual` on a million numbers. */
const same = (a: Float32Array, b: Float32Array): boolean => Buffer.from(a.buffer).equals(Buffer.from(b.buffer));

const all = Uint32Array.from({ length: count }, (_, index) => index);

function readAll(store: PixelStore, indices: ArrayLike<number> = all): Float32Array {
  const target = new Float32Array(indices.length * 1800);
  store.read(indices, target);
  return target;
}

test("memory and file give the same pixels, in order, shuffled and repeated", () => {
  for (const type of types) {
    const largest = type === "uint8" ? 255 : 1;
    const [memory, file] = [Infinity, 0].map((limit) => new PixelStore(records(type, limit), largest));
    const expected = Float32Array.from(contents[type], (value) => value / largest);
    const shuffled = [...new Random(2).permutation(count), 5, 5, 4, 699, 5];
    const pieces = new Float32Array(shuffled.length * 1800);
    shuffled.forEach((index, at) => {
      pieces.set(expected.subarray(index * 1800, (index + 1) * 1800), at * 1800);
    });
    for (const store of [memory, file]) {
      expect(same(readAll(store), expected)).toBe(true);
      expect(same(readAll(store, shuffled), pieces)).toBe(true);
    }
    memory.close();
    file.close();
  }
});

test("pixels in another order are converted to ours", () => {
  const reversed = Uint32Array.from({ length: 1800 }, (_, pixel) => 1799 - pixel);
  for (const type of types) {
    const store = new PixelStore(records(type, 0, reversed), 1);
    const expected = Float32Array.from(contents[type].subarray(1800, 3600)).reverse();
    expect(readAll(store, [1])).toEqual(expected);
    store.close();
  }
});

test("the fingerprint depends on every pixel, not on where they are stored", () => {
  const facts = [Infinity, 0].map((limit) => examinePixels(records("uint8", limit), "x"));
  expect(facts[0]).toEqual(facts[1]);
  expect(facts[0]).toEqual({ fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/), largest: 255 });
  contents.uint8[length - 1] ^= 1;
  expect(examinePixels(records("uint8", 0), "x").fingerprint).not.toBe(facts[0].fingerprint);
});

test("images that do not exist, small targets and closed stores are refused", () => {
  const store = new PixelStore(records("uint8", 0), 255);
  for (const index of [-1, count, 0.5, Number.NaN]) expect(() => readAll(store, [index])).toThrow(`no image ${index}`);
  expect(() => store.read([0, 1], new Float32Array(1800))).toThrow("do not fit");
  store.close();
  store.close();
  expect(() => readAll(store)).toThrow("closed");
});
