/**
 * What a model says of samples and what people say of a few of them, put together: two witnesses, each of which may be
 * wrong. How far the model is believed follows from how often answers agreed with it; an answer speaks for the samples
 * that are linked to it, the more the nearer they are. Where nobody has said anything the model is right; a single
 * answer wins over it only where the model is in doubt, or has been wrong before.
 */

import { spreadLabels } from "./label-spreading.ts";
import type { NeighbourGraph } from "./neighbour-graph.ts";

/** The share of answers that are wrong, as far as anybody knows beforehand. */
const wrongAnswers = 0.1;

/** What reaches a sample counts where it is more than this; less is as good as nothing. */
const leastReached = 0.03;

/** What is believed of the model before the first answer: so much of it is right, which weighs as so many answers. */
const trust = { right: 0.95, answers: 10 };

/** More answers about one cluster say no more about those of its samples that nobody has named. */
const mostCounted = 16;

/** Scores [samples, k] that add up to 1 of each sample. `known`: the cluster of each sample, or −1. */
export function correctedScores(
  graph: NeighbourGraph,
  scores: Float32Array,
  known: Int32Array,
  { k }: { readonly k: number },
): Float32Array {
  const meant = meaningOf(scores, known, k);
  const spread = spreadLabels(graph, known, { k });
  const corrected = new Float32Array(scores.length);
  for (let start = 0; start < corrected.length; start += k) {
    let reached = leastReached;
    for (let c = 0; c < k; c++) reached += spread[start + c];
    // An answer, and where none reaches, all clusters alike.
    const unsaid = (wrongAnswers + ((1 - wrongAnswers) * leastReached) / reached) / k;
    let total = 0;
    for (let c = 0; c < k; c++) {
      let model = 0;
      for (let j = 0; j < k; j++) model += scores[start + j] * meant[j * k + c];
      corrected[start + c] = model * (((1 - wrongAnswers) * spread[start + c]) / reached + unsaid);
      total += corrected[start + c];
    }
    for (let c = 0; c < k; c++) corrected[start + c] /= total;
  }
  return corrected;
}

/**
 * p(cluster c | the model says j), [k, k]: counted from answers, each weighed by how sure the model was, since samples
 * between clusters say little about the others. Added to the counts is what holds for all clusters alike.
 */
function meaningOf(scores: Float32Array, known: Int32Array, k: number): Float64Array {
  const counts = new Float64Array(k * k);
  let right = trust.right * trust.answers;
  let total = trust.answers;
  known.forEach((cluster, sample) => {
    if (cluster < 0) return;
    const { best, margin } = claimOf(scores, sample, k);
    counts[best * k + cluster] += margin;
    total += margin;
    if (best === cluster) right += margin;
  });
  const share = right / total;
  const weight = share / (1 - share) / 2;
  const meant = new Float64Array(k * k);
  for (let j = 0; j < k; j++) {
    const row = meant.subarray(j * k, (j + 1) * k);
    for (let c = 0; c < k; c++) row[c] = saidOf(counts[j * k + c], c === j) + weight * priorOf(share, c === j, k);
    const sum = row.reduce((all, value) => all + value);
    for (let c = 0; c < k; c++) row[c] /= sum;
  }
  return meant;
}

/** A single answer that says otherwise may be wrong: it takes a second one to say something of the whole cluster. */
const saidOf = (count: number, agrees: boolean): number =>
  Math.min(mostCounted, agrees ? count : Math.max(0, count - 1));

const priorOf = (right: number, agrees: boolean, k: number): number =>
  agrees ? right : (1 - right) / Math.max(1, k - 1);

/** The cluster with the highest score, and by how much it is higher than the next. */
export function claimOf(
  scores: Float32Array,
  sample: number,
  k: number,
): { readonly best: number; readonly second: number; readonly margin: number } {
  let [best, second] = [0, -1];
  const at = (j: number): number => scores[sample * k + j];
  for (let j = 1; j < k; j++) {
    if (at(j) > at(best)) [best, second] = [j, best];
    else if (second < 0 || at(j) > at(second)) second = j;
  }
  return { best, second, margin: second < 0 ? 1 : at(best) - at(second) };
}
