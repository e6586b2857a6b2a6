import { expect, test } from "vitest";
import { evaluate, relativeError } from "../../test/evaluate.ts";
import { readOracle } from "../../test/oracles.ts";
import { gradients } from "../graph/gradients.ts";
import { sum } from "../graph/operators/broadcasting.ts";
import { logarithm, multiply } from "../graph/operators/elementwise.ts";
import { input } from "../graph/tensor.ts";
import { clusteringLoss, softScores } from "./soft-assignment.ts";
import { balances, boostedTargets } from "./targets.ts";

const { cases } = readOracle("dbc");

test.each(cases.map((oracle) => [`v = ${oracle.v}, α = ${oracle.alpha}`, oracle] as const))(
  "scores, targets, KL and its gradients agree with PyTorch: %s",
  async (_, { v, alpha, z, mu, scores, balances }) => {
    const clusters = mu.shape[0];
    const feeds = { z: Float32Array.from(z.data), mu: Float32Array.from(mu.data) };
    const [Z, M] = [input("z", z.shape), input("mu", mu.shape)];
    const ours = await evaluate({ scores: softScores(Z, M, v) }, feeds);
    expect(relativeError(ours.scores, scores.data)).toBeLessThan(1e-4);
    // PyTorch's numbers are of these three.
    for (const balance of ["none", "scores", "boosted"] as const) {
      const expected = balances[balance];
      const targets = boostedTargets(Float64Array.from(scores.data), clusters, { alpha, balance });
      expect(relativeError(targets, expected.targets.data), balance).toBeLessThan(1e-6);
      const total = multiply(clusteringLoss(Z, M, input("r", scores.shape), v).loss, z.shape[0]);
      const [dz, dmu] = gradients(total, [Z, M]);
      const results = await evaluate({ total, dz, dmu }, { ...feeds, r: targets });
      expect(results.total[0] / expected.klSum).toBeCloseTo(1, 4);
      expect(relativeError(results.dz, expected.dz.data), `dz, ${balance}`).toBeLessThan(1e-4);
      expect(relativeError(results.dmu, expected.dmu.data), `dmu, ${balance}`).toBeLessThan(1e-4);
    }
  },
);

test("the paper's closed-form gradients agree with automatic differentiation of the scores", async () => {
  const [{ z, mu, scores, balances }] = cases;
  const [Z, M, R] = [input("z", z.shape), input("mu", mu.shape), input("r", scores.shape)];
  const [dz, dmu] = gradients(clusteringLoss(Z, M, R).loss, [Z, M]);
  const crossEntropy = multiply(sum(multiply(R, logarithm(softScores(Z, M)))), -1 / z.shape[0]);
  const [dzParts, dmuParts] = gradients(crossEntropy, [Z, M]);
  const results = await evaluate(
    { dz, dmu, dzParts, dmuParts },
    { z: Float32Array.from(z.data), mu: Float32Array.from(mu.data), r: Float32Array.from(balances.none.targets.data) },
  );
  expect(relativeError(results.dz, results.dzParts)).toBeLessThan(1e-4);
  expect(relativeError(results.dmu, results.dmuParts)).toBeLessThan(1e-4);
});

test("Property 1: a sample with equal scores keeps them, however often it is boosted", () => {
  let scores: Float32Array = new Float32Array(5).fill(0.2);
  for (let t = 0; t < 20; t++) scores = boostedTargets(scores, 5, { balance: "none" });
  for (const score of scores) expect(score).toBeCloseTo(0.2, 6);
});

test("Property 2: boosting takes the largest score to 1 and the others to 0", () => {
  let scores: Float32Array = Float32Array.of(0.24, 0.26, 0.25, 0.25);
  for (let t = 0; t < 20; t++) scores = boostedTargets(scores, 4, { alpha: 1.5, balance: "none" });
  expect(scores[1]).toBeCloseTo(1, 6);
  for (const j of [0, 2, 3]) expect(scores[j]).toBeCloseTo(0, 6);
});

test("by the paper's text, n_j is the sum of the targets that there would be without a balance", () => {
  const [scores, clusters] = [Float32Array.of(0.5, 0.3, 0.2, 0.1, 0.6, 0.3), 3];
  const plain = boostedTargets(scores, clusters, { balance: "none" });
  const n = [0, 1, 2].map((j) => plain[j] + plain[clusters + j]);
  const targets = boostedTargets(scores, clusters, { balance: "targets" });
  [0, 1].forEach((i) => {
    const shares = n.map((sum, j) => scores[i * clusters + j] ** 2 / sum);
    const total = shares.reduce((a, b) => a + b);
    for (const [j, share] of shares.entries()) expect(targets[i * clusters + j]).toBeCloseTo(share / total, 6);
  });
});

test("extreme scores and factors give targets, not NaN", async () => {
  const scores = Float32Array.of(0.02, 0.98, 0, 0.03, 0.97, 0, 1e-30, 1, 0);
  for (const balance of balances) {
    const targets = boostedTargets(scores, 3, { alpha: 200, balance });
    for (let i = 0; i < 3; i++) expect(targets[3 * i] + targets[3 * i + 1] + targets[3 * i + 2]).toBeCloseTo(1, 6);
  }
  const far = await evaluate(
    { s: softScores(input("z", [1, 2]), input("mu", [2, 2]), 100) },
    { z: Float32Array.of(300, 0), mu: Float32Array.of(0, 0, 0, 10) },
  );
  expect(far.s[0] + far.s[1]).toBeCloseTo(1, 6);
  expect(far.s[0]).toBeGreaterThan(far.s[1]);
});

test("an invalid boosting factor or shape is refused", () => {
  expect(() => boostedTargets(new Float32Array(4), 2, { alpha: 1 })).toThrow("alpha must be a number over 1, not 1");
  expect(() => boostedTargets(new Float32Array(5), 2)).toThrow("5 scores do not make rows of 2 clusters");
});
