import { expect, test } from "vitest";
import { groupColours } from "./colours.ts";

/** Red, green and blue of the fallback. */
const channels = (colour: string): number[] =>
  [...(/#([0-9a-f]{6})/.exec(colour)?.[1].matchAll(/../g) ?? [])].map(([hex]) => Number.parseInt(hex, 16));

test("up to ten groups have colours that a page can change", () => {
  expect(groupColours(2)).toEqual(["var(--figure-1, #3f90da)", "var(--figure-2, #ffa90e)"]);
  expect(new Set(groupColours(10)).size).toBe(10);
});

test("colours differ from each other, from white and from black", () => {
  for (const [count, least] of [
    [10, 30],
    [100, 8],
  ]) {
    const colours = groupColours(count).map(channels);
    colours.forEach((colour, index) => {
      expect(colour).toHaveLength(3);
      for (const other of [...colours.slice(index + 1), [255, 255, 255], [0, 0, 0]])
        expect(Math.hypot(...colour.map((channel, at) => channel - other[at]))).toBeGreaterThan(least);
    });
  }
});
