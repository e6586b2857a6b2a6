import { expect, test } from "vitest";
import { sortNaturally } from "./natural-order.ts";

const sorted = (names: readonly string[]): string[] => sortNaturally(names, (name) => name);

test("numbers sort by value and folders stay together, whatever the initial order", () => {
  const expected = [
    "a/z.png",
    "a1",
    "a02/b",
    "a02/d",
    "a2/a",
    "a2/c",
    "a10",
    "a10b",
    "a10000000000000000000001",
    "a-b/a.png",
    "b",
  ];
  expect(sorted(expected)).toEqual(expected);
  expect(sorted([...expected].reverse())).toEqual(expected);
});
