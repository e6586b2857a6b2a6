import { expect, test } from "vitest";
import { relativeError } from "../../test/evaluate.ts";
import { readOracle } from "../../test/oracles.ts";
import { nearestNeighbours } from "../clustering/neighbours.ts";
import { matrix } from "../numeric/matrix.ts";
import { affinities } from "./affinities.ts";
import { TsneGradient } from "./gradient.ts";

async function oracleGradient() {
  const { x, y, kl, gradient, perplexity } = readOracle("tsne");
  const nearest = await nearestNeighbours(matrix(Float32Array.from(x.data), x.shape[1]), { neighbours: 39 });
  const near = await affinities(nearest, { perplexity });
  return { found: new TsneGradient(near, { threads: 1 }), map: Float64Array.from(y.data), kl, gradient };
}

test("the divergence and its gradient agree with scikit-learn's", async () => {
  const { found, map, kl, gradient } = await oracleGradient();
  expect(Math.abs((await found.divergence(map)) / kl - 1)).toBeLessThan(1e-5);
  await found.find(map);
  expect(relativeError(found.values, gradient.data)).toBeLessThan(1e-5);
  await found.close();
});

test("exaggeration adds attraction, whose forces sum to zero", async () => {
  const { found, map } = await oracleGradient();
  await found.find(map);
  const plain = found.values.slice();
  await found.find(map, 3);
  const attraction = found.values.map((value, i) => (value - plain[i]) / 2);
  await found.find(map, 5);
  expect(
    relativeError(
      found.values,
      plain.map((value, i) => value + 4 * attraction[i]),
    ),
  ).toBeLessThan(1e-9);
  for (const axis of [0, 1])
    expect(attraction.reduce((sum, value, i) => sum + (i % 2 === axis ? value : 0), 0)).toBeCloseTo(0, 12);
  await found.close();
});
