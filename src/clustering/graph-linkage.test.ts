import { describe, expect, it } from "vitest";
import { matrix } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { linkGraph } from "./graph-linkage.ts";
import { type NeighbourGraph, neighbourGraph } from "./neighbour-graph.ts";
import { nearestNeighbours } from "./neighbours.ts";
import { clusterCounts, cutTree, type TreeCutOptions } from "./tree-cut.ts";

const graphOf = async (values: Float32Array, neighbours: number): Promise<NeighbourGraph> =>
  neighbourGraph(await nearestNeighbours(matrix(values, 2), { neighbours, threads: 1 }));

/** Points on concentric circles, which neither a straight line nor k-means can separate. */
function rings(radii: readonly number[], each: number): Float32Array {
  const random = new Random(5, "rings");
  return Float32Array.from(
    radii.flatMap((radius) =>
      Array.from({ length: each }, (_, place) => {
        const angle = (2 * Math.PI * place) / each;
        const r = radius + 0.05 * random.uniform();
        return [r * Math.cos(angle), r * Math.sin(angle)];
      }).flat(),
    ),
  );
}

/** 1ᵀ W_ab W_ba 1 / |a|² + 1ᵀ W_ba W_ab 1 / |b|², computed directly. */
function affinity(graph: NeighbourGraph, a: readonly number[], b: readonly number[]): number {
  const weight = (from: number, to: number): number => {
    for (let edge = graph.starts[from]; edge < graph.starts[from + 1]; edge++)
      if (graph.others[edge] === to) return graph.weights[edge];
    return 0;
  };
  const ways = (from: readonly number[], over: readonly number[]): number =>
    over.reduce((total, j) => {
      const into = from.reduce((sum, i) => sum + weight(i, j), 0);
      const back = from.reduce((sum, i) => sum + weight(j, i), 0);
      return total + into * back;
    }, 0);
  return ways(a, b) / a.length ** 2 + ways(b, a) / b.length ** 2;
}

describe("graph degree linkage", () => {
  it("separates concentric rings", async () => {
    const values = rings([1, 2, 3], 60);
    const labels = cutTree(linkGraph(await graphOf(values, 4)), { k: 3, smallest: 15 })?.labels;
    const sets = [0, 1, 2].map((ring) => new Set(labels?.subarray(ring * 60, (ring + 1) * 60)));
    expect(sets.map((set) => set.size)).toEqual([1, 1, 1]);
    expect(new Set(sets.flatMap((set) => [...set])).size).toBe(3);
  });

  it("always joins the two groups with the largest affinity, by its definition", async () => {
    const random = new Random(1, "points");
    const graph = await graphOf(
      Float32Array.from({ length: 2 * 40 }, () => random.uniform()),
      5,
    );
    const { groups, groupCount, joins } = linkGraph(graph);
    const members = Array.from({ length: groupCount }, (_, group) =>
      [...groups.keys()].filter((sample) => groups[sample] === group),
    );
    for (const { into, from, affinity: reported } of joins) {
      const pairs = members.flatMap((a, i) => members.slice(0, i).map((b) => [a, b] as const));
      const largest = Math.max(...pairs.map(([a, b]) => (a.length > 0 && b.length > 0 ? affinity(graph, a, b) : 0)));
      expect(reported).toBeCloseTo(largest, 5);
      expect(reported).toBeCloseTo(affinity(graph, members[into], members[from]), 5);
      members[into].push(...members[from]);
      members[from] = [];
    }
  });
});

it("joins groups by links that only one of them counts among its nearest", async () => {
  // The points of either dense group are one another's neighbours; the pair between them has two of them among its own.
  const dense = (at: number): number[] => [0, 0.1, 0.2, 0.3, 0.4].flatMap((x) => [at + x, 0]);
  const graph = await graphOf(Float32Array.from([...dense(0), ...dense(10), 4.5, 0, 4.6, 0]), 3);
  const { joins, groups } = linkGraph(graph);
  const join = joins.find(({ from, into }) => [from, into].includes(groups[10]));
  expect([join?.into, join?.from].sort()).toEqual([groups[0], groups[10]]);
  expect(join?.affinity).toBeGreaterThan(0);
});

describe("cutting the tree", () => {
  it("does not take outliers for clusters", async () => {
    const far = Float32Array.from([100, 100, 100.1, 100, -100, 50, -100, 50.1]);
    const values = Float32Array.from([...rings([1, 2], 50), ...far]);
    const labels = cutTree(linkGraph(await graphOf(values, 4)), { k: 2, smallest: 10 })?.labels;
    expect([...new Set(labels?.subarray(0, 50)), ...new Set(labels?.subarray(50, 100))]).toEqual([0, 1]);
  });

  it("gives nothing where there never are k clusters", async () => {
    const tree = linkGraph(await graphOf(rings([1], 30), 4));
    expect(cutTree(tree, { k: 20, smallest: 10 })).toBeUndefined();
  });

  it("counts the groups that are large enough after each join", () => {
    const tree = {
      groups: Int32Array.from([0, 0, 1, 1, 2]),
      groupCount: 3,
      joins: [
        { into: 0, from: 2, affinity: 1, runnerUp: 1, runnerUpAffinity: 0.4 },
        { into: 1, from: 0, affinity: 0.5, runnerUp: -1, runnerUpAffinity: 0 },
      ],
    };
    expect([...clusterCounts(tree, 2)]).toEqual([2, 2, 1]);
    const labels = (options: TreeCutOptions): number[] => [...(cutTree(tree, options)?.labels ?? [])];
    expect(labels({ k: 2, smallest: 2 })).toEqual([0, 0, 1, 1, 0]);
    // The last sample might as well have joined the other cluster; with only one cluster nothing is ambiguous.
    expect(labels({ k: 2, smallest: 2, ambiguity: 0.3 })).toEqual([0, 0, 1, 1, -1]);
    expect([...(cutTree(tree, { k: 2, smallest: 2, ambiguity: 0.3 })?.ambiguous ?? [])]).toEqual([-1, -1, -1, -1, 2]);
    expect(labels({ k: 1, smallest: 2, ambiguity: 0.3 })).toEqual([0, 0, 0, 0, 0]);
  });

  it.each([
    ["a group that had no rival is not ambiguous, however weak its link", 1e-6, [0, 0, 1, 1, 0]],
    ["nothing speaks for the cluster of a group that was linked to none", 0, [0, 0, 1, 1, -1]],
  ])("%s", (_, affinity, labels) => {
    const tree = {
      groups: Int32Array.from([0, 0, 1, 1, 2]),
      groupCount: 3,
      joins: [{ into: 0, from: 2, affinity, runnerUp: -1, runnerUpAffinity: 0 }],
    };
    expect([...(cutTree(tree, { k: 2, smallest: 2, ambiguity: 0.3 })?.labels ?? [])]).toEqual(labels);
  });
});
