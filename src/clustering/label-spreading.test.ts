import { expect, test } from "vitest";
import { matrix } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { spreadKnown } from "./label-spreading.ts";
import { neighbourGraph } from "./neighbour-graph.ts";
import { nearestNeighbours } from "./neighbours.ts";

const [groups, perGroup, k] = [3, 40, 3];
const count = groups * perGroup;
const groupOf = (sample: number): number => Math.floor(sample / perGroup);

/** Groups far apart; the model confuses the last two, and is not sure of it. */
async function subject() {
  const random = new Random(5, "samples");
  const values = Float32Array.from(
    { length: count * 2 },
    (_, index) => random.uniform() + (index % 2 === 0 ? 10 * groupOf(Math.floor(index / 2)) : 0),
  );
  const graph = neighbourGraph(await nearestNeighbours(matrix(values, 2), { neighbours: 8 }));
  const model = [0, 2, 1];
  const scores = new Float32Array(count * k).fill(0.2);
  for (let sample = 0; sample < count; sample++) scores[sample * k + model[groupOf(sample)]] = 0.6;
  return { graph, scores };
}

const labelsOf = (scores: Float32Array): number[] =>
  Array.from({ length: count }, (_, sample) => {
    const row = [...scores.subarray(sample * k, (sample + 1) * k)];
    return row.indexOf(Math.max(...row));
  });

const answers = (...given: readonly (readonly [number, number])[]): Int32Array => {
  const known = new Int32Array(count).fill(-1);
  for (const [sample, cluster] of given) known[sample] = cluster;
  return known;
};

const right = (labels: readonly number[], group: number): number =>
  labels.filter((label, sample) => groupOf(sample) === group && label === group).length;

test("a few answers speak for all samples that are linked to them, and for no others", async () => {
  const { graph, scores } = await subject();
  const known = answers(...[42, 50, 58, 66, 74].map((sample) => [sample, 1] as const));
  const labels = labelsOf(spreadKnown(graph, scores, known, { k }));
  expect(right(labels, 1)).toBe(perGroup);
  expect(right(labels, 0)).toBe(perGroup);
  expect(right(labels, 2)).toBe(0);
});

test("an answer that says what the scores say already changes no label", async () => {
  const { graph, scores } = await subject();
  expect(labelsOf(spreadKnown(graph, scores, answers([3, 0], [20, 0]), { k }))).toEqual(labelsOf(scores));
});

test("a wrong answer among right ones changes its own neighbourhood at the most", async () => {
  const { graph, scores } = await subject();
  const right0 = [2, 7, 12, 17, 22, 27, 32, 37].map((sample) => [sample, 0] as const);
  const labels = labelsOf(spreadKnown(graph, scores, answers(...right0, [20, 2]), { k }));
  expect(right(labels, 0)).toBeGreaterThan(0.8 * perGroup);
});
