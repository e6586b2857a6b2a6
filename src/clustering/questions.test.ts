import { expect, test } from "vitest";
import { matrix } from "../numeric/matrix.ts";
import { neighbourGraph } from "./neighbour-graph.ts";
import { nearestNeighbours } from "./neighbours.ts";
import { chooseQuestions, type Doubt } from "./questions.ts";

/** Samples on a line: clusters 0, 1 and 2, which touch at 100 and at 200; at 300, a sample by itself. */
const count = 301;
const place = (sample: number): number => (sample === count - 1 ? 900 : sample);
const doubts: readonly Doubt[] = Array.from({ length: count }, (_, sample) => {
  const cluster = Math.min(2, Math.floor(sample / 100));
  const [toFirst, toSecond] = [Math.abs(sample - 100), Math.abs(sample - 200)];
  const second = toFirst < toSecond ? (cluster === 0 ? 1 : 0) : cluster === 1 ? 2 : 1;
  return { cluster, second: cluster === second ? 1 : second, margin: Math.min(1, Math.min(toFirst, toSecond) / 50) };
});
const graph = neighbourGraph(
  await nearestNeighbours(
    matrix(
      Float32Array.from({ length: count }, (_, sample) => place(sample)),
      1,
    ),
    { neighbours: 6 },
  ),
);
const asked = (wanted: number, known: readonly number[] = []): number[] =>
  chooseQuestions(graph, doubts, { count: wanted, isKnown: (sample) => known.includes(sample) }).map(
    ({ sample }) => sample,
  );

test("questions are about samples between clusters that touch, of each border in turn", () => {
  const samples = asked(4);
  for (const sample of samples) expect(doubts[sample].margin).toBeLessThan(0.4);
  expect(samples.filter((sample) => sample < 150)).toHaveLength(2);
});

test("no two questions are about samples that are linked, and none about what is known", () => {
  const known = asked(2);
  const samples = asked(8, known);
  expect(samples.some((sample) => known.includes(sample))).toBe(false);
  for (const a of samples)
    for (const b of samples)
      if (a !== b) expect([...graph.others.subarray(graph.starts[a], graph.starts[a + 1])]).not.toContain(b);
});

test("where nothing is in doubt, nothing is asked", () => {
  const sure = doubts.map((doubt) => ({ ...doubt, margin: 1 }));
  expect(chooseQuestions(graph, sure, { count: 5, isKnown: () => false })).toEqual([]);
});
