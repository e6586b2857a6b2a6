import { expect, test } from "vitest";
import { allImages } from "../../../test/datasets.ts";
import { evaluate, randomValues, relativeError } from "../../../test/evaluate.ts";
import { shapeDataset } from "../../../test/shapes.ts";
import { nearestNeighbours } from "../../clustering/neighbours.ts";
import { input } from "../../graph/tensor.ts";
import { matrix } from "../../numeric/matrix.ts";
import { Random } from "../../numeric/random.ts";
import { affinityGraph, denPenalty } from "./den.ts";

const neighboursOf = (pixels: Float32Array) => nearestNeighbours(matrix(pixels, 144), { neighbours: 3 });

test("affinities are exp(−distance² / t), where t is the mean distance² of neighbours", () => {
  const graph = affinityGraph({
    neighbours: 2,
    indices: Uint32Array.of(1, 2, 0, 2),
    squaredDistances: Float32Array.of(0, 1, 2, 5),
  });
  expect(
    relativeError(
      graph.affinities,
      [0, 1, 2, 5].map((distance) => Math.exp(-distance / 2)),
    ),
  ).toBeLessThan(1e-6);
  expect([...graph.indices]).toEqual([1, 2, 0, 2]);
});

test("the width follows the data: brighter images have the same affinities", async () => {
  const pixels = allImages(shapeDataset(40));
  const plain = affinityGraph(await neighboursOf(pixels));
  const bright = affinityGraph(await neighboursOf(pixels.map((value) => 10 * value)));
  expect(bright.indices).toEqual(plain.indices);
  expect(relativeError(bright.affinities, plain.affinities)).toBeLessThan(1e-5);
  expect(Math.max(...plain.affinities)).toBeLessThan(1);
  expect(Math.min(...plain.affinities)).toBeGreaterThan(0.01);
});

test("images that are all the same are as near as can be", () => {
  const { affinities } = affinityGraph({
    neighbours: 1,
    indices: Uint32Array.of(1, 0),
    squaredDistances: new Float32Array(2),
  });
  expect([...affinities]).toEqual([1, 1]);
});

test("the penalty is α n w ‖z − z_n‖² / v + β Σ_g √|g| ‖z_g‖ / √v, a mean over the batch, of typical variance v", async () => {
  const [pairs, d, groupSize] = [3, 4, 2];
  const weights = { localityWeight: 0.7, sparsityWeight: 0.3, neighbours: 5, groupSize };
  const random = new Random(1);
  const z = randomValues(random, 2 * pairs * d);
  const affinities = Float32Array.of(0.2, 0.9, 0.5);
  let [near, sparse] = [0, 0];
  for (let i = 0; i < pairs; i++)
    for (let j = 0; j < d; j++) near += (affinities[i] * (z[i * d + j] - z[(pairs + i) * d + j]) ** 2) / pairs;
  for (let start = 0; start < z.length; start += groupSize)
    sparse += (Math.sqrt(groupSize) * Math.hypot(...z.subarray(start, start + groupSize))) / (2 * pairs);
  const penalty = denPenalty(input("z", [2 * pairs, d]), weights);
  const computed = await evaluate({ penalty }, { z, affinities });
  const v = geometricVariance(z, d);
  expect(computed.penalty[0]).toBeCloseTo((0.7 * 5 * near) / v + (0.3 * sparse) / Math.sqrt(v), 4);
  // Nothing is won by shrinking features.
  const shrunk = await evaluate({ penalty }, { z: z.map((value) => value / 64), affinities });
  expect(shrunk.penalty[0]).toBeCloseTo(computed.penalty[0], 4);
});

test("little is won by drawing all images together but one and its neighbour, which are sent far away", async () => {
  const [pairs, d] = [64, 4];
  const weights = { localityWeight: 0.7, sparsityWeight: 0, neighbours: 5, groupSize: 2 };
  const z = randomValues(new Random(1), 2 * pairs * d);
  const affinities = new Float32Array(pairs).fill(1);
  const penalty = denPenalty(input("z", [2 * pairs, d]), weights);
  const usual = await evaluate({ penalty }, { z, affinities });
  const isFar = (row: number): boolean => row === 0 || row === pairs;
  const apart = z.map((value, place) => (isFar(Math.floor(place / d)) ? 10 : 0.1 * value));
  // By the variance of all features it would be a hundredth.
  expect((await evaluate({ penalty }, { z: apart, affinities })).penalty[0]).toBeGreaterThan(usual.penalty[0] / 2);
});

/** Half the geometric mean of squared distances from each row to the next, the first after the last. */
function geometricVariance(z: Float32Array, d: number): number {
  const rows = z.length / d;
  const logarithms = Array.from({ length: rows }, (_, row) => {
    const next = (row + 1) % rows;
    return Math.log(
      z.subarray(row * d, (row + 1) * d).reduce((sum, value, j) => sum + (value - z[next * d + j]) ** 2, 0),
    );
  });
  return Math.exp(logarithms.reduce((a, b) => a + b) / rows) / 2;
}
