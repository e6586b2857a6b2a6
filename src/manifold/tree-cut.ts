/** Clusters of a linkage tree: where to cut it, so that k groups of some size are left. */
import type { LinkageTree } from "./graph-linkage.ts";

export interface TreeCutOptions {
  /** The number of clusters. */
  readonly k: number;
  /** Groups of fewer samples are no clusters: outliers stay alone for long, however far the others have grown together. */
  readonly smallest: number;
  /**
   * A group that joined one cluster while it was linked to another this many times as strongly, or more, is left open:
   * it might belong to either. Default: 1, no group is.
   */
  readonly rivalry?: number;
}

/**
 * The cluster of each sample, −1 for those of groups that are too small or left open. The tree is cut at the last moment
 * at which there are k clusters; undefined where there never are.
 */
export function cutTree(tree: LinkageTree, { k, smallest, rivalry = 1 }: TreeCutOptions): Int32Array | undefined {
  const moment = clusterCounts(tree, smallest).lastIndexOf(k);
  if (moment < 0) return undefined;
  const roots = rootsAfter(tree, moment);
  const open = openGroups(tree, moment, roots, rivalry);
  const sizes = new Uint32Array(tree.groupCount);
  for (const group of tree.groups) sizes[roots[group]]++;
  const clusters = new Map<number, number>();
  return tree.groups.map((group) => {
    const root = roots[group];
    if (sizes[root] < smallest || open[group]) return -1;
    const cluster = clusters.get(root) ?? clusters.size;
    clusters.set(root, cluster);
    return cluster;
  });
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

/** What each group is part of after so many joins. From the last to the first, so that a lookup finds what is final. */
function rootsAfter({ groupCount, joins }: LinkageTree, count: number): Int32Array {
  const roots = Int32Array.from({ length: groupCount }, (_, group) => group);
  for (let index = count - 1; index >= 0; index--) roots[joins[index].from] = roots[joins[index].into];
  return roots;
}

/** Which groups joined, by themselves or as part of another, where they might as well have joined another cluster. */
function openGroups({ groupCount, joins }: LinkageTree, count: number, roots: Int32Array, rivalry: number): Uint8Array {
  const open = new Uint8Array(groupCount);
  for (let index = count - 1; index >= 0; index--) {
    const { into, from, affinity, rival, rivalAffinity } = joins[index];
    const doubtful = rivalry < 1 && rivalAffinity >= rivalry * affinity && roots[rival] !== roots[into];
    open[from] = doubtful || open[into] ? 1 : 0;
  }
  return open;
}
