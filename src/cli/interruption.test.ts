import { expect, test } from "vitest";
import { savedWork } from "./interruption.ts";

test("what a checkpoint holds, in words", () => {
  const entry = (stage: string, epoch: number) => ({ stage, epoch, loss: 1 });
  expect(savedWork({ history: [] })).toBe("what came before the first epoch");
  expect(savedWork({ history: [entry("auto-encoder", 1)] })).toBe("1 epoch of stage I, auto-encoder");
  expect(savedWork({ history: [entry("auto-encoder", 9), entry("clustering", 12)] })).toBe(
    "12 epochs of stage II, clustering",
  );
});
