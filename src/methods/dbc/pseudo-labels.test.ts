import { expect, test } from "vitest";
import { pseudoLabelTargets, warmUpSchedule, weightedTargets } from "./pseudo-labels.ts";

/** The epochs, from 1, of which it holds. */
const epochsWhere = (epochs: number, holds: (epoch: number) => boolean): number[] =>
  Array.from({ length: epochs }, (_, place) => place + 1).filter(holds);

test.each([
  [8, 6],
  [20, 8],
  [27, 1],
  [5, 0],
])("of %i epochs, %i reclusterings are as many, evenly apart", (epochs, reclusterings) => {
  const { reclusterBefore } = warmUpSchedule({ epochs, reclusterings, warmUpEpochs: 1 });
  const begins = [1, ...epochsWhere(epochs, reclusterBefore), epochs + 1];
  const rounds = begins.slice(1).map((next, place) => next - begins[place]);
  expect(rounds).toHaveLength(reclusterings + 1);
  expect(Math.max(...rounds) - Math.min(...rounds)).toBeLessThanOrEqual(1);
});

test("pseudo-labels are learned alone first, and the network's own clusters after them", () => {
  const { isWarmUp } = warmUpSchedule({ epochs: 10, reclusterings: 1, warmUpEpochs: 3 });
  expect(epochsWhere(10, isWarmUp)).toEqual([1, 2, 3, 6, 7, 8]);
});

test("it does not stop before an epoch of the network's own clusters has changed nothing", () => {
  const { mayStop } = warmUpSchedule({ epochs: 10, reclusterings: 1, warmUpEpochs: 3 });
  expect(epochsWhere(10, mayStop)).toEqual([10]);
  const unchanged = warmUpSchedule({ epochs: 5, reclusterings: 0, warmUpEpochs: 2 });
  expect(epochsWhere(5, unchanged.mayStop)).toEqual([4, 5]);
});

test("pseudo-labels alone are the target while warming up, and lean the scores afterwards", () => {
  const scores = Float32Array.from([0.6, 0.4, 0.6, 0.4, 0.999, 0.001]);
  const labels = Int32Array.from([1, -1, 1]);
  const options = { k: 2, alpha: 2, balance: "none", weight: 1 } as const;
  const alone = pseudoLabelTargets(labels, scores, options);
  expect(alone[0]).toBeCloseTo(0.05, 5);
  expect(alone[1]).toBeCloseTo(0.95, 5);
  expect(alone[2]).toBeCloseTo(0.6, 5);
  const own = 0.36 / (0.36 + 0.16);
  const leaning = weightedTargets(labels, scores, options);
  expect(leaning[1]).toBeCloseTo((0.16 * 0.95) / (0.16 * 0.95 + 0.36 * 0.05), 5);
  expect(leaning[2]).toBeCloseTo(own, 5);
  // A network that is sure overrules them.
  expect(leaning[4]).toBeGreaterThan(0.99);
  expect(weightedTargets(labels, scores, { ...options, weight: 0 })[0]).toBeCloseTo(own, 5);
});
