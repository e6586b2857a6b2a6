import { expect, test } from "vitest";
import { matrix } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { neighbourGraph } from "./neighbour-graph.ts";
import { nearestNeighbours } from "./neighbours.ts";

/** Points in the plane, of which six are one and the same. */
function points(scale: number): Float32Array {
  const random = new Random(4, "points");
  const values = Float32Array.from({ length: 60 }, () => random.uniform());
  for (let copy = 1; copy < 6; copy++) values.copyWithin(2 * copy, 0, 2);
  return values.map((value) => scale * value);
}

const graphOf = async (values: Float32Array) =>
  neighbourGraph(await nearestNeighbours(matrix(values, 2), { neighbours: 4, threads: 1 }));

test("links do not depend on the scale of features, also where all neighbours of a sample are copies of it", async () => {
  // A power of two changes no digit.
  const [one, other] = [await graphOf(points(1)), await graphOf(points(1024))];
  expect(other.others).toEqual(one.others);
  expect(other.weights).toEqual(one.weights);
});

test("copies are linked as strongly as can be, half as much if only one counts the other, and links are from 0 to 1", async () => {
  const { starts, others, weights } = await graphOf(points(1));
  for (let edge = starts[0]; edge < starts[1]; edge++) if (others[edge] < 6) expect([0.5, 1]).toContain(weights[edge]);
  for (const weight of weights) expect(weight >= 0 && weight <= 1).toBe(true);
});

test("a link weighs the same at both of its ends", async () => {
  const { count, starts, others, weights } = await graphOf(points(1));
  for (let node = 0; node < count; node++)
    for (let edge = starts[node]; edge < starts[node + 1]; edge++) {
      const back = others.subarray(starts[others[edge]], starts[others[edge] + 1]).indexOf(node);
      expect(weights[starts[others[edge]] + back]).toBe(weights[edge]);
    }
});

test("where all samples are the same, all links are the strongest", async () => {
  const { weights } = await graphOf(new Float32Array(20).fill(3));
  expect([...new Set(weights)].sort()).toEqual([0.5, 1]);
});
