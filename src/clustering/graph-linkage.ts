/**
 * Graph degree linkage (Zhang, Wang, Zhao, Tang: Graph Degree Linkage: Agglomerative Clustering on a Directed Graph,
 * 2012): groups of a neighbour graph are joined, first those with the most and strongest paths from one into the other
 * and back.
 *
 * The graph is undirected here, unlike in the paper: of few neighbours, the only link between two parts of a cluster often
 * leads one way, and a product of links out and in would not see it.
 *
 * Samples that form a connected shape, such as the ring of views of one object or a digit in many handwritings, stay
 * together where k-means would cut them by distance.
 */
import { Forbidden } from "./forbidden-joins.ts";
import type { NeighbourGraph } from "./neighbour-graph.ts";
import type { SampleConstraints } from "./sample-constraints.ts";

/** Group `from` became part of group `into`. */
export interface Join {
  readonly into: number;
  readonly from: number;
  /** The affinity of the two. */
  readonly affinity: number;
  /** The group with the next strongest link to `from` after `into`, or −1. */
  readonly runnerUp: number;
  /** The affinity of `from` and `runnerUp`; 0 where there is none. */
  readonly runnerUpAffinity: number;
}

/** How samples join, from many small groups to one, or to several that no link connects. */
export interface LinkageTree {
  /** The group of each sample before the first join. */
  readonly groups: Int32Array;
  /** The number of groups before the first join. */
  readonly groupCount: number;
  readonly joins: readonly Join[];
}

/** Starts from the chains that the edges to nearest neighbours form. Groups that must stay apart never join. */
export function linkGraph(graph: NeighbourGraph, constraints?: SampleConstraints): LinkageTree {
  const { groups, groupCount } = nearestChains(graph.nearest, constraints);
  const forbidden = constraints === undefined ? undefined : new Forbidden(constraints, groups);
  const linking = new Linking(graph, groups.slice(), groupCount, forbidden);
  const joins: Join[] = [];
  for (let join = linking.joinStrongest(); join !== undefined; join = linking.joinStrongest()) joins.push(join);
  return { groups, groupCount, joins };
}

/** The groups of samples that edges to nearest neighbours connect, numbered by their first sample. */
function nearestChains(
  nearest: Uint32Array,
  constraints?: SampleConstraints,
): Pick<LinkageTree, "groups" | "groupCount"> {
  const samples = Int32Array.from(nearest.keys());
  const forbidden = constraints === undefined ? undefined : new Forbidden(constraints, samples);
  const parents = nearest.map((_, sample) => sample);
  const rootOf = (sample: number): number => {
    let root = sample;
    while (parents[root] !== root) {
      parents[root] = parents[parents[root]];
      root = parents[root];
    }
    return root;
  };
  nearest.forEach((other, sample) => {
    const [a, b] = [rootOf(sample), rootOf(other)];
    if (a === b || forbidden?.has(a, b)) return;
    parents[Math.max(a, b)] = Math.min(a, b);
    forbidden?.join(Math.min(a, b), Math.max(a, b));
  });
  const groups = new Int32Array(nearest.length);
  let groupCount = 0;
  for (let sample = 0; sample < groups.length; sample++) {
    const root = rootOf(sample);
    groups[sample] = root === sample ? groupCount++ : groups[root];
  }
  return { groups, groupCount };
}

/** The groups while they are joined. */
class Linking {
  readonly #graph: NeighbourGraph;
  /** The group of each sample. */
  readonly #groups: Int32Array;
  readonly #members: number[][];
  /** returns[a].get(b) = Σ_{j∈a} (Σ_{i∈b} w_ij)², the paths from b into a and straight back. */
  readonly #returns: Map<number, number>[];
  /** For each group, the one with the largest affinity to it, or −1, and that affinity. */
  readonly #strongest: Int32Array;
  readonly #affinities: Float64Array;
  /** The last join that visited each sample. */
  readonly #seen: Int32Array;
  readonly #forbidden: Forbidden | undefined;
  #joins = 0;

  constructor(graph: NeighbourGraph, groups: Int32Array, groupCount: number, forbidden: Forbidden | undefined) {
    this.#forbidden = forbidden;
    this.#graph = graph;
    this.#groups = groups;
    this.#members = Array.from({ length: groupCount }, () => []);
    groups.forEach((group, sample) => {
      this.#members[group].push(sample);
    });
    this.#returns = this.#firstReturns(groupCount);
    this.#strongest = new Int32Array(groupCount);
    this.#affinities = new Float64Array(groupCount);
    this.#seen = new Int32Array(graph.count).fill(-1);
    for (let group = 0; group < groupCount; group++) this.#findStrongest(group);
  }

  /** Undefined once no two groups are linked. */
  joinStrongest(): Join | undefined {
    let top = -1;
    for (let group = 0; group < this.#strongest.length; group++)
      if (this.#strongest[group] >= 0 && (top < 0 || this.#affinities[group] > this.#affinities[top])) top = group;
    if (top < 0) return undefined;
    const affinity = this.#affinities[top];
    const other = this.#strongest[top];
    const [into, from] = this.#sizeOf(top) < this.#sizeOf(other) ? [other, top] : [top, other];
    const runnerUp = this.#strongestOf(from, into);
    this.#join(into, from);
    return { into, from, affinity, runnerUp: runnerUp.group, runnerUpAffinity: Math.max(0, runnerUp.affinity) };
  }

  #sizeOf(group: number): number {
    return this.#members[group].length;
  }

  #firstReturns(groupCount: number): Map<number, number>[] {
    const { count, starts, others, weights } = this.#graph;
    const returns = Array.from({ length: groupCount }, () => new Map<number, number>());
    const links = new Float64Array(groupCount);
    for (let sample = 0; sample < count; sample++) {
      const group = this.#groups[sample];
      for (let edge = starts[sample]; edge < starts[sample + 1]; edge++)
        links[this.#groups[others[edge]]] += weights[edge];
      for (let edge = starts[sample]; edge < starts[sample + 1]; edge++) {
        const other = this.#groups[others[edge]];
        if (other === group) continue;
        returns[group].set(other, (returns[group].get(other) ?? 0) + links[other] ** 2);
        links[other] = 0;
      }
      links[group] = 0;
    }
    return returns;
  }

  /** 1ᵀ W_ab W_ba 1 / |a|² + 1ᵀ W_ba W_ab 1 / |b|². */
  #affinity(a: number, b: number): number {
    return (
      (this.#returns[b].get(a) ?? 0) / this.#sizeOf(a) ** 2 + (this.#returns[a].get(b) ?? 0) / this.#sizeOf(b) ** 2
    );
  }

  #findStrongest(group: number): void {
    const strongest = this.#strongestOf(group);
    this.#strongest[group] = strongest.group;
    this.#affinities[group] = strongest.affinity;
  }

  /** The group other than `except` with the largest affinity to it; of equal ones the first. */
  #strongestOf(group: number, except = -1): { readonly group: number; readonly affinity: number } {
    let [strongest, largest] = [-1, -1];
    for (const other of this.#returns[group].keys()) {
      if (other === except || this.#forbidden?.has(group, other)) continue;
      const affinity = this.#affinity(group, other);
      if (affinity > largest || (affinity === largest && other < strongest)) [strongest, largest] = [other, affinity];
    }
    return { group: strongest, affinity: largest };
  }

  #join(into: number, from: number): void {
    const crossing = this.#crossing(into, from);
    const returns = this.#returns[into];
    for (const [other, value] of this.#returns[from])
      if (other !== into) returns.set(other, (returns.get(other) ?? 0) + value);
    returns.delete(from);
    for (const other of returns.keys()) {
      const back = this.#returns[other];
      back.set(into, (back.get(into) ?? 0) + (back.get(from) ?? 0) + (crossing.get(other) ?? 0));
      back.delete(from);
    }
    for (const sample of this.#members[from]) {
      this.#groups[sample] = into;
      this.#members[into].push(sample);
    }
    this.#members[from] = [];
    this.#forbidden?.join(into, from);
    this.#returns[from].clear();
    this.#findStrongest(from);
    this.#findStrongest(into);
    for (const other of returns.keys()) this.#updateStrongest(other, into, from);
  }

  #updateStrongest(group: number, into: number, from: number): void {
    if (this.#strongest[group] === into || this.#strongest[group] === from) this.#findStrongest(group);
    else if (!this.#forbidden?.has(group, into)) {
      const affinity = this.#affinity(group, into);
      if (affinity > this.#affinities[group]) {
        this.#strongest[group] = into;
        this.#affinities[group] = affinity;
      }
    }
  }

  /** What the returns of other groups gain beyond the sum of the two: paths in from one and out to the other. */
  #crossing(into: number, from: number): Map<number, number> {
    const { starts, others } = this.#graph;
    const crossing = new Map<number, number>();
    const join = this.#joins++;
    for (const member of this.#members[from])
      for (let edge = starts[member]; edge < starts[member + 1]; edge++) {
        const sample = others[edge];
        const group = this.#groups[sample];
        if (this.#seen[sample] === join || group === into || group === from) continue;
        this.#seen[sample] = join;
        const gain = this.#crossingAt(sample, into, from);
        if (gain > 0) crossing.set(group, (crossing.get(group) ?? 0) + gain);
      }
    return crossing;
  }

  #crossingAt(sample: number, a: number, b: number): number {
    const { starts, others, weights } = this.#graph;
    let [toA, toB] = [0, 0];
    for (let edge = starts[sample]; edge < starts[sample + 1]; edge++) {
      const group = this.#groups[others[edge]];
      if (group === a) toA += weights[edge];
      else if (group === b) toB += weights[edge];
    }
    return 2 * toA * toB;
  }
}
