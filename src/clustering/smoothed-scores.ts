/**
 * Scores smoothed over the neighbour graph: a sample that a model is unsure of goes where those go that it is like. Each
 * sample takes a share of its scores from its neighbours, who take theirs from their own (Zhou et al., 2004).
 */
import { gatherFromNeighbours, type NeighbourGraph } from "./neighbour-graph.ts";
import type { Neighbours } from "./neighbours.ts";

export interface SmoothingOptions {
  readonly k: number;
  /** From 0 to less than 1: the share that comes from the neighbours. */
  readonly share: number;
  /** The cluster of each sample of which it is known, or −1: these stay there. Default: none is known. */
  readonly known?: Int32Array;
}

/** What comes from so far away that no more than this is left of it is left out. */
const negligible = 0.01;

/**
 * F [samples, k], with f_i = (1 − share) s_i + share Σ_j w_ij f_j / Σ_j w_ij, with the weights w_ij of the
 * graph. Rows add up to what those of the scores add up to.
 */
export function smoothScores(graph: NeighbourGraph, scores: Float32Array, options: SmoothingOptions): Float32Array {
  const { k, share, known } = options;
  if (share === 0) return scores;
  const own = known === undefined ? scores : withKnown(scores, known, k);
  const shares = shareOfEach(graph, share);
  const buffers = [new Float32Array(own.length), new Float32Array(own.length)];
  const rounds = Math.ceil(Math.log(negligible) / Math.log(share));
  let smooth = own;
  for (let round = 0; round < rounds; round++) {
    const next = buffers[round % 2];
    for (let sample = 0; sample < graph.count; sample++) {
      const [row, before] = [next, own].map((rows) => rows.subarray(sample * k, (sample + 1) * k));
      row.set(before);
      if (known !== undefined && known[sample] >= 0) continue;
      for (let j = 0; j < k; j++) row[j] *= 1 - share;
      gatherFromNeighbours(graph, shares, smooth, sample, row);
    }
    smooth = next;
  }
  return smooth;
}

function withKnown(scores: Float32Array, known: Int32Array, k: number): Float32Array {
  const rows = scores.slice();
  known.forEach((cluster, sample) => {
    if (cluster >= 0) rows.fill(0, sample * k, (sample + 1) * k)[sample * k + cluster] = 1;
  });
  return rows;
}

/** Of each edge, what the sample takes from the other end. */
function shareOfEach({ count, starts, weights }: NeighbourGraph, share: number): Float32Array {
  const shares = weights.slice();
  for (let sample = 0; sample < count; sample++) {
    const own = shares.subarray(starts[sample], starts[sample + 1]);
    const total = own.reduce((sum, weight) => sum + weight, 0);
    own.forEach((weight, edge) => {
      own[edge] = total > 0 ? (share * weight) / total : share / own.length;
    });
  }
  return shares;
}

/**
 * The same for samples outside of the graph, whose nearest samples in it are known, with their smoothed scores: a share
 * comes from these, the nearer the more.
 */
export function smoothOutside(
  scores: Float32Array,
  { neighbours, indices, squaredDistances }: Neighbours,
  smooth: Float32Array,
  { k, share }: Pick<SmoothingOptions, "k" | "share">,
): Float32Array {
  const rows = scores.map((score) => (1 - share) * score);
  for (let sample = 0; sample < rows.length / k; sample++) {
    const [from, to] = [sample * neighbours, (sample + 1) * neighbours];
    const reach = squaredDistances[to - 1] || 1;
    const weights = squaredDistances.subarray(from, to).map((distance) => Math.exp(-distance / reach));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    weights.forEach((weight, place) => {
      const other = indices[from + place] * k;
      for (let j = 0; j < k; j++) rows[sample * k + j] += ((share * weight) / total) * smooth[other + j];
    });
  }
  return rows;
}
