import { expect, test } from "vitest";
import { matrix } from "../numeric/matrix.ts";
import { graphGroups } from "./graph-groups.ts";
import { neighbourGraph } from "./neighbour-graph.ts";
import { nearestNeighbours } from "./neighbours.ts";
import { chooseQuestions } from "./questions.ts";

/** Samples on a line, in doubt around 100 and around 200; the doubt at 100 is that of more samples. */
const count = 301;
const doubts = Float32Array.from({ length: count }, (_, sample) =>
  Math.max(0, 1 - Math.abs(sample - 100) / 40, 1 - Math.abs(sample - 200) / 20),
);
const graph = neighbourGraph(
  await nearestNeighbours(
    matrix(
      Float32Array.from({ length: count }, (_, sample) => sample),
      1,
    ),
    { neighbours: 6 },
  ),
);
const asked = (wanted: number, known: readonly number[] = []): number[] =>
  chooseQuestions(graph, { count: wanted, doubts, isKnown: (sample) => known.includes(sample) }).map(
    ({ sample }) => sample,
  );

test("the first question is about the largest region in doubt, and soon each has been asked about", () => {
  const samples = asked(4);
  expect(Math.abs(samples[0] - 100)).toBeLessThan(30);
  expect(samples.some((sample) => Math.abs(sample - 200) < 30)).toBe(true);
});

test("questions are not alike among themselves, and none is about what is known", () => {
  const known = asked(2);
  const samples = asked(8, known);
  expect(new Set(samples).size).toBe(8);
  for (const sample of samples) expect(known).not.toContain(sample);
  for (const a of samples) for (const b of samples) if (a !== b) expect(Math.abs(a - b)).toBeGreaterThan(3);
});

test("an answer takes away the worth of what it speaks for", () => {
  const [first] = asked(1);
  const [next] = asked(1, [first]);
  expect(Math.abs(next - first)).toBeGreaterThan(10);
});

test("where nothing is in doubt, nothing is asked; and never more than there is", () => {
  expect(chooseQuestions(graph, { count: 5, doubts: new Float32Array(count), isKnown: () => false })).toEqual([]);
  expect(asked(1000).length).toBeLessThanOrEqual(count);
});

test("groups of a coarse graph are linked samples of like number, and keep all links", () => {
  const { count: groups, groups: of, sizes, links } = graphGroups(graph, 30);
  expect(groups).toBeLessThanOrEqual(60);
  expect(sizes.reduce((total, size) => total + size)).toBe(count);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(21);
  const total = links.reduce((sum, own) => sum + [...own.values()].reduce((all, link) => all + link, 0), 0);
  const all = graph.weights.reduce((sum, weight) => sum + weight, 0);
  expect(total).toBeCloseTo(all, 3);
  for (let sample = 1; sample < count; sample++)
    if (of[sample] === of[0]) expect(sample).toBeLessThan(Math.max(...sizes) * 2);
});
