/** Where ambiguous groups go: those that lie between clusters. */
import type { NeighbourGraph } from "./neighbour-graph.ts";
import type { TreeCut } from "./tree-cut.ts";

export interface AssignOptions {
  /** The number of clusters. */
  readonly k: number;
  /** Groups of at least so many samples may be isolated. */
  readonly smallestIsolated: number;
  /** And are, if at least this share of their links is within them. */
  readonly ownLinks: number;
}

/**
 * The labels, where ambiguous groups, the largest first, have gone to the cluster that they are linked to most. For an
 * isolated group, whose links to others are too few to tell, the sizes of clusters count as well: one that lacks a part
 * of itself is smaller for it. The n_j of the paper's targets have the same preference. Groups that are not ambiguous but
 * too small, and those without a link to any cluster, keep the label −1.
 */
export function assignAmbiguousGroups(graph: NeighbourGraph, cut: TreeCut, options: AssignOptions): Int32Array {
  const { k, smallestIsolated, ownLinks } = options;
  const groups = largestFirst(cut.ambiguous);
  const isIsolated = (members: readonly number[]): boolean =>
    members.length >= smallestIsolated && linksOf(graph, members, cut.labels, k).own >= ownLinks;
  const isolated = new Set(groups.filter(isIsolated));
  const others = groups.filter((members) => !isolated.has(members));
  // How large clusters are without the isolated groups is known only once all others have gone somewhere.
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

/** The labels after each group in turn, by its links to the clusters as they are by then, has gone where it chooses. */
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

/** How much the likelihood of sizes counts beside links. */
const sizeWeight = 0.5;

/**
 * By links times how much likelier the group makes the sizes n_j, taken as normally distributed. Where clusters are all
 * of about one size, it goes to the one that it completes; where they differ anyway, sizes say little.
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

/** The samples of each group; of equally large groups first the one that comes first. */
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
  /** The share of them that stays within the group. */
  readonly own: number;
  /** How strong those to each cluster are, together. */
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
