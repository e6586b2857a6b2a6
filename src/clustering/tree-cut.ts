/** Clusters of a linkage tree, which is cut where k groups of some size remain. */
import type { LinkageTree } from "./graph-linkage.ts";

export interface TreeCutOptions {
  /** The number of clusters. */
  readonly k: number;
  /** Groups of fewer samples are not clusters: outliers join others late. */
  readonly smallest: number;
  /**
   * A group that joined one cluster while its link to another was at least this many times as strong is ambiguous: it
   * might belong to either. So is one that was linked to nothing. Default: 1, which makes no group ambiguous.
   */
  readonly ambiguity?: number;
}

/** Clusters, and the ambiguous groups between them. */
export interface TreeCut {
  /** The cluster of each sample, −1 in groups that are too small or ambiguous. */
  readonly labels: Int32Array;
  /** The ambiguous group of each sample; −1 where it is in none. */
  readonly ambiguous: Int32Array;
}

/** Cuts the tree after the last join at which there are k clusters; undefined if there never are. */
export function cutTree(tree: LinkageTree, { k, smallest, ambiguity = 1 }: TreeCutOptions): TreeCut | undefined {
  const moment = clusterCounts(tree, smallest).lastIndexOf(k);
  if (moment < 0) return undefined;
  const roots = rootsAfter(tree, moment);
  const ambiguous = ambiguousGroups(tree, moment, roots, ambiguity);
  const sizes = new Uint32Array(tree.groupCount);
  for (const group of tree.groups) sizes[roots[group]]++;
  const clusters = new Map<number, number>();
  const isCluster = (group: number): boolean => sizes[roots[group]] >= smallest;
  const labels = tree.groups.map((group) => {
    if (!isCluster(group) || ambiguous[group] >= 0) return -1;
    const cluster = clusters.get(roots[group]) ?? clusters.size;
    clusters.set(roots[group], cluster);
    return cluster;
  });
  return { labels, ambiguous: tree.groups.map((group) => (isCluster(group) ? ambiguous[group] : -1)) };
}

/** The number of groups with at least `smallest` samples before the first join, and after each. */
export function clusterCounts({ groups, groupCount, joins }: LinkageTree, smallest: number): Int32Array {
  const sizes = new Uint32Array(groupCount);
  for (const group of groups) sizes[group]++;
  const isCluster = (size: number): number => (size >= smallest ? 1 : 0);
  const counts = new Int32Array(joins.length + 1);
  counts[0] = sizes.reduce((total, size) => total + isCluster(size), 0);
  joins.forEach(({ into, from }, index) => {
    const joined = sizes[into] + sizes[from];
    counts[index + 1] = counts[index] + isCluster(joined) - isCluster(sizes[into]) - isCluster(sizes[from]);
    [sizes[into], sizes[from]] = [joined, 0];
  });
  return counts;
}

/** The group that each group is part of after `count` joins. In reverse, so that every lookup is final. */
function rootsAfter({ groupCount, joins }: LinkageTree, count: number): Int32Array {
  const roots = Int32Array.from({ length: groupCount }, (_, group) => group);
  for (let index = count - 1; index >= 0; index--) roots[joins[index].from] = roots[joins[index].into];
  return roots;
}

/** The ambiguous group, itself or one it had joined before, with which each group joined its cluster; or −1. */
function ambiguousGroups(
  { groupCount, joins }: LinkageTree,
  count: number,
  roots: Int32Array,
  ambiguity: number,
): Int32Array {
  const ambiguous = new Int32Array(groupCount).fill(-1);
  for (let index = count - 1; index >= 0; index--) {
    const { into, from, affinity, runnerUp, runnerUpAffinity } = joins[index];
    // Without a rival there is no doubt, however weak the link; without any link, nothing speaks for the cluster.
    const hasRival = runnerUp >= 0 && roots[runnerUp] !== roots[into];
    const isTorn = hasRival && runnerUpAffinity >= ambiguity * affinity;
    const doubtful = ambiguity < 1 && (isTorn || affinity === 0);
    ambiguous[from] = doubtful ? from : ambiguous[into];
  }
  return ambiguous;
}
