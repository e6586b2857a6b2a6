/** Assigns ambiguous groups, which lie between clusters, to one of them. */
import type { NeighbourGraph } from "./neighbour-graph.ts";
import type { TreeCut } from "./tree-cut.ts";

export interface AssignOptions {
  /** The number of clusters. */
  readonly k: number;
  /** Only groups of at least this many samples may be isolated. */
  readonly smallestIsolated: number;
  /** They are isolated if at least this share of their links is within them. */
  readonly ownLinks: number;
}

/**
 * The labels after each ambiguous group, the largest first, has joined the cluster with the strongest links to it. For
 * an isolated group, whose links to others are too few to tell, the sizes of clusters count as well: a cluster that
 * lacks a part is smaller. The n_j of the paper's targets have the same preference. Groups that are too small, and
 * those without links to clusters, keep the label −1.
 */
export function assignAmbiguousGroups(graph: NeighbourGraph, cut: TreeCut, options: AssignOptions): Int32Array {
  const { k, smallestIsolated, ownLinks } = options;
  const groups = largestFirst(cut.ambiguous);
  const isIsolated = (members: readonly number[]): boolean =>
    members.length >= smallestIsolated && linksOf(graph, members, cut.labels, k).own >= ownLinks;
  const isolated = new Set(groups.filter(isIsolated));
  const others = groups.filter((members) => !isolated.has(members));
  // The sizes of clusters without the isolated groups are known only once all others are assigned.
  const sizes = sizesOf(assign(graph, cut, k, others, strongestOf), k);
  return assign(graph, cut, k, groups, (links, members) => {
    if (!isolated.has(members)) return strongestOf(links);
    const chosen = likeliestOf(links, sizes, members.length, cut.labels.length / k);
    sizes[chosen] += members.length;
    return chosen;
  });
}

type Choice = (links: Float64Array, members: readonly number[]) => number;

const strongestOf = (links: Float64Array): number => links.indexOf(Math.max(...links));

/** Assigns one group after another, each by its links to the clusters with all groups before it. */
function assign(
  graph: NeighbourGraph,
  cut: TreeCut,
  k: number,
  groups: readonly (readonly number[])[],
  choose: Choice,
): Int32Array {
  const labels = cut.labels.slice();
  for (const members of groups) {
    const { links } = linksOf(graph, members, labels, k);
    if (Math.max(...links) === 0) continue;
    const chosen = choose(links, members);
    for (const sample of members) labels[sample] = chosen;
  }
  return labels;
}

function sizesOf(labels: Int32Array, k: number): Uint32Array {
  const sizes = new Uint32Array(k);
  for (const label of labels) if (label >= 0) sizes[label]++;
  return sizes;
}

/** The weight of the sizes' log-likelihood relative to that of the links. */
const sizeWeight = 0.5;

/**
 * The cluster with the strongest links, weighted by how much more likely the group would make the sizes n_j under a
 * normal distribution. Among clusters of similar sizes the group goes to the one it completes; where sizes differ
 * anyway, they count for little.
 */
function likeliestOf(links: Float64Array, sizes: Uint32Array, groupSize: number, mean: number): number {
  const variance = Math.max(1, sizes.reduce((total, size) => total + (size - mean) ** 2, 0) / sizes.length);
  const evidence = links.map((link, cluster) => {
    const size = sizes[cluster];
    const likelier = ((size - mean) ** 2 - (size + groupSize - mean) ** 2) / (2 * variance);
    return Math.log(link) + sizeWeight * likelier;
  });
  return strongestOf(evidence);
}

/** The samples of each group, by decreasing size; equally large groups stay in order. */
function largestFirst(ambiguous: Int32Array): readonly (readonly number[])[] {
  const groups = new Map<number, number[]>();
  ambiguous.forEach((group, sample) => {
    if (group < 0) return;
    const members = groups.get(group);
    if (members === undefined) groups.set(group, [sample]);
    else members.push(sample);
  });
  return [...groups.values()].sort((a, b) => b.length - a.length);
}

interface Links {
  /** The share of the group's links that stay within it. */
  readonly own: number;
  /** The total strength of its links to each cluster. */
  readonly links: Float64Array;
}

function linksOf(graph: NeighbourGraph, members: readonly number[], labels: Int32Array, k: number): Links {
  const links = new Float64Array(k);
  const group = new Set(members);
  let [own, all] = [0, 0];
  for (const sample of members)
    for (let edge = graph.starts[sample]; edge < graph.starts[sample + 1]; edge++) {
      const other = graph.others[edge];
      const weight = graph.outward[edge] + graph.inward[edge];
      all += weight;
      if (group.has(other)) own += weight;
      if (labels[other] >= 0) links[labels[other]] += weight;
    }
  return { own: own / all, links };
}
