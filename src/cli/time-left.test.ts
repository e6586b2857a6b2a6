import { expect, test } from "vitest";
import { aboutTime } from "./time-left.ts";

test.each([
  [0, "a few seconds"],
  [7.4, "a few seconds"],
  [8, "about 10 s"],
  [57, "about 55 s"],
  [58, "about 1 min"],
  [100, "about 2 min"],
  [59 * 60, "about 59 min"],
  [59.6 * 60, "about 1 h"],
  [80 * 60, "about 1 h 20 min"],
  [117 * 60, "about 2 h"],
])("%d seconds are %s", (seconds, words) => {
  expect(aboutTime(seconds)).toBe(words);
});
