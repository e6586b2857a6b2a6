import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { allImages, labelsOf } from "../../test/datasets.ts";
import { shapeDataset } from "../../test/shapes.ts";
import { writeAugmentedSet } from "./augmented-set.ts";
import { openDataset } from "./sources/open.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-augmented-"));
afterAll(() => rmSync(folder, { recursive: true }));

const shapes = shapeDataset(30);

test("a set has as many images and labels as asked for, and a smaller one is its beginning", async () => {
  const large = await writeAugmentedSet(shapes, { count: 70, out: join(folder, "large") });
  const small = await writeAugmentedSet(shapes, { count: 40, out: join(folder, "small") });
  const opened = await openDataset(large.images, { labels: large.labels });
  expect([opened.count, opened.image]).toEqual([70, shapes.image]);
  const sizeOf = (values: Int32Array): number[] =>
    [...new Set(values)].map((one) => values.filter((v) => v === one).length);
  // All of the thirty come once before any comes again.
  expect(sizeOf(labelsOf(opened).slice(0, 30)).sort()).toEqual(sizeOf(labelsOf(shapes)).sort());
  const [all, first] = [large, small].map(({ images }) => readFileSync(images).subarray(16));
  expect(all.subarray(0, first.length).equals(first)).toBe(true);
});

test("images are changed copies: none is as it was, each is nearest to one of its class", async () => {
  const { images, labels } = await writeAugmentedSet(shapes, { count: 30, out: join(folder, "changed"), seed: 3 });
  const made = await openDataset(images, { labels });
  const [before, after] = [allImages(shapes), allImages(made)];
  const size = after.length / 30;
  const distance = (a: number, b: number): number =>
    after.subarray(a * size, (a + 1) * size).reduce((sum, value, at) => sum + (value - before[b * size + at]) ** 2, 0);
  const nearest = Array.from({ length: 30 }, (_, a) => {
    const distances = Array.from({ length: 30 }, (_, b) => distance(a, b));
    expect(Math.min(...distances)).toBeGreaterThan(0.01);
    return distances.indexOf(Math.min(...distances));
  });
  const right = nearest.filter((b, a) => labelsOf(shapes)[b] === labelsOf(made)[a]);
  expect(right.length).toBeGreaterThan(20);
});

test("an abort leaves nothing, and what is there is not written over", async () => {
  const stop = new AbortController();
  const out = join(folder, "aborted");
  const options = { count: 5000, out, signal: stop.signal, onProgress: () => stop.abort() };
  await expect(writeAugmentedSet(shapes, options)).rejects.toThrow("abort");
  expect(readdirSync(folder).filter((name) => name.includes("aborted"))).toEqual([]);
  await writeAugmentedSet(shapes, { count: 2, out });
  await expect(writeAugmentedSet(shapes, { count: 2, out })).rejects.toThrow(
    /aborted-images-idx3-ubyte: is there already/,
  );
});
