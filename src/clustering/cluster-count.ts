/** The number of clusters, from the tree by which samples join. */
import type { LinkageTree } from "./graph-linkage.ts";
import { clusterCounts } from "./tree-cut.ts";

/** The evidence for k clusters. */
export interface CountEvidence {
  readonly k: number;
  /**
   * The logarithm of the ratio of two links: the one that joined k + 1 clusters to k, and the one that joins these to
   * k − 1. Links within clusters are strong, those between them are weak.
   */
  readonly gap: number;
}

export interface EvidenceOptions {
  /** The largest number of clusters considered. */
  readonly most: number;
  /** A group is a cluster if it has at least this share of the average cluster. */
  readonly smallestShare: number;
}

/** The evidence for each k from 2 on that occurs in the tree. */
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

/** A missing link counts as this many times weaker than the weakest one. */
const unlinked = 5;

/** The strengths of the links by which the tree reaches k clusters and leaves them; undefined if it never has k. */
function linksAround(tree: LinkageTree, k: number, smallestShare: number) {
  const counts = clusterCounts(tree, (smallestShare * tree.groups.length) / k);
  const last = counts.lastIndexOf(k);
  if (last < 1) return undefined;
  let first = last;
  while (first > 0 && !(counts[first] === k && counts[first - 1] === k + 1)) first--;
  if (first === 0) return undefined;
  return { reached: tree.joins[first - 1].affinity, left: tree.joins[last]?.affinity ?? 0 };
}

/** What decides which gaps count, where somebody studies how much each of it matters. */
export interface CountRules {
  /** Gaps below `clearGap + clearGapOverK / k` do not count: points without clusters have gaps too, wider for smaller k. */
  readonly clearGap: number;
  readonly clearGapOverK: number;
  /** A gap is wide if it has at least this share of the widest clear one. */
  readonly wideShare: number;
  /** Links so many times weaker are as good as none: a wider gap says no more about finer clusters. */
  readonly weakest: number;
}

export const countRules: CountRules = { clearGap: 0.5, clearGapOverK: 3, wideShare: 0.55, weakest: 6 };

/**
 * The largest number of clusters that are about as clearly separated as any smaller number would be: coarser ones are
 * clusters of clusters. Undefined where no gap is clear.
 */
export function clearCount(evidence: readonly CountEvidence[], rules = countRules): number | undefined {
  const { clearGap, clearGapOverK, wideShare, weakest } = rules;
  const clear = evidence.filter(({ k, gap }) => gap >= clearGap + clearGapOverK / k);
  const widest = Math.min(Math.log(weakest), Math.max(...clear.map(({ gap }) => gap)));
  return clear.findLast(({ gap }) => gap >= wideShare * widest)?.k;
}

/** The numbers with the widest gaps, widest first. */
export const likelyCounts = (evidence: readonly CountEvidence[], most = 3): readonly number[] =>
  [...evidence]
    .sort((a, b) => b.gap - a.gap)
    .slice(0, most)
    .map(({ k }) => k);
