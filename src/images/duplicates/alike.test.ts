import { expect, test } from "vitest";
import { Random } from "../../numeric/random.ts";
import { AlikeFinder } from "./alike.ts";
import { product } from "./description.ts";

test("those whose product is at least so much are found, each once and in order, across all blocks", () => {
  const [count, length] = [1300, 12];
  const finder = new AlikeFinder(count, length);
  const random = new Random(0, "alike");
  for (let picture = 0; picture < count; picture++)
    finder.description(picture).set(Float32Array.from({ length }, () => 2 * random.uniform() - 1));
  const least = (picture: number): number => 1 + (picture % 3) / 2;
  const [from, to] = [700, 760];
  const found = finder.alike(from, to, least);
  expect(found.flat().length).toBeGreaterThan(to - from);
  for (let picture = from; picture < to; picture++) {
    const products = Array.from({ length: count }, (_, other) =>
      product(finder.description(picture), finder.description(other)),
    );
    // Sums in another order differ in the last bits.
    const certain = products.flatMap((value, other) => (value > least(picture) + 1e-4 ? [other] : []));
    const possible = products.flatMap((value, other) => (value > least(picture) - 1e-4 ? [other] : []));
    expect(found[picture - from]).toEqual(expect.arrayContaining(certain));
    expect(possible).toEqual(expect.arrayContaining(found[picture - from]));
    expect(found[picture - from]).toEqual([...new Set(found[picture - from])].sort((a, b) => a - b));
  }
});
