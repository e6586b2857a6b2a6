import { expect, test } from "vitest";
import { Random } from "./random.ts";

test("the generator is xoshiro128**, as published", () => {
  const random = new Random(0);
  random.restore([1, 2, 3, 4]);
  const reference = [
    11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
  ];
  expect(reference.map(() => random.uint32())).toEqual(reference);
});

test("a seed gives one sequence; other seeds and other labels give others", () => {
  const draw = (seed: number, label?: string) => {
    const random = new Random(seed, label);
    return Array.from({ length: 8 }, () => random.uint32());
  };
  expect(draw(7)).toEqual(draw(7));
  const sequences = [draw(7), draw(8), draw(7 + 2 ** 32), draw(7, "weights"), draw(7, "order")];
  expect(new Set(sequences.map(String)).size).toBe(sequences.length);
});

test("uniform numbers fill [0, 1) evenly", () => {
  const random = new Random(1);
  const counts = new Array(10).fill(0);
  for (let i = 0; i < 100_000; i++) counts[Math.floor(random.uniform() * 10)]++;
  // Each count is binomial with standard deviation 95; five of them off has a chance of one in a million.
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(475);
});

test("a permutation holds each number once, and a restored generator continues the same sequence", () => {
  const random = new Random(2);
  const state = random.save();
  const first = random.permutation(1000);
  expect([...first].sort((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, i) => i));
  random.restore(state);
  expect(random.permutation(1000)).toEqual(first);
});

test("a seed that is not a whole number is refused", () => {
  expect(() => new Random(-1)).toThrow("seed must be a whole number");
  expect(() => new Random(0.5)).toThrow("seed must be a whole number");
});

test("fill gives the same numbers as repeated uint32", () => {
  const [single, many] = [new Random(7, "words"), new Random(7, "words")];
  const words = new Uint32Array(1000);
  many.fill(words);
  expect([...words]).toEqual(Array.from(words, () => single.uint32()));
  expect(many.uint32()).toBe(single.uint32());
});
