import { expect, test } from "vitest";
import { relativeError } from "../../test/evaluate.ts";
import { Random } from "../numeric/random.ts";
import { Repulsion } from "./repulsion.ts";

/** Some dense groups and some points between them, over about `width`. */
function mapOf(rows: number, width: number): Float64Array {
  const random = new Random(1, "map");
  return Float64Array.from({ length: 2 * rows }, (_, i) => {
    const group = Math.floor(i / 2) % 5;
    const spread = group === 0 ? 1 : 0.2;
    return width * ((group * (1 + (i % 2))) / 5 + spread * (random.uniform() + random.uniform() - 1));
  });
}

function bruteForce(map: Float64Array): { forces: Float64Array; total: number } {
  const forces = new Float64Array(map.length);
  let total = 0;
  for (let i = 0; i < map.length; i += 2)
    for (let j = 0; j < map.length; j += 2) {
      if (i === j) continue;
      const [dx, dy] = [map[i] - map[j], map[i + 1] - map[j + 1]];
      const kernel = 1 / (1 + dx * dx + dy * dy);
      total += kernel;
      forces[i] += kernel ** 2 * dx;
      forces[i + 1] += kernel ** 2 * dy;
    }
  return { forces, total };
}

test("forces equal the sum over all pairs, on maps of every width and after the grid has changed", async () => {
  const repulsion = new Repulsion({ threads: 1 });
  const forces = new Float64Array(2 * 1500);
  for (const width of [1e-8, 1e-4, 1, 3, 10, 30, 60, 100, 20, 0.01]) {
    const map = mapOf(1500, width);
    const expected = bruteForce(map);
    for (let round = 0; round < 3; round++) {
      const total = await repulsion.forces(map, forces);
      expect(Math.abs(total / expected.total - 1)).toBeLessThan(3e-4);
      expect(relativeError(forces, expected.forces)).toBeLessThan(4e-3);
    }
  }
  await repulsion.close();
});

test("coinciding points, few or many, exert no force; two separate points repel each other", async () => {
  const repulsion = new Repulsion({ threads: 1 });
  for (const rows of [3, 600]) {
    const forces = new Float64Array(2 * rows);
    const total = await repulsion.forces(new Float64Array(2 * rows).fill(-3), forces);
    expect(Math.abs(total / (rows * (rows - 1)) - 1)).toBeLessThan(1e-5);
    for (const force of forces) expect(Math.abs(force)).toBeLessThan(1e-6 * rows);
  }
  const pair = new Float64Array(4);
  expect(await repulsion.forces(Float64Array.of(1, 1, 2, 1), pair)).toBe(1);
  expect([...pair]).toEqual([-0.25, 0, 0.25, 0]);
  await repulsion.close();
});
