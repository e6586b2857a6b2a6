/**
 * Which samples to ask a person about, so that an answer teaches most: between two clusters, among others of which the same
 * is true, and not like one another.
 */
import type { NeighbourGraph } from "./neighbour-graph.ts";

/** What the scores say of a sample. */
export interface Doubt {
  readonly cluster: number;
  /** The cluster with the next highest score. */
  readonly second: number;
  /** By how much the first score is higher, from 0 to 1. */
  readonly margin: number;
}

export interface Question {
  readonly sample: number;
  /** How many of the samples that it is linked to are between the same two clusters. */
  readonly alike: number;
}

export interface QuestionOptions {
  /** How many to ask. */
  readonly count: number;
  /** Samples of which the answer is known. */
  readonly isKnown: (sample: number) => boolean;
}

/** How much a question is still worth once a linked sample is asked about, or one that is linked to a linked one. */
const leftOf = { linked: 0.3, farther: 0.95 };

/** The most telling first; fewer than asked for where there are not so many samples. */
export function chooseQuestions(
  graph: NeighbourGraph,
  doubts: readonly Doubt[],
  { count, isKnown }: QuestionOptions,
): readonly Question[] {
  const worth = doubts.map((_, sample) => (isKnown(sample) ? 0 : worthOf(sample, graph, doubts)));
  const asked = new Map<string, number>();
  const questions: Question[] = [];
  while (questions.length < Math.min(count, doubts.length)) {
    const value = (sample: number): number => worth[sample] / (1 + (asked.get(border(doubts[sample])) ?? 0));
    const best = worth.reduce((most, _, sample) => (value(sample) > value(most) ? sample : most), 0);
    if (!(worth[best] > 0)) break;
    const alike = linked(graph, best).filter((other) => border(doubts[other]) === border(doubts[best])).length;
    questions.push({ sample: best, alike });
    asked.set(border(doubts[best]), (asked.get(border(doubts[best])) ?? 0) + 1);
    for (const other of linked(graph, best)) {
      worth[other] *= leftOf.linked;
      for (const farther of linked(graph, other)) worth[farther] *= leftOf.farther;
    }
    worth[best] = 0;
  }
  return questions;
}

/** Its own doubt, and that of the samples which the answer would speak for. */
function worthOf(
  sample: number,
  { starts, others, outward, inward }: NeighbourGraph,
  doubts: readonly Doubt[],
): number {
  let reached = 0;
  for (let edge = starts[sample]; edge < starts[sample + 1]; edge++)
    reached += ((outward[edge] + inward[edge]) / 2) * (1 - doubts[others[edge]].margin);
  return (1 - doubts[sample].margin) * (1 + reached);
}

const linked = ({ starts, others }: NeighbourGraph, sample: number): number[] => [
  ...others.subarray(starts[sample], starts[sample + 1]),
];

/** The two clusters, in either order. */
const border = ({ cluster, second }: Doubt): string => `${Math.min(cluster, second)} ${Math.max(cluster, second)}`;
