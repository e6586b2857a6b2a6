import { expect, test } from "vitest";
import { Random } from "../numeric/random.ts";
import { fittedSize, imageTile, resized } from "./raster.ts";

test("small images grow by a whole factor, large ones shrink to fit", () => {
  expect(fittedSize({ height: 28, width: 28 }, 64)).toEqual({ height: 56, width: 56 });
  expect(fittedSize({ height: 128, width: 96 }, 64)).toEqual({ height: 64, width: 48 });
});

test("enlarging keeps pixels sharp", () => {
  const plane = Float32Array.of(1, 2, 3, 4);
  expect([...resized(plane, { height: 2, width: 2 }, { height: 4, width: 4 })]).toEqual([
    1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4,
  ]);
});

test("shrinking keeps the mean", () => {
  const random = new Random(0, "plane");
  const plane = Float32Array.from({ length: 13 * 9 }, () => random.uniform());
  const mean = (values: Float32Array): number => values.reduce((a, b) => a + b, 0) / values.length;
  for (const size of [
    { height: 5, width: 4 },
    { height: 1, width: 1 },
    { height: 13, width: 2 },
  ])
    expect(mean(resized(plane, { height: 13, width: 9 }, size))).toBeCloseTo(mean(plane), 6);
});

test("colours stay in their channels; values outside 0 to 1 are clipped", () => {
  const tile = imageTile(Float32Array.of(1, 0.5, -1), { channels: 3, height: 1, width: 1 }, 1);
  expect([...tile.pixels]).toEqual([255, 128, 0]);
  expect(() => imageTile(new Float32Array(2), { channels: 1, height: 1, width: 1 }, 1)).toThrow("do not make an image");
});
