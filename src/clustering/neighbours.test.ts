import { expect, test } from "vitest";
import { type Matrix, matrix } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { nearestNeighbours } from "./neighbours.ts";

function randomSamples(rows: number, columns: number, { offset = 0 } = {}): Matrix {
  const random = new Random(2, "neighbours");
  return matrix(
    Float32Array.from({ length: rows * columns }, () => offset + 2 ** -10 * random.integer(2 ** 12)),
    columns,
  );
}

function squaredDistance({ values, columns }: Matrix, a: number, b: number): number {
  let total = 0;
  for (let d = 0; d < columns; d++) total += (values[a * columns + d] - values[b * columns + d]) ** 2;
  return total;
}

function bruteForce(samples: Matrix, neighbours: number): { indices: number[]; squaredDistances: number[] } {
  const found = Array.from({ length: samples.rows }, (_, row) =>
    Array.from({ length: samples.rows }, (_, other) => ({ other, distance: squaredDistance(samples, row, other) }))
      .filter(({ other }) => other !== row)
      .sort((a, b) => a.distance - b.distance || a.other - b.other)
      .slice(0, neighbours),
  ).flat();
  return { indices: found.map(({ other }) => other), squaredDistances: found.map(({ distance }) => distance) };
}

test("neighbours agree with brute force, over several blocks, near zero and far from it", async () => {
  for (const offset of [0, 1000]) {
    const samples = randomSamples(700, 7, { offset });
    const expected = bruteForce(samples, 10);
    const { indices, squaredDistances, neighbours } = await nearestNeighbours(samples, { neighbours: 10 });
    expect(neighbours).toBe(10);
    expect([...indices]).toEqual(expected.indices);
    squaredDistances.forEach((distance, i) => {
      expect(Math.abs(distance / expected.squaredDistances[i] - 1)).toBeLessThan(1e-5);
    });
  }
});

test("all other samples can be requested", async () => {
  const samples = randomSamples(30, 3);
  const { indices } = await nearestNeighbours(samples, { neighbours: 29 });
  expect([...indices]).toEqual(bruteForce(samples, 29).indices);
  expect([...(await nearestNeighbours(randomSamples(2, 1), { neighbours: 1 })).indices]).toEqual([1, 0]);
});

test("a sample is not its own neighbour, even where others coincide with it", async () => {
  const once = randomSamples(100, 5);
  const thrice = matrix(Float32Array.from([...once.values, ...once.values, ...once.values]), 5);
  const { indices, squaredDistances } = await nearestNeighbours(thrice, { neighbours: 4 });
  for (let row = 0; row < 300; row++) {
    const copies = [row % 100, (row % 100) + 100, (row % 100) + 200].filter((copy) => copy !== row);
    expect([...indices.subarray(4 * row, 4 * row + 2)]).toEqual(copies);
    expect([...squaredDistances.subarray(4 * row, 4 * row + 2)]).toEqual([0, 0]);
    expect(squaredDistances[4 * row + 2]).toBeGreaterThan(0);
  }
  const same = await nearestNeighbours(matrix(new Float32Array(600).fill(7), 2), { neighbours: 5 });
  same.indices.forEach((other, i) => {
    expect(other).not.toBe(Math.floor(i / 5));
  });
  expect(same.squaredDistances.every((distance) => distance === 0)).toBe(true);
});

test("samples may have more columns than rows", async () => {
  const samples = randomSamples(40, 5000);
  const { indices } = await nearestNeighbours(samples, { neighbours: 6, threads: 1 });
  expect([...indices]).toEqual(bruteForce(samples, 6).indices);
});

test("the work can be aborted", async () => {
  const samples = randomSamples(30, 3);
  await expect(nearestNeighbours(samples, { neighbours: 2, signal: AbortSignal.abort() })).rejects.toThrow("aborted");
});

test("bad input is refused in one line", async () => {
  const samples = randomSamples(5, 2);
  for (const neighbours of [0, 5, 1.5, Number.NaN])
    await expect(nearestNeighbours(samples, { neighbours })).rejects.toThrow(
      `neighbours must be a whole number from 1 to 4, one less than rows, not ${neighbours}`,
    );
  const bad = { rows: 2, columns: 2, values: Float32Array.of(1, 2, Number.NaN, 4) };
  await expect(nearestNeighbours(bad, { neighbours: 1 })).rejects.toThrow("neighbours: row 1 holds NaN");
});
