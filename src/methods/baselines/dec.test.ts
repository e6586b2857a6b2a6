import { expect, test } from "vitest";
import { relativeError } from "../../../test/evaluate.ts";
import { shapeDataset } from "../../../test/shapes.ts";
import { boostedTargets } from "../../clustering/targets.ts";
import type { HistoryEntry } from "../../runs/fitted.ts";
import { type DecOptions, fitDec } from "./dec.ts";

const k = 4;
const dataset = shapeDataset(160);
const quick: DecOptions = {
  k,
  units: [64, 32, 8],
  batch: 16,
  layerEpochs: 0,
  pretrainEpochs: 5,
  restarts: 3,
  threads: 1,
};

/** DEC's p_ij = (s_ij² / f_j) / Σ_j (s_ij² / f_j), f_j = Σ_i s_ij, in plain loops. */
function decTargets(scores: Float32Array): number[] {
  const f = new Array<number>(k).fill(0);
  scores.forEach((score, index) => {
    f[index % k] += score;
  });
  const shares = Array.from(scores, (score, index) => score ** 2 / f[index % k]);
  return shares.map((share, index) => {
    const row = Math.floor(index / k) * k;
    return share / shares.slice(row, row + k).reduce((a, b) => a + b, 0);
  });
}

const clustering = (history: readonly HistoryEntry[]): HistoryEntry[] =>
  history.filter(({ stage }) => stage === "clustering");

test("the targets are squares over cluster frequencies, and its loss the divergence from those of the whole set", async () => {
  const still = { kind: "sgd", learningRate: 1e-30, momentum: 0 } as const;
  const { scores, history } = await fitDec(dataset, { ...quick, epochs: 1, optimizer: still });
  const targets = decTargets(scores);
  expect(relativeError(boostedTargets(scores, k, { alpha: 2, balance: "scores" }), targets)).toBeLessThan(1e-6);
  // Ten batches, each image once: their mean is that of the set, if their targets are the set's.
  const divergence = targets.reduce((total, p, index) => total + p * Math.log(p / scores[index]), 0) / dataset.count;
  expect(clustering(history)).toHaveLength(1);
  expect(divergence).toBeGreaterThan(0.01);
  expect(clustering(history)[0].loss / divergence).toBeCloseTo(1, 4);
});

test("training sharpens the scores", async () => {
  const meanLargest = async (epochs: number): Promise<number> => {
    const { scores } = await fitDec(dataset, { ...quick, epochs, tolerance: 0 });
    let total = 0;
    for (let row = 0; row < scores.length; row += k) total += Math.max(...scores.subarray(row, row + k));
    return total / dataset.count;
  };
  expect(await meanLargest(10)).toBeGreaterThan(await meanLargest(0));
});

test("it stops when no more than the tolerance changes, and not before", async () => {
  const tolerance = 0.02;
  const options = { ...quick, epochs: 60, optimizer: { kind: "sgd", learningRate: 0.05 } as const };
  const { history, converged } = await fitDec(dataset, { ...options, tolerance });
  const epochs = clustering(history);
  expect(converged).toBe(true);
  expect(epochs.length).toBeLessThan(60);
  expect(epochs[0].changed).toBeUndefined();
  for (const { changed } of epochs.slice(1)) expect(changed).toBeGreaterThan(tolerance);
  // The epoch that a smaller tolerance goes on with is one that changed little.
  const longer = clustering((await fitDec(dataset, { ...options, epochs: epochs.length + 1, tolerance: 0 })).history);
  expect(longer.slice(0, epochs.length)).toEqual(epochs);
  if (longer.length > epochs.length) expect(longer[epochs.length].changed).toBeLessThanOrEqual(tolerance);
});

test("a run that ends at its last epoch has not converged", async () => {
  const { history, converged } = await fitDec(dataset, { ...quick, epochs: 1 });
  expect(converged).toBe(false);
  expect(clustering(history)).toHaveLength(1);
});
