/** What people say of two samples, in the neighbour graph: those that belong together are linked, others are not. */
import type { NeighbourGraph } from "./neighbour-graph.ts";
import type { SampleConstraints } from "./sample-constraints.ts";

/** As strong as a link can be: that of two samples which are the same. */
const strongest = 1;

export function linkPairs(
  graph: NeighbourGraph,
  { together, apart }: Pick<SampleConstraints, "together" | "apart">,
): NeighbourGraph {
  if (together.length + apart.length === 0) return graph;
  const changed = new Map<number, Map<number, number>>();
  const edgesOf = (sample: number): Map<number, number> => {
    const edges = changed.get(sample) ?? edgesAt(graph, sample);
    changed.set(sample, edges);
    return edges;
  };
  for (const [a, b] of together) {
    edgesOf(a).set(b, strongest);
    edgesOf(b).set(a, strongest);
  }
  for (const [a, b] of apart) {
    edgesOf(a).delete(b);
    edgesOf(b).delete(a);
  }
  return withEdges(graph, changed);
}

/** The weight of each edge at a sample, by its other end. */
function edgesAt({ starts, others, weights }: NeighbourGraph, sample: number): Map<number, number> {
  const edges = new Map<number, number>();
  for (let edge = starts[sample]; edge < starts[sample + 1]; edge++) edges.set(others[edge], weights[edge]);
  return edges;
}

/** The graph, with other edges at some of its nodes. */
function withEdges(graph: NeighbourGraph, changed: ReadonlyMap<number, ReadonlyMap<number, number>>): NeighbourGraph {
  const { count } = graph;
  const starts = new Uint32Array(count + 1);
  for (let node = 0; node < count; node++)
    starts[node + 1] = starts[node] + (changed.get(node)?.size ?? graph.starts[node + 1] - graph.starts[node]);
  const others = new Uint32Array(starts[count]);
  const weights = new Float32Array(starts[count]);
  for (let node = 0; node < count; node++) {
    const edges = changed.get(node);
    const [from, to] = [graph.starts[node], graph.starts[node + 1]];
    if (edges === undefined) {
      others.set(graph.others.subarray(from, to), starts[node]);
      weights.set(graph.weights.subarray(from, to), starts[node]);
    } else {
      let place = starts[node];
      for (const [other, weight] of edges) {
        others[place] = other;
        weights[place] = weight;
        place++;
      }
    }
  }
  return { count, nearest: graph.nearest, starts, others, weights };
}
