import { expect, test } from "vitest";
import { randomValues, relativeError } from "../../test/evaluate.ts";
import { Random } from "./random.ts";
import { symmetricEigen } from "./symmetric-eigen.ts";

test("values and vectors worked out by hand", () => {
  const { values, vectors } = symmetricEigen(Float64Array.of(2, 1, 1, 2), 2);
  expect(relativeError(values, [3, 1])).toBeLessThan(1e-15);
  expect(vectors.map(Math.abs).every((part) => Math.abs(part - Math.SQRT1_2) < 1e-15)).toBe(true);
  expect(symmetricEigen(new Float64Array(9), 3).values).toEqual(new Float64Array(3));
});

test("the matrix is the sum of its projections on the eigenvectors, values descending", () => {
  const size = 25;
  const half = randomValues(new Random(1, "eigen"), size * size);
  const symmetric = Float64Array.from(half, (value, i) => value + half[(i % size) * size + Math.floor(i / size)]);
  const { values, vectors } = symmetricEigen(symmetric, size);
  const rebuilt = symmetric.map((_, i) => {
    let total = 0;
    for (let k = 0; k < size; k++)
      total += values[k] * vectors[k * size + Math.floor(i / size)] * vectors[k * size + (i % size)];
    return total;
  });
  expect(relativeError(rebuilt, symmetric)).toBeLessThan(1e-13);
  for (let k = 1; k < size; k++) expect(values[k]).toBeLessThanOrEqual(values[k - 1]);
});
