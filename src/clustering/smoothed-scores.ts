/**
 * Scores smoothed over the neighbour graph: a sample that a model is unsure of goes where those go that it is like. Each
 * sample takes a share of its scores from its neighbours, who take theirs from their own (Zhou et al., 2004).
 */
import { gatherFromNeighbours, type NeighbourGraph } from "./neighbour-graph.ts";

export interface SmoothingOptions {
  readonly k: number;
  /** From 0 to less than 1: the share that comes from the neighbours. */
  readonly share: number;
}

/** What is left of what comes from farther away changes no cluster. */
const negligible = 0.01;

/**
 * F [samples, k], with f_i = (1 − share) s_i + share Σ_j w_ij f_j / Σ_j w_ij, where w_ij is the sum of both directions'
 * weights. Rows add up to what those of the scores add up to.
 */
export function smoothScores(graph: NeighbourGraph, scores: Float32Array, options: SmoothingOptions): Float32Array {
  const { k, share } = options;
  const rounds = share === 0 ? 0 : Math.ceil(Math.log(negligible) / Math.log(share));
  const weights = shareOfEach(graph, share);
  let smooth = scores;
  for (let round = 0; round < rounds; round++) {
    const next = scores.map((score) => (1 - share) * score);
    for (let sample = 0; sample < graph.count; sample++)
      gatherFromNeighbours(graph, weights, smooth, sample, next.subarray(sample * k, (sample + 1) * k));
    smooth = next;
  }
  return smooth;
}

/** Of each edge, what the sample takes from the other end. */
function shareOfEach({ count, starts, outward, inward }: NeighbourGraph, share: number): Float32Array {
  const weights = outward.map((weight, edge) => weight + inward[edge]);
  for (let sample = 0; sample < count; sample++) {
    const own = weights.subarray(starts[sample], starts[sample + 1]);
    const total = own.reduce((sum, weight) => sum + weight, 0);
    own.forEach((weight, edge) => {
      own[edge] = total > 0 ? (share * weight) / total : share / own.length;
    });
  }
  return weights;
}
