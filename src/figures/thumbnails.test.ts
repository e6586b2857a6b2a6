import { expect, test } from "vitest";
import { Random } from "../numeric/random.ts";
import { type Point, placeThumbnails } from "./thumbnails.ts";

const random = new Random(0, "points");
const points = Array.from({ length: 500 }, (): Point => [100 * random.uniform(), 100 * random.uniform()]);

test("thumbnails lie at their points, do not overlap, and leave no room for another", () => {
  const size = 9;
  const placed = placeThumbnails(points, { size, most: 500 });
  const overlap = (a: Point, b: Point): boolean => Math.abs(a[0] - b[0]) < size && Math.abs(a[1] - b[1]) < size;
  placed.forEach(({ image, x, y }, index) => {
    expect(points[image]).toEqual([x, y]);
    for (const other of placed.slice(index + 1)) expect(overlap([x, y], [other.x, other.y])).toBe(false);
  });
  for (const point of points) expect(placed.some(({ x, y }) => overlap(point, [x, y]))).toBe(true);
});

test("no more than requested, and always the same", () => {
  const placed = placeThumbnails(points, { size: 1, most: 20 });
  expect(placed.length).toBe(20);
  expect(placeThumbnails(points, { size: 1, most: 20 })).toEqual(placed);
});
