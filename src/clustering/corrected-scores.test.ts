import { expect, test } from "vitest";
import { matrix } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { claimOf, correctedScores } from "./corrected-scores.ts";
import { spreadLabels } from "./label-spreading.ts";
import { neighbourGraph } from "./neighbour-graph.ts";
import { nearestNeighbours } from "./neighbours.ts";

const [groups, perGroup, k] = [3, 40, 3];
const count = groups * perGroup;
const groupOf = (sample: number): number => Math.floor(sample / perGroup);

/** Groups far apart; the model takes the last two for one another, as surely as it is right about the first. */
async function subject(model: readonly number[] = [0, 2, 1]) {
  const random = new Random(5, "samples");
  const values = Float32Array.from(
    { length: count * 2 },
    (_, index) => random.uniform() + (index % 2 === 0 ? 10 * groupOf(Math.floor(index / 2)) : 0),
  );
  const graph = neighbourGraph(await nearestNeighbours(matrix(values, 2), { neighbours: 8 }));
  const scores = new Float32Array(count * k).fill(0.05);
  for (let sample = 0; sample < count; sample++) scores[sample * k + model[groupOf(sample)]] = 0.9;
  return { graph, scores };
}

const labelsOf = (scores: Float32Array): number[] =>
  Array.from({ length: count }, (_, sample) => claimOf(scores, sample, k).best);

const answers = (...given: readonly (readonly [number, number])[]): Int32Array => {
  const known = new Int32Array(count).fill(-1);
  for (const [sample, cluster] of given) known[sample] = cluster;
  return known;
};

const right = (labels: readonly number[], group: number): number =>
  labels.filter((label, sample) => groupOf(sample) === group && label === group).length;

test("a label reaches samples that are linked to it, the nearer the more, and no others", async () => {
  const { graph } = await subject();
  const spread = spreadLabels(graph, answers([50, 1]), { k });
  for (let sample = 0; sample < count; sample++) {
    expect(spread[sample * k]).toBe(0);
    expect(spread[sample * k + 1] > 0).toBe(groupOf(sample) === 1);
    if (sample !== 50) expect(spread[sample * k + 1]).toBeLessThan(spread[50 * k + 1]);
  }
});

test("a few answers speak for all samples that are linked to them, and for no others", async () => {
  const { graph, scores } = await subject();
  const known = answers(...[42, 50, 58, 66, 74].map((sample) => [sample, 1] as const));
  const labels = labelsOf(correctedScores(graph, scores, known, { k }));
  expect(right(labels, 1)).toBe(perGroup);
  expect(right(labels, 0)).toBe(perGroup);
});

test("where nobody has said anything, and where answers agree, the model's labels stay", async () => {
  const { graph, scores } = await subject();
  expect(labelsOf(correctedScores(graph, scores, answers(), { k }))).toEqual(labelsOf(scores));
  expect(labelsOf(correctedScores(graph, scores, answers([3, 0], [20, 0]), { k }))).toEqual(labelsOf(scores));
});

test("a single wrong answer among right ones does not turn a cluster that the model is sure of", async () => {
  const { graph, scores } = await subject([0, 1, 2]);
  const agreeing = [2, 30, 45, 60, 75, 85, 100].map((sample) => [sample, groupOf(sample)] as const);
  const labels = labelsOf(correctedScores(graph, scores, answers(...agreeing, [20, 2]), { k }));
  expect(right(labels, 0)).toBeGreaterThanOrEqual(0.9 * perGroup);
});

test("scores that were corrected add up to 1, whatever was answered", async () => {
  const { graph, scores } = await subject();
  const corrected = correctedScores(graph, scores, answers([1, 2], [50, 0], [90, 1]), { k });
  for (let sample = 0; sample < count; sample++) {
    const sum = corrected.subarray(sample * k, (sample + 1) * k).reduce((total, score) => total + score);
    expect(sum).toBeCloseTo(1, 5);
  }
});
