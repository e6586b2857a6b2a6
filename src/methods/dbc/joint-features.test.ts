import { expect, test } from "vitest";
import { matrix } from "../../numeric/matrix.ts";
import { Random } from "../../numeric/random.ts";
import { sideBySide } from "./joint-features.ts";

const random = new Random(1, "parts");
const part = (columns: number, scale: number) =>
  matrix(
    Float32Array.from({ length: 50 * columns }, () => scale * (3 + random.uniform())),
    columns,
  );

test("distances are those of all parts together, whatever their scale", () => {
  const [small, large] = [part(3, 0.01), part(2, 1000)];
  const whole = sideBySide([small, large]);
  expect([whole.rows, whole.columns]).toEqual([50, 5]);
  const variance = (from: number, to: number): number => {
    let total = 0;
    for (let d = from; d < to; d++) {
      const column = Array.from({ length: 50 }, (_, row) => whole.values[row * 5 + d]);
      const mean = column.reduce((sum, value) => sum + value, 0) / 50;
      total += column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 50;
    }
    return total;
  };
  expect(variance(0, 3)).toBeCloseTo(1, 4);
  expect(variance(3, 5)).toBeCloseTo(1, 4);
  // Each part keeps its own shape.
  expect(whole.values[0] / whole.values[5]).toBeCloseTo(small.values[0] / small.values[3], 4);
});

test("a part that is the same for all samples is no reason to fail", () => {
  const random = new Random(2, "one row");
  const row = Float32Array.from({ length: 160 }, () => random.uniform());
  const flat = matrix(
    Float32Array.from({ length: 50 * 160 }, (_, place) => row[place % 160]),
    160,
  );
  const { values, columns } = sideBySide([flat, part(2, 1)]);
  for (let place = 0; place < 50; place++) expect(values.subarray(place * columns, place * columns + 160)).toEqual(row);
});
