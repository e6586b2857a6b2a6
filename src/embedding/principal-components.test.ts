import { expect, test } from "vitest";
import { randomValues, relativeError } from "../../test/evaluate.ts";
import { type Matrix, matrix } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { symmetricEigen } from "../numeric/symmetric-eigen.ts";
import { principalComponents } from "./principal-components.ts";

/** Samples that lie at ± deviation·√directions along each of the directions, and nowhere else. */
function crossOf(directions: readonly (readonly number[])[], deviations: readonly number[], mean: number): Matrix {
  const columns = directions[0].length;
  const rows = directions.flatMap((direction, i) =>
    [1, -1].map((sign) => direction.map((part) => mean + sign * deviations[i] * Math.sqrt(directions.length) * part)),
  );
  return matrix(Float32Array.from(rows.flat()), columns);
}

test("directions and variances of a known covariance are found", async () => {
  const directions = [
    [0.6, 0.8, 0, 0],
    [0.8, -0.6, 0, 0],
    [0, 0, 0.28, 0.96],
    [0, 0, 0.96, -0.28],
  ];
  const samples = crossOf(directions, [3, 2, 1, 0.5], 100);
  const { components, variances, mean, projections } = await principalComponents(samples, { components: 3 });
  expect(relativeError(components, directions.slice(0, 3).flat())).toBeLessThan(1e-5);
  expect(relativeError(variances, [9, 4, 1])).toBeLessThan(1e-5);
  expect(relativeError(mean, [100, 100, 100, 100])).toBeLessThan(1e-6);
  expect(relativeError(projections.subarray(0, 3), [6, 0, 0])).toBeLessThan(1e-5);
  expect(relativeError(projections.subarray(9, 12), [0, -4, 0])).toBeLessThan(1e-5);
});

/** Samples whose columns vary less and less, in correlated ways. */
function decaying(rows: number, columns: number): Matrix {
  const random = new Random(4, "components");
  const values = randomValues(random, rows * columns);
  for (let i = 0; i < values.length; i++)
    values[i] = (i % columns === 0 ? 0 : 0.3 * values[i - 1]) + values[i] / (1 + (i % columns));
  return matrix(values, columns);
}

test("components are the eigenvectors of the covariance, and projections are uncorrelated", async () => {
  const samples = decaying(2000, 40);
  const { components, variances, projections } = await principalComponents(samples, { components: 12 });
  const covariance = new Float64Array(40 * 40);
  const mean = Float64Array.from({ length: 40 }, (_, d) => {
    let total = 0;
    for (let row = 0; row < 2000; row++) total += samples.values[row * 40 + d] / 2000;
    return total;
  });
  for (let row = 0; row < 2000; row++)
    for (let a = 0; a < 40; a++)
      for (let b = 0; b < 40; b++)
        covariance[a * 40 + b] +=
          ((samples.values[row * 40 + a] - mean[a]) * (samples.values[row * 40 + b] - mean[b])) / 2000;
  const expected = symmetricEigen(covariance, 40);
  expect(relativeError(variances, expected.values.subarray(0, 12))).toBeLessThan(1e-6);
  for (let i = 0; i < 12; i++)
    for (let j = 0; j < 12; j++) {
      let [product, correlation] = [0, 0];
      for (let d = 0; d < 40; d++) product += components[i * 40 + d] * expected.vectors[j * 40 + d];
      for (let row = 0; row < 2000; row++)
        correlation += (projections[row * 12 + i] * projections[row * 12 + j]) / 2000 / variances[i];
      expect(Math.abs(Math.abs(product) - Number(i === j))).toBeLessThan(1e-3);
      expect(Math.abs(correlation - Number(i === j))).toBeLessThan(1e-3);
    }
});

test("neither the seed nor the number of threads matters", async () => {
  const samples = decaying(300, 20);
  const once = await principalComponents(samples, { components: 4 });
  for (const options of [{ seed: 7 }, { threads: 1 }]) {
    const again = await principalComponents(samples, { components: 4, ...options });
    expect(relativeError(again.components, once.components)).toBeLessThan(1e-3);
    expect(relativeError(again.variances, once.variances)).toBeLessThan(1e-6);
  }
});

test("samples that vary in fewer directions than requested have no variance in the others", async () => {
  const constant = await principalComponents(matrix(new Float32Array(30).fill(2), 3), { components: 3 });
  expect([...constant.variances]).toEqual([0, 0, 0]);
  expect(constant.projections.every((value) => value === 0)).toBe(true);
  const line = matrix(
    Float32Array.from({ length: 60 }, (_, i) => (i % 3) * Math.floor(i / 3)),
    3,
  );
  const { variances, components } = await principalComponents(line, { components: 2 });
  expect(variances[1]).toBeLessThan(1e-9 * variances[0]);
  expect(relativeError(components.subarray(0, 3), [0, 1 / Math.sqrt(5), 2 / Math.sqrt(5)])).toBeLessThan(1e-5);
});

test("the work can be aborted, and bad input is refused in one line", async () => {
  const samples = decaying(20, 4);
  await expect(principalComponents(samples, { components: 2, signal: AbortSignal.abort() })).rejects.toThrow("aborted");
  await expect(principalComponents(samples, { components: 5 })).rejects.toThrow(
    "components must be a whole number from 1 to 4, the columns, not 5",
  );
});
