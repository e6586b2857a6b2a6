import { expect, test } from "vitest";
import { matrix } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { type CountEvidence, clearCount, countEvidence, likelyCounts } from "./cluster-count.ts";
import { linkGraph } from "./graph-linkage.ts";
import { neighbourGraph } from "./neighbour-graph.ts";
import { nearestNeighbours } from "./neighbours.ts";

const random = new Random(5, "points");
/** Approximately normal, with standard deviation 1. */
const spread = (): number => Array.from({ length: 12 }, () => random.uniform()).reduce((a, b) => a + b) - 6;

/** `each` points around each of the places. */
const around = (places: readonly (readonly [number, number])[], each: number): Float32Array =>
  Float32Array.from(
    places.flatMap(([x, y]) => Array.from({ length: each }, () => [x + spread(), y + spread()])).flat(),
  );

const circle = (count: number, radius: number, [x, y] = [0, 0]): [number, number][] =>
  Array.from({ length: count }, (_, index) => {
    const angle = (2 * Math.PI * index) / count;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });

async function evidenceOf(points: Float32Array): Promise<readonly CountEvidence[]> {
  const near = await nearestNeighbours(matrix(points, 2), { neighbours: 10, threads: 1 });
  return countEvidence(linkGraph(neighbourGraph(near)), { most: 30, smallestShare: 1 / 4 });
}

test.each([3, 7, 12])("%i groups are counted, even if they touch", async (count) => {
  const evidence = await evidenceOf(around(circle(count, count * 1.1), 120));
  expect(clearCount(evidence)).toBe(count);
});

test("in groups of groups, the inner groups are counted", async () => {
  const places = circle(3, 40).flatMap((centre) => circle(4, 5, centre));
  expect(clearCount(await evidenceOf(around(places, 150)))).toBe(12);
});

test("uniformly random points have no clear number, but likely ones are named", async () => {
  const evidence = await evidenceOf(Float32Array.from({ length: 2000 }, () => 100 * random.uniform()));
  expect(clearCount(evidence)).toBeUndefined();
  expect(likelyCounts(evidence)).toHaveLength(3);
});

test("the number is that of the last wide gap", () => {
  const evidence = [2.2, 0.2, 1.4, 0.1].map((gap, index) => ({ k: index + 2, gap }));
  expect(clearCount(evidence)).toBe(4);
  expect(likelyCounts(evidence, 2)).toEqual([2, 4]);
  expect(clearCount([{ k: 2, gap: 9 }, ...evidence.slice(1)])).toBe(4);
  expect(clearCount(evidence.map(({ k, gap }) => ({ k, gap: gap / 2 })))).toBeUndefined();
});
