import { expect, test } from "vitest";
import { assignAmbiguousGroups } from "./ambiguous-groups.ts";
import type { NeighbourGraph } from "./neighbour-graph.ts";

function graphOf(count: number, edges: readonly (readonly [number, number, number])[]): NeighbourGraph {
  const lists = Array.from({ length: count }, (): [number, number][] => []);
  for (const [a, b, weight] of edges) {
    lists[a].push([b, weight]);
    lists[b].push([a, weight]);
  }
  const starts = Uint32Array.from({ length: count + 1 }, (_, sample) =>
    lists.slice(0, sample).reduce((total, { length }) => total + length, 0),
  );
  const weights = Float32Array.from(lists.flat(), ([, weight]) => weight);
  const nearest = Uint32Array.from(lists, (list) => list[0]?.[0] ?? 0);
  return {
    count,
    starts,
    others: Uint32Array.from(lists.flat(), ([b]) => b),
    weights,
    nearest,
  };
}

/** Samples 0 to 3 are cluster 0, 4 and 5 cluster 1, 6 to 8 are an ambiguous group. */
const cut = {
  labels: Int32Array.from([0, 0, 0, 0, 1, 1, -1, -1, -1]),
  ambiguous: Int32Array.from([-1, -1, -1, -1, -1, -1, 7, 7, 7]),
};
const options = { k: 2, smallestSized: 3, sizeWeight: 0.5 };
const within = (weight: number) => [[6, 7, weight] as const, [7, 8, weight] as const];
const ways = [[6, 0, 0.2] as const, [8, 5, 0.1] as const];
const assigned = (graph: NeighbourGraph, given = options): number[] => [
  ...assignAmbiguousGroups(graph, cut, given).slice(6),
];

test("a small ambiguous group goes to the cluster with the strongest links to it", () => {
  expect(assigned(graphOf(9, [...within(2), ...ways]), { ...options, smallestSized: 4 })).toEqual([0, 0, 0]);
});

test("a larger one that is linked to two clusters goes to the one it completes", () => {
  expect(assigned(graphOf(9, [...within(2), ...ways]))).toEqual([1, 1, 1]);
});

test("without a weight for sizes, links decide", () => {
  expect(assigned(graphOf(9, [...within(2), ...ways]), { ...options, sizeWeight: 0 })).toEqual([0, 0, 0]);
});

test("a larger one goes to a complete cluster that is linked to it far more strongly", () => {
  expect(assigned(graphOf(9, [...within(5), [6, 0, 0.8], [8, 5, 0.1]]))).toEqual([0, 0, 0]);
});

test("sizes hardly count where clusters differ in size anyway", () => {
  const third = { labels: new Array<number>(30).fill(2), ambiguous: new Array<number>(30).fill(-1) };
  const unequal = {
    labels: Int32Array.from([...cut.labels, ...third.labels]),
    ambiguous: Int32Array.from([...cut.ambiguous, ...third.ambiguous]),
  };
  const result = assignAmbiguousGroups(graphOf(39, [...within(2), ...ways]), unequal, { ...options, k: 3 });
  expect([...result.slice(6, 9)]).toEqual([0, 0, 0]);
});

test("the sizes of clusters include all other ambiguous groups", () => {
  // Cluster 1 has two samples and gets an ambiguous group of three, which is too small for sizes to count.
  const labels = [0, 0, 0, 0, 1, 1, -1, -1, -1, -1, -1, -1, -1];
  const ambiguous = [-1, -1, -1, -1, -1, -1, 6, 6, 6, 6, 10, 10, 10];
  const larger = [
    [6, 7, 2] as const,
    [7, 8, 2] as const,
    [8, 9, 2] as const,
    [6, 0, 0.1] as const,
    [9, 5, 0.1] as const,
  ];
  const group = [[10, 11, 0.1] as const, [11, 12, 0.1] as const, [10, 4, 0.5] as const];
  const both = { labels: Int32Array.from(labels), ambiguous: Int32Array.from(ambiguous) };
  const result = assignAmbiguousGroups(graphOf(13, [...larger, ...group]), both, { ...options, smallestSized: 4 });
  expect([...result.slice(6)]).toEqual([0, 0, 0, 0, 1, 1, 1]);
});

test("a group that is linked to no cluster keeps the label −1, and labelled samples keep theirs", () => {
  expect([...assignAmbiguousGroups(graphOf(9, within(1)), cut, options)]).toEqual([...cut.labels]);
});
