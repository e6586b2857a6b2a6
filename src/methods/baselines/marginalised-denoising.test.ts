import { expect, test } from "vitest";
import { randomValues, relativeError } from "../../../test/evaluate.ts";
import { flat, momentsOf, product, type Rows, rowsOf, solve, trace, transposed } from "../../../test/plain-matrices.ts";
import { choleskyFactor } from "../../numeric/cholesky.ts";
import { Random } from "../../numeric/random.ts";
import { denoisingMap, stackedEmbedding } from "./marginalised-denoising.ts";

const d = 5;
const corruption = 0.3;
/** Samples whose entries go together: what is left out can be told from the others. */
const samples: Rows = Array.from({ length: 12 }, (_, row) => {
  const [a, b, ...noise] = randomValues(new Random(row, "samples"), 2 + d);
  return Array.from({ length: d }, (_, i) => a * Math.cos(i) + b * Math.sin(2 * i) + 0.3 * noise[i]);
});
const moments = momentsOf(samples);

/** P = E[x x̃ᵀ] and Q = E[x̃ x̃ᵀ]: an entry stays with probability q, two different ones with q². */
function expectedMoments(s: Rows, q: number): { p: number[][]; q: number[][] } {
  return {
    p: s.map((row) => row.map((value) => q * value)),
    q: s.map((row, i) => row.map((value, j) => (i === j ? q : q * q) * value)),
  };
}

/** Wᵀ = Q⁻¹ P, P and Q being symmetric. */
function closedForm(s: Rows, share: number): number[][] {
  const { p, q } = expectedMoments(s, 1 - share);
  return solve(q, p);
}

test("the map is the closed form, by plain elimination", async () => {
  const map = await denoisingMap(flat(moments), d, { corruption });
  expect(relativeError(map, closedForm(moments, corruption).flat())).toBeLessThan(1e-8);
});

test("it is what least squares gives on very many corrupted copies", async () => {
  const random = new Random(3, "corruptions");
  const cross = Array.from({ length: d }, () => new Array<number>(d).fill(0));
  const own = Array.from({ length: d }, () => new Array<number>(d).fill(0));
  for (let copy = 0; copy < 40_000; copy++)
    for (const x of samples) {
      const corrupted = x.map((value) => (random.uniform() < corruption ? 0 : value));
      for (let i = 0; i < d; i++)
        for (let j = 0; j < d; j++) {
          cross[i][j] += corrupted[i] * x[j];
          own[i][j] += corrupted[i] * corrupted[j];
        }
    }
  const brute = solve(own, cross).flat();
  expect(relativeError(await denoisingMap(flat(moments), d, { corruption }), brute)).toBeLessThan(0.01);
  expect(relativeError(await denoisingMap(flat(moments), d, { corruption: 0.2 }), brute)).toBeGreaterThan(0.05);
});

/** E ‖x − W x̃‖², summed over samples: tr S − 2 tr(W Pᵀ) + tr(W Q Wᵀ). */
function expectedError(map: Rows): number {
  const { p, q } = expectedMoments(moments, 1 - corruption);
  const w = transposed(map);
  return trace(moments) - 2 * trace(product(w, transposed(p))) + trace(product(product(w, q), map));
}

test("it has the least expected error: every other map that was tried restores worse", async () => {
  const map = rowsOf(await denoisingMap(flat(moments), d, { corruption }), d);
  const least = expectedError(map);
  expect(least).toBeGreaterThan(0);
  expect(least).toBeLessThan(trace(moments));
  for (let trial = 0; trial < 20; trial++) {
    const change = rowsOf(Float64Array.from(randomValues(new Random(trial, "changes"), d * d)), d);
    for (const size of [1e-3, 0.1, 1]) {
      const other = map.map((row, i) => row.map((value, j) => value + size * change[i][j]));
      expect(expectedError(other)).toBeGreaterThan(least);
    }
  }
});

test("nothing left out, nothing to restore: with hardly any corruption the map is hardly a change", async () => {
  const identity = rowsOf(new Float64Array(d * d), d).map((row, i) => row.map((_, j) => (i === j ? 1 : 0)));
  const map = await denoisingMap(flat(moments), d, { corruption: 1e-4 });
  expect(relativeError(map, identity.flat())).toBeLessThan(0.01);
});

const distances = (rows: Rows): number[] =>
  rows.flatMap((a) => rows.map((b) => Math.hypot(...a.map((value, i) => value - b[i]))));

test("the embedding of a stack has the distances of all layers' outputs side by side", async () => {
  const layers = 3;
  const outputs: Rows[] = [];
  for (let layer = 0; layer < layers; layer++) {
    const before = outputs.at(-1) ?? samples;
    outputs.push(product(before, closedForm(momentsOf(before), corruption)));
  }
  const sideBySide = samples.map((_, row) => outputs.flatMap((output) => output[row]));
  const embedding = rowsOf(await stackedEmbedding(flat(moments), d, { corruption, layers }), d);
  expect(relativeError(distances(product(samples, embedding)), distances(sideBySide))).toBeLessThan(1e-6);
});

test("a feature that never occurs is left out, and does the others no harm", async () => {
  const extended = [...moments.map((row) => [...row, 0]), new Array<number>(d + 1).fill(0)];
  const map = rowsOf(await denoisingMap(flat(extended), d + 1, { corruption }), d + 1);
  const without = await denoisingMap(flat(moments), d, { corruption });
  expect([...map[d], ...map.map((row) => row[d])]).toEqual(new Array(2 * (d + 1)).fill(0));
  expect(
    relativeError(
      map.slice(0, d).flatMap((row) => row.slice(0, d)),
      without,
    ),
  ).toBeLessThan(1e-12);
  const embedding = await stackedEmbedding(flat(extended), d + 1, { corruption, layers: 2 });
  expect(embedding.every(Number.isFinite)).toBe(true);
});

test("a Cholesky factor is lower triangular and gives its matrix back", () => {
  const a = momentsOf(rowsOf(Float64Array.from(randomValues(new Random(5), 8 * d)), d));
  const factor = rowsOf(choleskyFactor(flat(a), d), d);
  factor.forEach((row, i) => {
    expect(row[i]).toBeGreaterThan(0);
    expect(row.slice(i + 1)).toEqual(new Array(d - 1 - i).fill(0));
  });
  expect(relativeError(product(factor, transposed(factor)).flat(), a.flat())).toBeLessThan(1e-9);
});

test("a matrix without full rank has one too, but for rounding", () => {
  const a = product([[1], [2], [3]], [[1, 2, 3]]);
  const factor = rowsOf(choleskyFactor(flat(a), 3), 3);
  expect(relativeError(product(factor, transposed(factor)).flat(), a.flat())).toBeLessThan(1e-9);
});

test("work can be aborted, and a corruption too small to compute with is refused", async () => {
  const signal = AbortSignal.abort();
  await expect(stackedEmbedding(flat(moments), d, { corruption, layers: 2, signal })).rejects.toThrow("aborted");
  const same = flat(product([[1], [1]], [[1, 1]]));
  await expect(denoisingMap(same, 2, { corruption: 1e-14 })).rejects.toThrow("the corruption is too small");
});
