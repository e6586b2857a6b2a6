/** How well clusters are separated in a neighbour graph. */
import type { NeighbourGraph } from "./neighbour-graph.ts";

/**
 * The mean over the clusters of the share of their links that leave them (Shi & Malik, 2000): 0 where no clusters are
 * linked. Samples with the label −1 are outside every cluster.
 */
export function meanNormalizedCut(graph: NeighbourGraph, labels: Int32Array, k: number): number {
  const [leaving, all] = [new Float64Array(k), new Float64Array(k)];
  for (let sample = 0; sample < graph.count; sample++) {
    const cluster = labels[sample];
    if (cluster < 0) continue;
    for (let edge = graph.starts[sample]; edge < graph.starts[sample + 1]; edge++) {
      const weight = graph.weights[edge];
      all[cluster] += weight;
      if (labels[graph.others[edge]] !== cluster) leaving[cluster] += weight;
    }
  }
  let total = 0;
  for (let cluster = 0; cluster < k; cluster++) total += all[cluster] > 0 ? leaving[cluster] / all[cluster] : 1;
  return total / k;
}
