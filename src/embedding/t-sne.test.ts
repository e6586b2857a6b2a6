import { expect, test } from "vitest";
import { relativeError } from "../../test/evaluate.ts";
import { openDataset } from "../images/sources/open.ts";
import { trustworthiness } from "../metrics/trustworthiness.ts";
import { type Matrix, matrix } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { tsne } from "./t-sne.ts";

/** Round groups, far apart for their size; sample i is in group i mod `count`. */
function groups(count: number, each: number, columns: number): Matrix {
  const random = new Random(5, "groups");
  const centres = Array.from({ length: count * columns }, () => 10 * random.uniform());
  return matrix(
    Float32Array.from({ length: count * each * columns }, (_, i) => {
      const group = Math.floor(i / columns) % count;
      return centres[group * columns + (i % columns)] + random.uniform() + random.uniform() - 1;
    }),
    columns,
  );
}

/** The share of samples whose nearest point on the map belongs to their own group. */
function kept(embedding: Float32Array, count: number): number {
  const rows = embedding.length / 2;
  let own = 0;
  for (let i = 0; i < rows; i++) {
    let [nearest, smallest] = [-1, Number.POSITIVE_INFINITY];
    for (let j = 0; j < rows; j++) {
      const distance = (embedding[2 * i] - embedding[2 * j]) ** 2 + (embedding[2 * i + 1] - embedding[2 * j + 1]) ** 2;
      if (j !== i && distance < smallest) [nearest, smallest] = [j, distance];
    }
    if (nearest % count === i % count) own++;
  }
  return own / rows;
}

test("separate groups stay compact and separate, from either initial map", async () => {
  const samples = groups(6, 60, 8);
  for (const initialization of ["pca", "random"] as const) {
    const { embedding, iterations } = await tsne(samples, { initialization, iterations: 500, threads: 1 });
    expect(iterations).toBe(500);
    expect(kept(embedding, 6)).toBe(1);
    expect(trustworthiness(samples, matrix(embedding, 2))).toBeGreaterThan(0.95);
  }
});

async function digits(count: number): Promise<Matrix> {
  const dataset = await openDataset("mnist-test");
  const pixels = new Float32Array(count * 784);
  dataset.read([...Array(count).keys()], pixels);
  dataset.close();
  return matrix(pixels, 784);
}

test("neighbours on a map of digits are neighbours among their images", async () => {
  const samples = await digits(600);
  const { embedding, divergence } = await tsne(samples, { iterations: 350, threads: 1 });
  expect(trustworthiness(samples, matrix(embedding, 2))).toBeGreaterThan(0.95);
  expect(divergence).toBeGreaterThan(0);
  expect(divergence).toBeLessThan(1.2);
});

test("the same seed gives bitwise the same map; another seed gives another, where the start is random", async () => {
  const samples = groups(4, 150, 5);
  const options = { initialization: "random", iterations: 150, seed: 1 } as const;
  const once = await tsne(samples, options);
  expect(await tsne(samples, options)).toEqual(once);
  expect((await tsne(samples, { ...options, seed: 2 })).embedding).not.toEqual(once.embedding);
});

const permutedRows = ({ rows, columns, values }: Matrix, order: Uint32Array): Float32Array =>
  Float32Array.from(
    { length: rows * columns },
    (_, i) => values[order[Math.floor(i / columns)] * columns + (i % columns)],
  );

test("the order of the samples does not matter, up to rounding", async () => {
  const samples = groups(6, 150, 5);
  const order = new Random(1, "order").permutation(samples.rows);
  const options = { iterations: 10, threads: 1 };
  const { embedding, divergence } = await tsne(samples, options);
  const permuted = await tsne(matrix(permutedRows(samples, order), 5), options);
  expect(relativeError(permuted.embedding, permutedRows(matrix(embedding, 2), order))).toBeLessThan(1e-3);
  expect(Math.abs(permuted.divergence / divergence - 1)).toBeLessThan(1e-6);
});

test("the descent starts from a given map", async () => {
  const samples = groups(3, 20, 4);
  const first = await tsne(samples, { threads: 1 });
  const { embedding, divergence } = await tsne(samples, {
    initialization: first.embedding,
    earlyExaggeration: 1,
    iterations: 10,
    threads: 1,
  });
  expect(relativeError(embedding, first.embedding)).toBeLessThan(0.01);
  expect(Math.abs(divergence / first.divergence - 1)).toBeLessThan(0.01);
});

test("a map that cannot improve ends the descent early", async () => {
  const { divergence, iterations } = await tsne(matrix(Float32Array.of(0, 1), 1));
  expect(Math.abs(divergence)).toBeLessThan(1e-9);
  expect(iterations).toBeLessThan(1000);
});

test("few samples, coinciding samples and samples of one column have maps", async () => {
  const random = new Random(2, "few");
  const uniform = (rows: number, columns: number) =>
    matrix(
      Float32Array.from({ length: rows * columns }, () => random.uniform()),
      columns,
    );
  const twice = uniform(40, 3).values;
  const sets = [
    uniform(1, 3),
    uniform(2, 3),
    uniform(3, 1),
    uniform(5, 4),
    matrix(Float32Array.from([...twice, ...twice]), 3),
    matrix(new Float32Array(60).fill(3), 2),
    uniform(100, 1),
  ];
  for (const samples of sets) {
    const { embedding, divergence } = await tsne(samples, { iterations: 300, threads: 1 });
    expect(embedding).toHaveLength(2 * samples.rows);
    expect(embedding.every(Number.isFinite)).toBe(true);
    expect(Number.isFinite(divergence)).toBe(true);
    if (samples.rows > 1) expect(new Set(embedding).size).toBeGreaterThan(2);
  }
});

test("progress is reported, and a run can be aborted", async () => {
  const samples = groups(3, 30, 4);
  const told: number[][] = [];
  await tsne(samples, { iterations: 3, onProgress: (...now) => told.push(now) });
  expect(told).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
  ]);
  const controller = new AbortController();
  const running = tsne(samples, { iterations: 1e9, signal: controller.signal });
  setTimeout(() => controller.abort(), 100);
  await expect(running).rejects.toThrow("aborted");
});

test("bad input is refused in one line", async () => {
  const samples = groups(2, 5, 2);
  await expect(tsne(samples, { perplexity: 0.5 })).rejects.toThrow("perplexity must be a number from 1, not 0.5");
  await expect(tsne(samples, { iterations: 0 })).rejects.toThrow("iterations must be a whole number from 1, not 0");
  await expect(tsne(samples, { earlyExaggeration: 0 })).rejects.toThrow("earlyExaggeration must be a number from 1");
  await expect(tsne(samples, { learningRate: 0 })).rejects.toThrow("learningRate must be a number over 0, not 0");
  for (const many of [samples, groups(3, 200, 2)])
    await expect(tsne(many, { learningRate: 1e200 })).rejects.toThrow("the map grew without bound; lower learningRate");
  const short = { initialization: new Float32Array(5) };
  await expect(tsne(samples, short)).rejects.toThrow("the given map has 5 values; 10 rows of 2 are 20");
  const infinite = { initialization: new Float32Array(20).fill(Number.POSITIVE_INFINITY) };
  await expect(tsne(samples, infinite)).rejects.toThrow("row 0 of the given map holds Infinity");
  const bad = { rows: 2, columns: 1, values: Float32Array.of(1, Number.NaN) };
  await expect(tsne(bad)).rejects.toThrow("t-SNE: row 1 holds NaN");
});
