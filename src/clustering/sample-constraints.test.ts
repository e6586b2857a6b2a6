import { expect, test } from "vitest";
import { matrix } from "../numeric/matrix.ts";
import { graphClusters } from "./graph-clusters.ts";
import { linkGraph } from "./graph-linkage.ts";
import { neighbourGraph } from "./neighbour-graph.ts";
import { nearestNeighbours } from "./neighbours.ts";
import { linkPairs } from "./pair-links.ts";
import { constraintsAmong, inPairs, type SampleConstraints } from "./sample-constraints.ts";

/** Two rows of points, of which nothing but what people say tells the halves apart. */
const perRow = 60;
const count = 2 * perRow;
const points = matrix(
  Float32Array.from({ length: 2 * count }, (_, at) => {
    const sample = Math.floor(at / 2);
    return at % 2 === 0 ? sample % perRow : 40 * Math.floor(sample / perRow);
  }),
  2,
);
const graph = neighbourGraph(await nearestNeighbours(points, { neighbours: 5, threads: 1 }));
const nothing: SampleConstraints = { known: new Int32Array(count).fill(-1), together: [], apart: [] };

/** The groups that are left once nothing joins any more. */
function groupsLeft(constraints: SampleConstraints): Int32Array {
  const { groups, joins } = linkGraph(linkPairs(graph, inPairs(constraints)), constraints);
  const into = new Map(joins.map(({ from, into: to }) => [from, to] as const));
  return groups.map((group) => {
    let last = group;
    for (let next = into.get(last); next !== undefined; next = into.get(last)) last = next;
    return last;
  });
}

test("without a word about them, all samples of a row join", () => {
  const groups = groupsLeft(nothing);
  expect(new Set(groups.subarray(0, perRow)).size).toBe(1);
  expect(new Set(groups).size).toBe(2);
});

test("samples that must stay apart are never in one group, however strongly they are linked", () => {
  const groups = groupsLeft({ ...nothing, apart: [[20, 21]] });
  expect(groups[20]).not.toBe(groups[21]);
  const known = Int32Array.from({ length: count }, (_, sample) => (sample === 5 ? 0 : sample === 50 ? 1 : -1));
  const labelled = groupsLeft({ ...nothing, known });
  expect(labelled[5]).not.toBe(labelled[50]);
});

test("samples that belong together join, although nothing else links them", () => {
  const groups = groupsLeft({ ...nothing, together: [[10, perRow + 10]] });
  expect(groups[10]).toBe(groups[perRow + 10]);
});

test("clusters of the neighbour graph go with what was said", async () => {
  const known = new Int32Array(count).fill(-1);
  for (const sample of [3, 10, 17, 24]) known[sample] = 7;
  for (const sample of [36, 43, 50, 57]) known[sample] = 8;
  const { labels } = await graphClusters(points, { k: 3, threads: 1, constraints: { ...nothing, known } });
  expect(new Set([3, 10, 17, 24].map((sample) => labels[sample])).size).toBe(1);
  expect(new Set([36, 43, 50, 57].map((sample) => labels[sample])).size).toBe(1);
  expect(new Set([labels[3], labels[36], labels[perRow + 30]]).size).toBe(3);
});

test("of chosen samples, pairs hold by their new numbers", () => {
  const constraints: SampleConstraints = { ...nothing, together: [[4, 9]], apart: [[4, 8]] };
  const among = constraintsAmong(constraints, Uint32Array.of(9, 4));
  expect(among).toEqual({ known: Int32Array.of(-1, -1), together: [[1, 0]], apart: [] });
});
