/**
 * Which samples to ask a person about, so that each answer teaches most: in doubt, and in the midst of many others that
 * it speaks for and of which no answer has spoken yet.
 *
 * Answers spread over the neighbour graph as a Gaussian field; the next question is the one whose answer takes away most
 * of the field's uncertainty, summed over all samples by how much each is in doubt (Σ-optimality: Ma, Garnett &
 * Schneider, 2013). The field is one value per group of the coarse graph, so that all its covariances are at hand.
 */
import { invertPositiveDefinite } from "../numeric/inverse.ts";
import { type GraphGroups, graphGroups } from "./graph-groups.ts";
import type { NeighbourGraph } from "./neighbour-graph.ts";

export interface QuestionOptions {
  /** How many to ask. */
  readonly count: number;
  /** How much each sample is in doubt, from 0 to 1. */
  readonly doubts: Float32Array;
  /** Samples of which the answer is known, or that are not to be asked about. */
  readonly isKnown: (sample: number) => boolean;
}

export interface Question {
  readonly sample: number;
  /** How many samples, itself included, its answer speaks for. */
  readonly speaksFor: number;
}

/** Groups of the field: work grows with their cube. */
const mostGroups = 800;

/** How far the field reaches from group to group, and the variance of an answer's noise. */
const [reach, noise] = [0.99, 0.1];

/** An answer speaks for groups that are at least so much correlated with its own. */
const leastCorrelation = 0.5;

/** The most telling first; fewer than asked for where nothing else is in doubt. */
export function chooseQuestions(
  graph: NeighbourGraph,
  { count, doubts, isKnown }: QuestionOptions,
): readonly Question[] {
  const coarse = graphGroups(graph, mostGroups);
  const members = membersByCentrality(graph, coarse);
  const field = new Field(coarse, weightsOf(coarse, doubts));
  const open = members.map((samples) => samples.filter((sample) => !isKnown(sample)));
  members.forEach((samples, group) => {
    const known = samples.length - open[group].length;
    if (known > 0) field.observe(group, noise / known);
  });
  const questions: Question[] = [];
  while (questions.length < count) {
    const group = field.mostTelling((one) => open[one].length > 0);
    if (group === undefined) break;
    questions.push({ sample: open[group].splice(0, 1)[0], speaksFor: field.speaksFor(group) });
    field.observe(group);
  }
  return questions;
}

/** By group: √degree, which is what the field's normalization takes for one, times the doubt of its samples. */
function weightsOf({ count, groups, sizes, links }: GraphGroups, doubts: Float32Array): Float64Array {
  const weights = new Float64Array(count);
  groups.forEach((group, sample) => {
    weights[group] += doubts[sample] / sizes[group];
  });
  return weights.map((doubt, group) => doubt * Math.sqrt(degreeOf(links[group])));
}

const degreeOf = (links: ReadonlyMap<number, number>): number => {
  let degree = 0;
  for (const link of links.values()) degree += link;
  return degree;
};

/** The samples of each group, those with the strongest links within it first. */
function membersByCentrality(
  { count, starts, others, weights }: NeighbourGraph,
  { count: groupCount, groups }: GraphGroups,
): number[][] {
  const within = new Float64Array(count);
  const members = Array.from({ length: groupCount }, (): number[] => []);
  for (let sample = 0; sample < count; sample++) {
    members[groups[sample]].push(sample);
    for (let edge = starts[sample]; edge < starts[sample + 1]; edge++)
      if (groups[others[edge]] === groups[sample]) within[sample] += weights[edge];
  }
  for (const samples of members) samples.sort((a, b) => within[b] - within[a] || a - b);
  return members;
}

/** A Gaussian field on the groups: covariance (I − reach·S)⁻¹, S the normalized links, before anything is observed. */
class Field {
  readonly #count: number;
  readonly #sizes: Uint32Array;
  readonly #weights: Float64Array;
  readonly #covariance: Float64Array;

  constructor({ count, links, sizes }: GraphGroups, weights: Float64Array) {
    const degrees = links.map(degreeOf);
    const precision = new Float64Array(count * count);
    links.forEach((own, group) => {
      precision[group * count + group] += 1;
      for (const [other, link] of own)
        precision[group * count + other] -= (reach * link) / Math.sqrt(degrees[group] * degrees[other]);
    });
    this.#count = count;
    this.#sizes = sizes;
    this.#weights = weights;
    this.#covariance = invertPositiveDefinite(precision, count);
  }

  /** The group whose observation takes away most; undefined where nothing is left that is in doubt. */
  mostTelling(isOpen: (group: number) => boolean): number | undefined {
    let [best, most] = [-1, 0];
    for (let group = 0; group < this.#count; group++) {
      const row = this.#rowOf(group);
      let sum = 0;
      for (let other = 0; other < row.length; other++) sum += row[other] * this.#weights[other];
      const gain = sum ** 2 / (row[group] + noise);
      if (gain > most && isOpen(group)) [best, most] = [group, gain];
    }
    return best < 0 ? undefined : best;
  }

  /** What is left of the covariance once the group's value is known, but for noise of that variance. */
  observe(group: number, uncertainty = noise): void {
    const known = this.#rowOf(group).slice();
    const variance = known[group] + uncertainty;
    for (let one = 0; one < this.#count; one++) {
      const factor = known[one] / variance;
      if (factor === 0) continue;
      const row = this.#rowOf(one);
      for (let other = 0; other < row.length; other++) row[other] -= factor * known[other];
    }
  }

  speaksFor(group: number): number {
    const row = this.#rowOf(group);
    let samples = 0;
    for (let other = 0; other < row.length; other++) {
      const own = this.#covariance[other * this.#count + other];
      if (row[other] >= leastCorrelation * Math.sqrt(row[group] * own)) samples += this.#sizes[other];
    }
    return samples;
  }

  #rowOf(group: number): Float64Array {
    return this.#covariance.subarray(group * this.#count, (group + 1) * this.#count);
  }
}
