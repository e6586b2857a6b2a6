import { expect, test } from "vitest";
import { expectStoredSvg } from "../../test/stored-pictures.ts";
import { Random } from "../numeric/random.ts";
import { histogramOf, scoreHistogramsFigure } from "./score-histograms.ts";

/** Scores [images, 3] whose rows sum to 1. */
function randomScores(images: number): Float32Array {
  const random = new Random(0, "scores");
  const rows = Array.from({ length: images }, () => {
    const parts = [random.uniform(), random.uniform(), random.uniform()];
    const total = parts[0] + parts[1] + parts[2];
    return parts.map((part) => part / total);
  });
  return Float32Array.from(rows.flat());
}

test("every image is counted once", () => {
  const scores = randomScores(1000);
  for (const bins of [1, 7, 50])
    for (const cluster of [0, 1, 2]) {
      const counts = histogramOf(scores, 3, cluster, bins);
      expect(counts.length).toBe(bins);
      expect(counts.reduce((a, b) => a + b, 0)).toBe(1000);
    }
});

test("a score counts in the bin that contains it; 1 counts in the last", () => {
  const scores = Float32Array.of(0, 1, 0.25, 0.75, 0.5, 0.5, 1, 0);
  expect([...histogramOf(scores, 2, 0, 4)]).toEqual([1, 1, 1, 1]);
  expect([...histogramOf(scores, 2, 1, 2)]).toEqual([1, 3]);
});

test("all panels share one axis, linear or logarithmic", () => {
  const histograms = [0, 2, 4, 8, 16, 50].map((epoch) => ({
    epoch,
    counts: Uint32Array.from({ length: 10 }, (_, bin) =>
      Math.round(1000 * Math.exp(-((bin - 1) ** 2) / (1 + epoch)) + (bin > 6 ? 2 * epoch : 0)),
    ),
  }));
  const linear = scoreHistogramsFigure({ histograms, k: 10, title: "Scores for cluster 0" });
  expectStoredSvg("score-histograms", linear);
  expect(linear.match(/>epoch \d+</g)).toHaveLength(6);
  expect(linear).toContain("random guess, 1/10");
  const logarithmic = scoreHistogramsFigure({ histograms, counts: "log", columns: 3 });
  expectStoredSvg("score-histograms-log", logarithmic);
  for (const tick of ["1", "10", "100", "1,000"]) expect(logarithmic).toContain(`>${tick}<`);
});

test("invalid scores, bins and histograms are refused", () => {
  expect(() => histogramOf(new Float32Array(7), 2, 0)).toThrow("7 scores do not make rows of 2 clusters");
  expect(() => histogramOf(new Float32Array(6), 2, 2)).toThrow("the cluster must be a whole number from 0 to 1, not 2");
  expect(() => histogramOf(new Float32Array(6), 2, 0, 0)).toThrow("bins must be a whole number from 1, not 0");
  expect(() => histogramOf(Float32Array.of(0.5, Number.NaN), 1, 0)).toThrow("image 1: its score must be from 0 to 1");
  expect(() => scoreHistogramsFigure({ histograms: [] })).toThrow("there are no histograms to draw");
});
