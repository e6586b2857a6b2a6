import { expect, test } from "vitest";
import { matrix } from "../numeric/matrix.ts";
import { averageLinkage } from "./average-linkage.ts";

test("the nearest join first, and a union is as far away as its points on average, by weight", () => {
  const points = matrix(Float32Array.of(0, 1, 4, 100), 1);
  expect(averageLinkage(points, [3, 1, 1, 1])).toEqual([
    { into: 0, from: 1, distance: 1 },
    { into: 0, from: 2, distance: (3 * 16 + 9) / 4 },
    { into: 0, from: 3, distance: (3 * 100 ** 2 + 99 ** 2 + 96 ** 2) / 5 },
  ]);
});

test("one point has nothing to join, and equal points join in order", () => {
  expect(averageLinkage(matrix(Float32Array.of(5), 1), [2])).toEqual([]);
  expect(averageLinkage(matrix(new Float32Array(3), 1), [1, 1, 1]).map(({ into, from }) => [into, from])).toEqual([
    [0, 1],
    [0, 2],
  ]);
});
