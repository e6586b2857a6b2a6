import { expect, test } from "vitest";
import { randomValues, relativeError } from "../../../test/evaluate.ts";
import { Random } from "../../numeric/random.ts";
import { OnlineCentres } from "./online-centres.ts";

test("a centre moves by DCN's rule, c ← (1 − 1/n) c + z/n, and counts from 100", () => {
  const online = new OnlineCentres(Float32Array.of(0, 0, 5, 5), 2);
  expect([...online.counts]).toEqual([100, 100]);
  online.move(1, Float32Array.of(106, 5));
  expect([...online.counts]).toEqual([100, 101]);
  expect([...online.centres]).toEqual([0, 0, 6, 5]);
  online.move(1, Float32Array.of(6, 107));
  expect([...online.counts]).toEqual([100, 102]);
  expect([...online.centres]).toEqual([0, 0, 6, 6]);
});

test("with nothing seen before, each centre is the running mean of its samples", () => {
  const random = new Random(1);
  const [d, k, n] = [3, 2, 50];
  const online = new OnlineCentres(randomValues(random, k * d), new Float32Array(k));
  const samples = Array.from({ length: n }, () => randomValues(random, d));
  samples.forEach((sample, index) => {
    online.move(index % k, sample);
  });
  for (let j = 0; j < k; j++) {
    const own = samples.filter((_, index) => index % k === j);
    const mean = Array.from({ length: d }, (_, i) => own.reduce((total, sample) => total + sample[i], 0) / own.length);
    expect(relativeError(online.centres.subarray(j * d, (j + 1) * d), mean)).toBeLessThan(1e-5);
  }
  expect([...online.counts]).toEqual([n / k, n / k]);
});

test("the nearest centre is found where the centres are now, and what it was made from stays as it was", () => {
  const [start, counts] = [Float32Array.of(0, 10), new Float32Array(2)];
  const online = new OnlineCentres(start, counts);
  const sample = Float32Array.of(4);
  expect(online.nearest(sample)).toBe(0);
  online.move(1, Float32Array.of(5));
  expect(online.nearest(sample)).toBe(1);
  expect([...start, ...counts]).toEqual([0, 10, 0, 0]);
});
