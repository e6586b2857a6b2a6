/** What people say of two samples, in the neighbour graph: those that belong together are linked, others are not. */
import type { NeighbourGraph } from "./neighbour-graph.ts";
import type { SampleConstraints } from "./sample-constraints.ts";

/** As strong as a link can be: that of two samples which are the same. */
const strongest = 1;

interface Edge {
  outward: number;
  inward: number;
}

export function linkPairs(
  graph: NeighbourGraph,
  { together, apart }: Pick<SampleConstraints, "together" | "apart">,
): NeighbourGraph {
  if (together.length + apart.length === 0) return graph;
  const changed = new Map<number, Map<number, Edge>>();
  const edgesOf = (sample: number): Map<number, Edge> => {
    const edges = changed.get(sample) ?? edgesAt(graph, sample);
    changed.set(sample, edges);
    return edges;
  };
  for (const [a, b] of together) {
    edgesOf(a).set(b, { outward: strongest, inward: strongest });
    edgesOf(b).set(a, { outward: strongest, inward: strongest });
  }
  for (const [a, b] of apart) {
    edgesOf(a).delete(b);
    edgesOf(b).delete(a);
  }
  return withEdges(graph, changed);
}

function edgesAt({ starts, others, outward, inward }: NeighbourGraph, sample: number): Map<number, Edge> {
  const edges = new Map<number, Edge>();
  for (let edge = starts[sample]; edge < starts[sample + 1]; edge++)
    edges.set(others[edge], { outward: outward[edge], inward: inward[edge] });
  return edges;
}

/** The graph, with other edges at some of its nodes. */
function withEdges(graph: NeighbourGraph, changed: ReadonlyMap<number, ReadonlyMap<number, Edge>>): NeighbourGraph {
  const { count } = graph;
  const starts = new Uint32Array(count + 1);
  for (let node = 0; node < count; node++)
    starts[node + 1] = starts[node] + (changed.get(node)?.size ?? graph.starts[node + 1] - graph.starts[node]);
  const others = new Uint32Array(starts[count]);
  const outward = new Float32Array(starts[count]);
  const inward = new Float32Array(starts[count]);
  for (let node = 0; node < count; node++) {
    const edges = changed.get(node);
    const [from, to] = [graph.starts[node], graph.starts[node + 1]];
    if (edges === undefined) {
      others.set(graph.others.subarray(from, to), starts[node]);
      outward.set(graph.outward.subarray(from, to), starts[node]);
      inward.set(graph.inward.subarray(from, to), starts[node]);
    } else {
      let place = starts[node];
      for (const [other, edge] of edges) {
        others[place] = other;
        outward[place] = edge.outward;
        inward[place] = edge.inward;
        place++;
      }
    }
  }
  return { count, nearest: graph.nearest, starts, others, outward, inward };
}
