import { expect, test } from "vitest";
import { expectStoredSvg } from "../../test/stored-pictures.ts";
import { boostedTargets } from "../clustering/targets.ts";
import { klLoss, klLossFigure } from "./kl-loss.ts";

test("the loss is the divergence of the boosted targets from the scores", () => {
  for (const alpha of [1.5, 2, 4])
    for (const score of [0.02, 0.3, 0.5, 0.81, 0.999]) {
      const scores = Float64Array.of(score, 1 - score);
      const targets = boostedTargets(scores, 2, { alpha, balance: "none" });
      const [first, second] = Array.from(targets, (r, j) => r * Math.log(r / scores[j]));
      const loss = klLoss(score, alpha);
      expect(loss.first).toBeCloseTo(first, 5);
      expect(loss.second).toBeCloseTo(second, 5);
      expect(loss.total).toBeCloseTo(first + second, 5);
    }
});

test("a random guess and a certain score have no loss", () => {
  for (const score of [0, 0.5, 1]) expect(klLoss(score, 2).total).toBeCloseTo(0, 12);
});

test("one α as in the paper, several side by side", () => {
  const paper = klLossFigure({ title: "What a sample adds to the loss" });
  expectStoredSvg("kl-loss", paper);
  expect(paper).toContain(">region 1<");
  const several = klLossFigure({ alphas: [1.5, 2, 4] });
  expectStoredSvg("kl-loss-several", several);
  expect(several).not.toContain("region");
});

test("α must be over 1", () => {
  expect(() => klLossFigure({ alphas: [1] })).toThrow("alpha must be a number over 1, not 1");
  expect(() => klLossFigure({ alphas: [] })).toThrow("at least one alpha");
});
