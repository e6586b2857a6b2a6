/**
 * The mean of several neighbour graphs of the same samples, each made from what another encoder sees: a link that all of
 * them have counts fully, one that a single encoder has by mistake counts for little.
 */
import type { NeighbourGraph } from "./neighbour-graph.ts";

/** Of one graph, the graph itself. */
export function meanGraph(graphs: readonly NeighbourGraph[]): NeighbourGraph {
  if (graphs.length === 1) return graphs[0];
  const { count } = graphs[0];
  const starts = startsOf(graphs, count);
  const others = new Uint32Array(starts[count]);
  const weights = new Float32Array(starts[count]);
  const nearest = new Uint32Array(count);
  const places = new Uint32Array(count);
  for (let node = 0; node < count; node++) {
    let end = starts[node];
    for (const graph of graphs)
      for (let edge = graph.starts[node]; edge < graph.starts[node + 1]; edge++) {
        const other = graph.others[edge];
        // What is left of another node's places is no place of this one.
        const isKnown = places[other] >= starts[node] && places[other] < end && others[places[other]] === other;
        if (!isKnown) {
          others[end] = other;
          places[other] = end++;
        }
        weights[places[other]] += graph.weights[edge] / graphs.length;
      }
    nearest[node] = others[strongestAmong(weights, starts[node], end)];
  }
  return { count, nearest, starts, others, weights };
}

/** Where the edges of each node begin, if those that several graphs have are one. */
function startsOf(graphs: readonly NeighbourGraph[], count: number): Uint32Array {
  const starts = new Uint32Array(count + 1);
  const seenAt = new Int32Array(count).fill(-1);
  for (let node = 0; node < count; node++) {
    let edges = 0;
    for (const graph of graphs)
      for (let edge = graph.starts[node]; edge < graph.starts[node + 1]; edge++) {
        if (seenAt[graph.others[edge]] !== node) edges++;
        seenAt[graph.others[edge]] = node;
      }
    starts[node + 1] = starts[node] + edges;
  }
  return starts;
}

/** Of equal ones the first. */
function strongestAmong(weights: Float32Array, from: number, to: number): number {
  let strongest = from;
  for (let edge = from + 1; edge < to; edge++) if (weights[edge] > weights[strongest]) strongest = edge;
  return strongest;
}
