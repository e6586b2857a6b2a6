import { expect, test } from "vitest";
import { randomValues } from "../../test/evaluate.ts";
import { matrix } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { trustworthiness } from "./trustworthiness.ts";

const line = (...values: number[]) => matrix(Float32Array.from(values), 1);

test("a value worked out by hand", () => {
  const samples = line(0, 1, 3, 7, 15);
  // On the map the nearest of 0 to 4 are 4, 2, 1, 2, 0. Among the samples these have the ranks 4, 2, 1, 1, 4.
  const map = line(0, 10, 13, 17, 1);
  expect(trustworthiness(samples, map, { neighbours: 1 })).toBeCloseTo(1 - (2 * (3 + 1 + 0 + 0 + 3)) / (5 * 1 * 6), 12);
});

test("a map that keeps all neighbours scores 1, a random map about a half", () => {
  const random = new Random(1, "trustworthiness");
  const samples = matrix(randomValues(random, 400 * 3), 3);
  expect(
    trustworthiness(
      samples,
      matrix(
        samples.values.map((value) => 2 * value + 1),
        3,
      ),
    ),
  ).toBe(1);
  const lost = trustworthiness(samples, matrix(randomValues(random, 800), 2));
  expect(Math.abs(lost - 0.5)).toBeLessThan(0.05);
});

test("coinciding samples rank by their order", () => {
  const samples = line(2, 2, 2, 2, 2);
  expect(trustworthiness(samples, samples, { neighbours: 2 })).toBe(1);
});

test("bad input is refused in one line", () => {
  const samples = line(1, 2, 3, 4, 5);
  expect(() => trustworthiness(samples, line(1, 2))).toThrow("the map has 2 rows for 5 samples; give one for each");
  expect(() => trustworthiness(samples, samples, { neighbours: 3 })).toThrow("less than half of 5 rows, not 3");
  expect(() => trustworthiness(samples, samples, { neighbours: 0 })).toThrow(
    "neighbours must be a whole number from 1",
  );
});
