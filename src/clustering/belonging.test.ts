import { expect, test } from "vitest";
import { type Matrix, matrix } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { belonging, leastBelonging, neighbourDistances, putAside } from "./belonging.ts";

/** Two clusters of 100, uniform in cubes of six dimensions, and further samples. */
function clusters(further: readonly (readonly number[])[] = []): Matrix {
  const random = new Random(0, "belonging");
  const rows = Array.from({ length: 200 }, (_, row) =>
    Array.from({ length: 6 }, (_, d) => 6 * random.uniform() + (d === row % 2 ? 12 : 0)),
  );
  return matrix(Float32Array.from([...rows, ...further].flat()), 6);
}

async function asideOf(samples: Matrix, none: "auto" | number = "auto"): Promise<number[]> {
  const found = belonging(await neighbourDistances(samples, { k: 2, threads: 1 }));
  return [...putAside(found, none)].flatMap((aside, row) => (aside === 1 ? [row] : []));
}

const clump = (size: number): number[][] =>
  Array.from({ length: size }, (_, index) => [60, 60, 60 + index / 100, 0, 0, 0]);

test("nothing is put aside where every sample has its cluster", async () => {
  expect(await asideOf(clusters())).toEqual([]);
});

test("a sample far from all others is found, and so is a clump that is too small for a cluster", async () => {
  expect(await asideOf(clusters([[0, 0, 0, 50, 0, 0]]))).toEqual([200]);
  expect(await asideOf(clusters(clump(10)))).toEqual(Array.from({ length: 10 }, (_, index) => 200 + index));
});

test("a clump as large as a cluster is one", async () => {
  expect(await asideOf(clusters(clump(100)))).toEqual([]);
});

test("a share is kept to exactly, the least belonging first", async () => {
  const samples = clusters([
    [0, 0, 0, 50, 0, 0],
    [0, 0, 0, 0, 90, 0],
  ]);
  expect(await asideOf(samples, 1 / 202)).toEqual([201]);
  expect(await asideOf(samples, 0.05)).toHaveLength(10);
  expect(await asideOf(samples, 0)).toEqual([]);
  const found = belonging(await neighbourDistances(samples, { k: 2, threads: 1 }));
  expect([...leastBelonging(found).subarray(0, 2)]).toEqual([201, 200]);
});

test("images that are all alike, and duplicates, are no reason to put any aside", async () => {
  expect(await asideOf(matrix(new Float32Array(40).fill(2), 4))).toEqual([]);
  const twice = clusters();
  expect(await asideOf(matrix(Float32Array.of(...twice.values, ...twice.values), 6))).toEqual([]);
});

test("a share that is none is refused", () => {
  expect(() => putAside(new Float32Array(3), 1.5)).toThrow('none must be "off", "auto" or a share');
  expect(() => putAside(new Float32Array(3), Number.NaN)).toThrow('none must be "off", "auto" or a share');
});

test("the distance of a sample is that to its n-th nearest, n being half of an average cluster", async () => {
  const samples = clusters();
  const distances = await neighbourDistances(samples, { k: 4, threads: 1 });
  const row = (index: number): Float32Array => samples.values.subarray(6 * index, 6 * index + 6);
  for (let index = 0; index < samples.rows; index++) {
    const own = row(index);
    const others = Array.from({ length: samples.rows }, (_, other) =>
      Math.hypot(...row(other).map((value, d) => value - own[d])),
    );
    // The first is the sample itself; the average cluster has 50.
    expect(distances[index]).toBeCloseTo(others.sort((a, b) => a - b)[25], 3);
  }
});
