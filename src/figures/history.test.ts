import { expect, test } from "vitest";
import { expectStoredSvg } from "../../test/stored-pictures.ts";
import type { HistoryEntry } from "../runs/fitted.ts";
import { historyFigure } from "./history.ts";

const entry = (epoch: number, rest: Partial<HistoryEntry> = {}): HistoryEntry => ({
  stage: "clustering",
  epoch,
  loss: 1 / epoch,
  ...rest,
});

test("metrics, changed labels and loss, side by side", () => {
  const history = [1, 2, 3, 4].map((epoch) =>
    entry(epoch, { changed: 0.4 / epoch, metrics: { acc: 0.9 - 0.3 / epoch, nmi: 0.8 - 0.2 / epoch, ari: 0 } }),
  );
  const svg = historyFigure({ history: [entry(9, { stage: "auto-encoder" }), ...history], title: "DBC on shapes" });
  expectStoredSvg("history", svg);
  for (const word of ["ACC", "NMI", "changed labels", "loss"]) expect(svg).toContain(`>${word}<`);
  expect(svg).not.toContain("ARI");
});

test("quantities that are not known are left out", () => {
  const svg = historyFigure({ history: [entry(1, { stage: "auto-encoder" })], stage: "auto-encoder" });
  expect(svg).toContain(">loss<");
  expect(svg).not.toContain("changed");
});

test("a stage that the history lacks is refused", () => {
  expect(() => historyFigure({ history: [entry(1)], stage: "layers" })).toThrow(
    'the history has no epochs of stage "layers"',
  );
});
