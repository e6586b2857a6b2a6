import { expect, test } from "vitest";
import { randomValues, relativeError } from "../../test/evaluate.ts";
import { flat, momentsOf, rowsOf, solve } from "../../test/plain-matrices.ts";
import { choleskyFactor, choleskySolve } from "./cholesky.ts";
import { Random } from "./random.ts";

const rowsAtRandom = (count: number, columns: number) =>
  rowsOf(Float64Array.from(randomValues(new Random(3, "cholesky"), count * columns)), columns);

test("solves what plain elimination solves, wherever the right side begins", () => {
  const size = 12;
  const a = momentsOf(rowsAtRandom(30, size));
  const b = Float64Array.from({ length: size }, (_, index) => index - 4.5);
  const padded = Float64Array.of(7, 8, ...b, 9);
  choleskySolve(choleskyFactor(flat(a), size), size, padded, 2);
  const expected = solve(
    a,
    [...b].map((value) => [value]),
  ).flat();
  expect(relativeError(padded.subarray(2, 2 + size), expected)).toBeLessThan(1e-7);
  expect([padded[0], padded[1], padded[2 + size]]).toEqual([7, 8, 9]);
});

test("a matrix that is singular has a factor all the same, and what it solves fits", () => {
  const size = 6;
  const a = momentsOf(rowsAtRandom(3, size));
  const solution = Float64Array.from(a[0]);
  choleskySolve(choleskyFactor(flat(a), size), size, solution);
  const product = a.map((row) => row.reduce((sum, value, column) => sum + value * solution[column], 0));
  expect(relativeError(product, a[0])).toBeLessThan(1e-4);
});
