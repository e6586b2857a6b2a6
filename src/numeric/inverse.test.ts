import { expect, test } from "vitest";
import { invertPositiveDefinite } from "./inverse.ts";
import { Random } from "./random.ts";

test("a positive definite matrix times its inverse is the identity", () => {
  const d = 12;
  const random = new Random(3, "matrix");
  const b = Float64Array.from({ length: d * d }, () => random.uniform() - 0.5);
  const product = (x: Float64Array, y: Float64Array, i: number, j: number): number => {
    let total = 0;
    for (let l = 0; l < d; l++) total += x[i * d + l] * y[l * d + j];
    return total;
  };
  const transposed = b.map((_, place) => b[(place % d) * d + Math.floor(place / d)]);
  const a = b.map(
    (_, place) => product(b, transposed, Math.floor(place / d), place % d) + Number(place % (d + 1) === 0),
  );
  const inverse = invertPositiveDefinite(a.slice(), d);
  for (let place = 0; place < d * d; place++)
    expect(product(a, inverse, Math.floor(place / d), place % d)).toBeCloseTo(Number(place % (d + 1) === 0), 10);
});
