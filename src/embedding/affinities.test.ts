import { expect, test } from "vitest";
import { relativeError } from "../../test/evaluate.ts";
import { readOracle } from "../../test/oracles.ts";
import { nearestNeighbours } from "../clustering/neighbours.ts";
import { type Matrix, matrix } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { type Affinities, affinities } from "./affinities.ts";

/** All p_ij, as a matrix. */
function dense({ rows, starts, others, values }: Affinities): Float64Array {
  const p = new Float64Array(rows * rows);
  for (let i = 0; i < rows; i++)
    for (let pair = starts[i]; pair < starts[i + 1]; pair++) {
      p[i * rows + others[pair]] = values[pair];
      p[others[pair] * rows + i] = values[pair];
    }
  return p;
}

async function affinitiesOf(samples: Matrix, neighbours: number, perplexity: number): Promise<Affinities> {
  return affinities(await nearestNeighbours(samples, { neighbours }), { perplexity });
}

function randomSamples(rows: number, columns: number): Matrix {
  const random = new Random(3, "affinities");
  return matrix(
    Float32Array.from({ length: rows * columns }, () => random.uniform()),
    columns,
  );
}

test("affinities agree with scikit-learn's", async () => {
  const { x, p, perplexity } = readOracle("tsne");
  const near = await affinitiesOf(matrix(Float32Array.from(x.data), x.shape[1]), x.shape[0] - 1, perplexity);
  expect(relativeError(dense(near), p.data)).toBeLessThan(1e-5);
});

test("affinities sum to 1, and each pair of which one is a neighbour of the other appears once", async () => {
  const samples = randomSamples(300, 4);
  const nearest = await nearestNeighbours(samples, { neighbours: 12 });
  const near = await affinities(nearest, { perplexity: 5 });
  let pairs = 0;
  for (let i = 0; i < 300; i++) {
    const row = near.others.subarray(near.starts[i], near.starts[i + 1]);
    expect(new Set(row).size).toBe(row.length);
    for (const other of row) {
      expect(other).toBeGreaterThan(i);
      const found = (from: number, to: number) => nearest.indices.subarray(12 * from, 12 * (from + 1)).includes(to);
      expect(found(i, other) || found(other, i)).toBe(true);
    }
    pairs += row.length;
  }
  expect(near.others).toHaveLength(pairs);
  expect(near.values.reduce((sum, value) => sum + 2 * value, 0)).toBeCloseTo(1, 12);
});

test("the unit of length does not matter", async () => {
  const samples = randomSamples(60, 3);
  const expected = dense(await affinitiesOf(samples, 20, 7));
  for (const unit of [1e-12, 1e12]) {
    const scaled = matrix(
      samples.values.map((value) => value * unit),
      3,
    );
    expect(relativeError(dense(await affinitiesOf(scaled, 20, 7)), expected)).toBeLessThan(1e-4);
  }
});

test("samples that coincide are equally near", async () => {
  const near = await affinitiesOf(matrix(new Float32Array(20).fill(3), 2), 9, 3);
  for (const value of near.values) expect(value).toBeCloseTo(1 / 90, 12);
});

test("the work can be aborted", async () => {
  const nearest = await nearestNeighbours(randomSamples(20, 2), { neighbours: 3 });
  await expect(affinities(nearest, { perplexity: 2, signal: AbortSignal.abort() })).rejects.toThrow("aborted");
});
