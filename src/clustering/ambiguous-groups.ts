/** Assigns ambiguous groups, which lie between clusters, to one of them. */
import type { NeighbourGraph } from "./neighbour-graph.ts";
import type { TreeCut } from "./tree-cut.ts";

export interface AssignOptions {
  /** The number of clusters. */
  readonly k: number;
  /** For groups of at least this many samples, the sizes of clusters count. */
  readonly smallestSized: number;
  /** The weight of the sizes' log-likelihood relative to that of the links; with 0 links decide alone. */
  readonly sizeWeight: number;
}

/**
 * The labels after each ambiguous group, the largest first, has joined the cluster with the strongest links to it. For a
 * group of some size the sizes of clusters count as well: a cluster that lacks a part is smaller. The n_j of the paper's
 * targets have the same preference. Groups that are too small, and those without links to clusters, keep the label −1.
 */
export function assignAmbiguousGroups(graph: NeighbourGraph, cut: TreeCut, options: AssignOptions): Int32Array {
  const { k, smallestSized, sizeWeight } = options;
  const groups = largestFirst(cut.ambiguous);
  const isSmall = (members: readonly number[]): boolean => members.length < smallestSized;
  // The sizes of clusters without the larger groups are known only once all others are assigned.
  const sizes = sizesOf(assign(graph, cut, k, groups.filter(isSmall), strongestOf), k);
  return assign(graph, cut, k, groups, (links, members) => {
    if (isSmall(members)) return strongestOf(links);
    const likelier = sizeGains(sizes, members.length, cut.labels.length / k);
    const chosen = strongestOf(links.map((link, cluster) => Math.log(link) + sizeWeight * likelier[cluster]));
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
    const links = linksOf(graph, members, labels, k);
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

/**
 * How much more likely a group would make the sizes n_j under a normal distribution, by the cluster that it goes to.
 * Among clusters of similar sizes that is the one it completes; where sizes differ anyway, they count for little.
 */
function sizeGains(sizes: Uint32Array, groupSize: number, mean: number): Float64Array {
  const variance = Math.max(1, sizes.reduce((total, size) => total + (size - mean) ** 2, 0) / sizes.length);
  return Float64Array.from(sizes, (size) => ((size - mean) ** 2 - (size + groupSize - mean) ** 2) / (2 * variance));
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

/** The total strength of a group's links to each cluster. */
function linksOf(graph: NeighbourGraph, members: readonly number[], labels: Int32Array, k: number): Float64Array {
  const links = new Float64Array(k);
  for (const sample of members)
    for (let edge = graph.starts[sample]; edge < graph.starts[sample + 1]; edge++) {
      const label = labels[graph.others[edge]];
      if (label >= 0) links[label] += graph.weights[edge];
    }
  return links;
}
