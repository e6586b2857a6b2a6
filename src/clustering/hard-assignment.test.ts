import { expect, test } from "vitest";
import { randomValues } from "../../test/evaluate.ts";
import { Random } from "../numeric/random.ts";
import { meansOf, nearestCentre, nearestCentres } from "./hard-assignment.ts";

/** Four samples in the plane, in two pairs. */
const features = Float32Array.of(0, 0, 2, 0, 10, 10, 12, 14);
const centres = Float32Array.of(11, 11, 1, 1);

test("a sample belongs to the nearest centre, or to the first of equally near ones", () => {
  expect([...nearestCentres(features, 2, centres)]).toEqual([1, 1, 0, 0]);
  expect(nearestCentre(Float32Array.of(6, 6), centres)).toBe(0);
  expect(nearestCentre(Float32Array.of(5.9, 6), centres)).toBe(1);
});

test("a centre is the mean of its samples; a centre without samples stays where it is", () => {
  const before = Float32Array.of(11, 11, 1, 1, 99, -99);
  expect([...meansOf(features, 2, Int32Array.of(1, 1, 0, 0), before)]).toEqual([11, 12, 1, 0, 99, -99]);
  expect([...before]).toEqual([11, 11, 1, 1, 99, -99]);
});

/** Σ ‖z − c‖². */
function objective(z: Float32Array, d: number, labels: Int32Array, means: Float32Array): number {
  return z.reduce((total, value, i) => total + (value - means[labels[Math.floor(i / d)] * d + (i % d)]) ** 2, 0);
}

test("alternating the two steps never raises the objective of k-means, and converges", () => {
  const [d, k] = [3, 5];
  const random = new Random(2);
  const z = randomValues(random, 200 * d);
  let means = randomValues(random, k * d);
  const course = [objective(z, d, new Int32Array(200), means)];
  for (let iteration = 0; iteration < 40; iteration++) {
    const labels = nearestCentres(z, d, means);
    const next = meansOf(z, d, labels, means);
    course.push(objective(z, d, labels, means), objective(z, d, labels, next));
    means = next;
  }
  // Centres are float32: only their rounding may add to the objective.
  for (let i = 1; i < course.length; i++) expect(course[i]).toBeLessThanOrEqual(course[i - 1] * (1 + 1e-6));
  expect(course[course.length - 1]).toBeLessThan(0.5 * course[0]);
  expect(course[course.length - 1]).toBe(course[course.length - 2]);
});
