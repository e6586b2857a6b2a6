/**
 * What is known of a few samples, spread to those that are linked to them in the neighbour graph (Zhou et al., 2004): of
 * each sample, how much of each cluster reaches it.
 */
import { gatherFromNeighbours, type NeighbourGraph } from "./neighbour-graph.ts";

export interface SpreadingOptions {
  readonly k: number;
  /** From 0 to less than 1: how much of what a sample has reaches its neighbours. Default: 0.9. */
  readonly reach?: number;
  /** How little an answer is trusted: the variance of its noise. Default: 0.1. */
  readonly noise?: number;
}

/** So many links away nothing is left that matters. */
const rounds = 50;

/**
 * F [samples, k], the minimum of Σ_known (f_i − y_i)² / noise + fᵀ(I − reach·W) f, which Jacobi's iteration finds; W are
 * the normalized weights of the graph. `known`: the cluster of each sample, or −1. Nothing of F is negative.
 */
export function spreadLabels(
  graph: NeighbourGraph,
  known: Int32Array,
  { k, reach = 0.9, noise = 0.1 }: SpreadingOptions,
): Float32Array {
  const weights = normalizedWeights(graph);
  const trust = 1 / noise;
  let spread = new Float32Array(graph.count * k);
  let next = new Float32Array(graph.count * k);
  for (let round = 0; round < rounds; round++) {
    for (let sample = 0; sample < graph.count; sample++) {
      const row = next.subarray(sample * k, (sample + 1) * k).fill(0);
      gatherFromNeighbours(graph, weights, spread, sample, row);
      const own = known[sample] < 0 ? 1 : 1 + trust;
      for (let j = 0; j < k; j++) row[j] *= reach / own;
      if (known[sample] >= 0) row[known[sample]] += trust / own;
    }
    [spread, next] = [next, spread];
  }
  return spread;
}

/** w_ij / √(d_i d_j), with d_i the sum of i's: no sample outweighs the others. */
function normalizedWeights({ count, starts, others, ...graph }: NeighbourGraph): Float32Array {
  const weights = graph.weights.slice();
  const degrees = new Float64Array(count);
  for (let i = 0; i < count; i++) for (let edge = starts[i]; edge < starts[i + 1]; edge++) degrees[i] += weights[edge];
  for (let i = 0; i < count; i++)
    for (let edge = starts[i]; edge < starts[i + 1]; edge++) {
      const scale = Math.sqrt(degrees[i] * degrees[others[edge]]);
      if (scale > 0) weights[edge] /= scale;
    }
  return weights;
}
