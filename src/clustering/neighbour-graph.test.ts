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
  expect(other.outward).toEqual(one.outward);
  expect(other.inward).toEqual(one.inward);
});

test("copies are linked as strongly as can be, and every link is from 0 to 1", async () => {
  const { starts, others, outward } = await graphOf(points(1));
  for (let edge = starts[0]; edge < starts[1]; edge++)
    if (outward[edge] > 0 && others[edge] < 6) expect(outward[edge]).toBe(1);
  for (const weight of outward) expect(weight >= 0 && weight <= 1).toBe(true);
});

test("where all samples are the same, all links are the strongest", async () => {
  const { outward, inward } = await graphOf(new Float32Array(20).fill(3));
  expect(outward.every((weight, edge) => Math.max(weight, inward[edge]) === 1)).toBe(true);
});
