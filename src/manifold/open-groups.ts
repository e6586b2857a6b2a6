/** Where groups go that lie between clusters. */
import type { NeighbourGraph } from "./neighbour-graph.ts";
import type { TreeCut } from "./tree-cut.ts";

export interface SettleOptions {
  /** The number of clusters. */
  readonly k: number;
  /** Groups of at least so many samples may be islands. */
  readonly smallest: number;
  /** And are, if they keep at least this share of their links to themselves. */
  readonly isolation: number;
}

/**
 * The labels, where open groups, the largest first, have gone to the cluster that they are linked to most; but to choose
 * for an island, whose links to others are too few to tell, the sizes of clusters count as well: one that lacks a part of
 * itself is smaller for it. The n_j of the paper's targets have the same preference. Groups that no link leads from stay
 * open.
 */
export function settleOpenGroups(graph: NeighbourGraph, cut: TreeCut, options: SettleOptions): Int32Array {
  const { k, smallest, isolation } = options;
  const groups = largestFirst(cut.open);
  const isIsland = (members: readonly number[]): boolean =>
    members.length >= smallest && linksOf(graph, members, cut.labels, k).own >= isolation;
  const islands = new Set(groups.filter(isIsland));
  const others = groups.filter((members) => !islands.has(members));
  // How large clusters are without the islands is known only once all others have gone somewhere.
  const sizes = sizesOf(settle(graph, cut, k, others, strongestOf), k);
  return settle(graph, cut, k, groups, (links, members) => {
    if (!islands.has(members)) return strongestOf(links);
    const chosen = likeliestOf(links, sizes, members.length, cut.labels.length / k);
    sizes[chosen] += members.length;
    return chosen;
  });
}

type Choice = (links: Float64Array, members: readonly number[]) => number;

const strongestOf = (links: Float64Array): number => links.indexOf(Math.max(...links));

/** The labels after each group in turn, by its links to the clusters as they are by then, has gone where it chooses. */
function settle(
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
 * By links times how much likelier the island makes the sizes n_j, taken as normally distributed. Where clusters are all
 * of about one size, it goes to the one that it completes; where they differ anyway, sizes say little.
 */
function likeliestOf(links: Float64Array, sizes: Uint32Array, island: number, mean: number): number {
  const variance = Math.max(1, sizes.reduce((total, size) => total + (size - mean) ** 2, 0) / sizes.length);
  const evidence = links.map((link, cluster) => {
    const size = sizes[cluster];
    const likelier = ((size - mean) ** 2 - (size + island - mean) ** 2) / (2 * variance);
    return Math.log(link) + sizeWeight * likelier;
  });
  return strongestOf(evidence);
}

/** The samples of each group; of equally large groups first the one that comes first. */
function largestFirst(open: Int32Array): readonly (readonly number[])[] {
  const groups = new Map<number, number[]>();
  open.forEach((group, sample) => {
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
