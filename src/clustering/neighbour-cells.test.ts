import { expect, test } from "vitest";
import { matrix, selectRows } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { NeighbourCells } from "./neighbour-cells.ts";
import { nearestNeighbours } from "./neighbours.ts";

/** Clumps of points far from zero: more points than a cell is compared with. */
function clumps(count: number, columns: number) {
  const random = new Random(5, "clumps");
  const middles = Float32Array.from({ length: 30 * columns }, () => 100 + 6 * random.uniform());
  const values = Float32Array.from({ length: count * columns }, (_, place) => {
    const clump = Math.floor(place / columns) % 30;
    return middles[clump * columns + (place % columns)] + random.uniform();
  });
  return matrix(values, columns);
}

const points = clumps(9000, 8);
const options = { neighbours: 10, threads: 1 };

test("nearly all neighbours of points are found, none of them itself, the nearest first", async () => {
  const exact = await nearestNeighbours(points, options);
  const cells = await NeighbourCells.around(points, { threads: 1 });
  const found = await cells.ofPoints(options);
  const rowOf = (place: number): number => Math.floor(place / 10);
  expect(found.indices.filter((other, place) => other === rowOf(place))).toHaveLength(0);
  const common = found.indices.filter((other, place) =>
    exact.indices.subarray(10 * rowOf(place), 10 * (rowOf(place) + 1)).includes(other),
  );
  expect(common.length / found.indices.length).toBeGreaterThan(0.99);
  // Written so that NaN is out of order as well.
  const disordered = found.squaredDistances.filter(
    (distance, place) => place % 10 > 0 && !(distance >= found.squaredDistances[place - 1]),
  );
  expect(disordered).toHaveLength(0);
  expect(await (await NeighbourCells.around(points, { threads: 1 })).ofPoints(options)).toEqual(found);
});

test("samples that are no points have neighbours too: of a copy, the first is the point itself", async () => {
  const cells = await NeighbourCells.around(points, { threads: 1, seed: 3 });
  const rows = [8, 4000, 17, 8999, 8];
  const { indices, squaredDistances } = await cells.of(selectRows(points, rows), options);
  expect(rows.map((_, place) => indices[10 * place])).toEqual(rows);
  expect(rows.map((_, place) => squaredDistances[10 * place])).toEqual([0, 0, 0, 0, 0]);
});

test("points that are all the same are neighbours of one another", async () => {
  const same = matrix(new Float32Array(600).fill(7), 2);
  const cells = await NeighbourCells.around(same, { threads: 1 });
  const { indices, squaredDistances } = await cells.ofPoints(options);
  expect(squaredDistances.every((distance) => distance === 0)).toBe(true);
  for (let row = 0; row < 300; row++)
    expect(new Set([row, ...indices.subarray(10 * row, 10 * row + 10)]).size).toBe(11);
});
