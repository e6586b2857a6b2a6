/** How many clusters there are, by how samples grow together. */
import type { LinkageTree } from "./graph-linkage.ts";
import { clusterCounts } from "./tree-cut.ts";

/** What speaks for k clusters. */
export interface CountEvidence {
  readonly k: number;
  /**
   * The logarithm of how many times weaker the link is that makes k − 1 clusters of them than the one that made k of
   * k + 1: within clusters links are strong, between them they are weak.
   */
  readonly gap: number;
}

export interface EvidenceOptions {
  /** The most clusters that are thought of. */
  readonly most: number;
  /** A group is a cluster from this share of the average cluster on. */
  readonly smallestShare: number;
}

/** Of each k from 2 on that the tree comes by. */
export function countEvidence(tree: LinkageTree, { most, smallestShare }: EvidenceOptions): readonly CountEvidence[] {
  const found: { readonly k: number; readonly reached: number; readonly left: number }[] = [];
  for (let k = 2; k <= most; k++) {
    const around = linksAround(tree, k, smallestShare);
    if (around !== undefined) found.push({ k, ...around });
  }
  const links = found.flatMap(({ reached, left }) => [reached, left]).filter((link) => link > 0);
  const weakest = links.length === 0 ? 1 : Math.min(...links);
  const strength = (link: number): number => Math.max(link, weakest / unlinked);
  return found.map(({ k, reached, left }) => ({ k, gap: Math.log(strength(reached) / strength(left)) }));
}

/** No link at all counts as so many times weaker than the weakest that there is. */
const unlinked = 5;

/** How strong the links are by which the tree comes to k clusters and leaves them; undefined where it does not. */
function linksAround(tree: LinkageTree, k: number, smallestShare: number) {
  const counts = clusterCounts(tree, (smallestShare * tree.groups.length) / k);
  const last = counts.lastIndexOf(k);
  if (last < 1) return undefined;
  let first = last;
  while (first > 0 && !(counts[first] === k && counts[first - 1] === k + 1)) first--;
  if (first === 0) return undefined;
  return { reached: tree.joins[first - 1].affinity, left: tree.joins[last]?.affinity ?? 0 };
}

/** The gap from which k clusters are clear. Points without any clusters have gaps too, the wider the fewer groups. */
const clearGap = (k: number): number => 0.5 + 3 / k;

/** A gap counts from this share of the widest clear one on. */
const wideShare = 0.55;

/** Links six times weaker are as good as none: how much wider a gap is says nothing about finer clusters. */
const widestGap = Math.log(6);

/**
 * The largest number of clusters that are still about as far apart as fewer would be: coarser ones are clusters of clusters. Undefined where no gap is
 * clear.
 */
export function clearCount(evidence: readonly CountEvidence[]): number | undefined {
  const clear = evidence.filter(({ k, gap }) => gap >= clearGap(k));
  const widest = Math.min(widestGap, Math.max(...clear.map(({ gap }) => gap)));
  return clear.findLast(({ gap }) => gap >= wideShare * widest)?.k;
}

/** Those with the widest gaps, widest first. */
export const likelyCounts = (evidence: readonly CountEvidence[], most = 3): readonly number[] =>
  [...evidence]
    .sort((a, b) => b.gap - a.gap)
    .slice(0, most)
    .map(({ k }) => k);
