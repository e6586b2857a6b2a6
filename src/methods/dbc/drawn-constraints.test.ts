import { expect, test } from "vitest";
import { DrawnConstraints } from "./drawn-constraints.ts";

const known = new Int32Array(100).fill(-1);
for (let image = 0; image < 20; image++) known[image] = image % 3;
const options = { k: 3, images: 100, batch: 16, batches: 10, seed: 1 };
const drawn = new DrawnConstraints(
  {
    known,
    together: [[50, 51]],
    apart: [
      [60, 61],
      [62, 63],
    ],
  },
  options,
);

test("each constraint has its turn, and none is more than a part of a step", () => {
  expect(drawn.counts).toEqual({ known: 4, together: 1, apart: 2 });
  const steps = [...drawn.drawn(1)];
  expect(steps).toHaveLength(10);
  expect(new Set(steps.flatMap((images) => [...images.subarray(0, 4)])).size).toBe(20);
  for (const images of steps) {
    expect([...images.subarray(4, 6)]).toEqual([50, 51]);
    // All firsts, then all seconds.
    expect([...images.subarray(6, 8)].map((first) => first + 1)).toEqual([...images.subarray(8, 10)]);
  }
});

test("known clusters are fed as ones among zeros, in the order of their images", () => {
  const [images] = drawn.drawn(2);
  const { known: rows } = drawn.feeds(images);
  for (let row = 0; row < 4; row++)
    expect([...rows.subarray(3 * row, 3 * row + 3)].indexOf(1)).toBe(known[images[row]]);
  expect(rows.reduce((sum, value) => sum + value, 0)).toBe(4);
});

test("the same seed draws the same", () => {
  expect([...drawn.drawn(3)]).toEqual([...drawn.drawn(3)]);
  expect([...drawn.drawn(3)]).not.toEqual([...drawn.drawn(4)]);
});

test("a few constraints among many images are a small part of a step", () => {
  const few = new DrawnConstraints({ known, together: [], apart: [] }, { ...options, images: 10_000, batch: 64 });
  expect(few.counts.known).toBe(2);
});

test("each part of a mini-batch draws for itself, in every step", () => {
  const [first, second] = [0, 1].map((number) => [...drawn.drawn(1, { number, of: 2 })]);
  expect(first).toHaveLength(10);
  expect(second).toHaveLength(10);
  expect(first).not.toEqual(second);
});
