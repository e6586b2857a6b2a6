/**
 * What is known of a few samples, spread to those that are linked to them in the neighbour graph (Zhou et al., 2004; Huang
 * et al., 2021). What is spread is the difference between what is known and the scores that there are already: where
 * these were right, nothing changes. A single answer changes its neighbourhood, several that agree change more, and one
 * that others speak against changes little: it may be wrong.
 */
import type { NeighbourGraph } from "./neighbour-graph.ts";

export interface SpreadingOptions {
  readonly k: number;
  /** From 0 to less than 1: how much of a difference reaches the neighbours. Default: 0.99. */
  readonly reach?: number;
  /** How little an answer is trusted: the variance of its noise. Default: 0.1. */
  readonly noise?: number;
}

/** So many links away nothing is left that matters. */
const rounds = 100;

/**
 * Scores [samples, k] plus f, the minimum of Σ_known (f_i − (y_i − s_i))² / noise + fᵀ(I − reach·W) f, which Jacobi's
 * iteration finds; W are the normalized weights of the graph. `known`: the cluster of each sample, or −1.
 */
export function spreadKnown(
  graph: NeighbourGraph,
  scores: Float32Array,
  known: Int32Array,
  { k, reach = 0.99, noise = 0.1 }: SpreadingOptions,
): Float32Array {
  const weights = normalizedWeights(graph);
  const spread = scores.slice();
  const trust = 1 / noise;
  for (let cluster = 0; cluster < k; cluster++) {
    let f = new Float64Array(graph.count);
    let next = new Float64Array(graph.count);
    for (let round = 0; round < rounds; round++) {
      for (let sample = 0; sample < graph.count; sample++) {
        const reached = reach * fromNeighbours(graph, weights, f, sample);
        const difference = Number(known[sample] === cluster) - scores[sample * k + cluster];
        next[sample] = known[sample] < 0 ? reached : (reached + trust * difference) / (1 + trust);
      }
      [f, next] = [next, f];
    }
    for (let sample = 0; sample < graph.count; sample++) spread[sample * k + cluster] += f[sample];
  }
  return spread;
}

function fromNeighbours({ starts, others }: NeighbourGraph, weights: Float32Array, f: Float64Array, i: number): number {
  let total = 0;
  for (let edge = starts[i]; edge < starts[i + 1]; edge++) total += weights[edge] * f[others[edge]];
  return total;
}

/** w_ij / √(d_i d_j), with w_ij the mean of both directions, and d_i the sum of i's: no sample outweighs the others. */
function normalizedWeights({ count, starts, others, outward, inward }: NeighbourGraph): Float32Array {
  const weights = outward.map((weight, edge) => (weight + inward[edge]) / 2);
  const degrees = new Float64Array(count);
  for (let i = 0; i < count; i++) for (let edge = starts[i]; edge < starts[i + 1]; edge++) degrees[i] += weights[edge];
  for (let i = 0; i < count; i++)
    for (let edge = starts[i]; edge < starts[i + 1]; edge++) {
      const scale = Math.sqrt(degrees[i] * degrees[others[edge]]);
      if (scale > 0) weights[edge] /= scale;
    }
  return weights;
}
