/** A tree of clusters: coarser groups are whole clusters merged, finer ones are parts of one cluster. */
import { InputError } from "../files/errors.ts";

/** Group `from` becomes part of group `into`, the larger of the two. */
export interface Merge {
  readonly into: number;
  readonly from: number;
  /**
   * From 0, where nothing links the two. Within a cluster, the affinity of graph degree linkage; between clusters, how
   * near their means are, up to 1. The two are not to be compared.
   */
  readonly strength: number;
}

export interface ClusterTree {
  /** The finest group of each image. */
  readonly groups: Int32Array;
  /** The cluster that each finest group is part of. */
  readonly clusters: Int32Array;
  /** From the finest groups to one. Those within clusters come first; after them, there are the clusters. */
  readonly merges: readonly Merge[];
}

/** The groups of one level. */
export interface TreeLevel {
  /**
   * "3" is cluster 3; "3.1", "3.2" and so on are its parts; "0+4" are two clusters together. When a part splits, the
   * larger piece keeps its number, and the smaller one takes the next of the cluster.
   */
  readonly names: readonly string[];
  /** The group of each image, an index into `names`. */
  readonly groups: Int32Array;
}

/** The number of clusters that have images: the level at which groups are clusters. */
export const clusterLevel = ({ clusters }: ClusterTree): number => new Set(clusters).size;

/** The number of groups at the finest level. */
export const finestLevel = ({ clusters }: ClusterTree): number => clusters.length;

/** The `level` groups of that level, from 1 to the finest. */
export function cutAtLevel(tree: ClusterTree, level: number): TreeLevel {
  const finest = finestLevel(tree);
  if (!Number.isInteger(level) || level < 1 || level > finest)
    throw new InputError(`level must be a whole number from 1 to ${finest}, not ${level}`, { option: "level" });
  const roots = rootsAt(tree, level);
  const names = groupNames(tree, level, roots);
  const order = [...new Set(roots)].sort((a, b) => compareNames(names[a], names[b]));
  const places = new Map(order.map((root, place) => [root, place]));
  return {
    names: order.map((root) => names[root].join("")),
    groups: tree.groups.map((group) => places.get(roots[group]) ?? 0),
  };
}

/** The tree without what is finer than a level. */
export function coarsened(tree: ClusterTree, level: number): ClusterTree {
  const roots = rootsAt(tree, level);
  const order = [...new Set(roots)].sort((a, b) => a - b);
  const numbers = new Map(order.map((root, number) => [root, number]));
  const numberOf = (root: number): number => numbers.get(root) ?? 0;
  return {
    groups: tree.groups.map((group) => numberOf(roots[group])),
    clusters: Int32Array.from(order, (root) => tree.clusters[root]),
    merges: tree.merges
      .slice(finestLevel(tree) - level)
      .map(({ into, from, strength }) => ({ into: numberOf(into), from: numberOf(from), strength })),
  };
}

/** The group that each finest group is part of. In reverse, so that every lookup is final. */
function rootsAt(tree: ClusterTree, level: number): Int32Array {
  const roots = Int32Array.from(tree.clusters.keys());
  for (let index = finestLevel(tree) - level - 1; index >= 0; index--)
    roots[tree.merges[index].from] = roots[tree.merges[index].into];
  return roots;
}

/** Numbers with what stands between them. */
type NameParts = readonly (number | string)[];

/** More clusters than this make a name too long for a folder. */
const mostNamed = 8;

function groupNames(tree: ClusterTree, level: number, roots: Int32Array): NameParts[] {
  if (level >= clusterLevel(tree)) return partNames(tree, level);
  const merged = Array.from(roots, () => new Set<number>());
  roots.forEach((root, group) => {
    merged[root].add(tree.clusters[group]);
  });
  return merged.map(joinedName);
}

function partNames(tree: ClusterTree, level: number): NameParts[] {
  const names: NameParts[] = Array.from(tree.clusters, (cluster) => [cluster]);
  const parts = new Map<number, number>();
  for (let index = finestLevel(tree) - clusterLevel(tree) - 1; index >= finestLevel(tree) - level; index--) {
    const { into, from } = tree.merges[index];
    const cluster = tree.clusters[into];
    const next = (parts.get(cluster) ?? 1) + 1;
    parts.set(cluster, next);
    names[from] = [cluster, ".", next];
    if (next === 2) names[into] = [cluster, ".", 1];
  }
  return names;
}

/** A cluster is in one group only, so that the first ones tell groups apart. */
function joinedName(clusters: ReadonlySet<number>): NameParts {
  const sorted = [...clusters].sort((a, b) => a - b);
  const named = sorted.slice(0, mostNamed).flatMap((cluster, index) => (index === 0 ? [cluster] : ["+", cluster]));
  return sorted.length > mostNamed ? [...named, `+${sorted.length - mostNamed}-more`] : named;
}

function compareNames(a: NameParts, b: NameParts): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const difference = Number(a[index]) - Number(b[index]);
    if (difference !== 0 && !Number.isNaN(difference)) return difference;
  }
  return a.length - b.length;
}
