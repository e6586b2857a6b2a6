/**
 * A neighbour graph made coarse: samples that are most strongly linked join, two at a time, until there are few enough
 * groups (heavy-edge matching, as Karypis & Kumar, 1998, coarsen graphs before they cut them).
 */
import type { NeighbourGraph } from "./neighbour-graph.ts";

export interface GraphGroups {
  readonly count: number;
  /** The group of each sample. */
  readonly groups: Int32Array;
  /** Of each group, how strongly it is linked to each other; between groups and within. */
  readonly links: readonly ReadonlyMap<number, number>[];
  readonly sizes: Uint32Array;
}

/** No group has more samples than this many times the average. */
const largestShare = 2;

/** `most`: the most groups. Where too little is linked there may be more. */
export function graphGroups(graph: NeighbourGraph, most: number): GraphGroups {
  let coarse = singleSamples(graph);
  const largest = Math.max(2, Math.ceil((largestShare * graph.count) / most));
  while (coarse.count > most) {
    const next = joined(coarse, partners(coarse, { most, largest }));
    if (next.count === coarse.count) break;
    coarse = next;
  }
  return coarse;
}

function singleSamples({ count, starts, others, weights }: NeighbourGraph): GraphGroups {
  const links = Array.from({ length: count }, (_, sample) => {
    const own = new Map<number, number>();
    for (let edge = starts[sample]; edge < starts[sample + 1]; edge++) own.set(others[edge], weights[edge]);
    return own;
  });
  return {
    count,
    groups: Int32Array.from({ length: count }, (_, sample) => sample),
    links,
    sizes: new Uint32Array(count).fill(1),
  };
}

/** The group that each joins, or itself: the strongest pairs first. */
function partners(
  { count, links, sizes }: GraphGroups,
  { most, largest }: { readonly most: number; readonly largest: number },
): Int32Array {
  const pairs: { readonly a: number; readonly b: number; readonly strength: number }[] = [];
  links.forEach((own, a) => {
    for (const [b, link] of own)
      if (a < b && sizes[a] + sizes[b] <= largest) pairs.push({ a, b, strength: link / (sizes[a] * sizes[b]) });
  });
  pairs.sort((one, other) => other.strength - one.strength);
  const partner = Int32Array.from({ length: count }, (_, group) => group);
  const isFree = (group: number): boolean => partner[group] === group;
  let left = count;
  for (const { a, b } of pairs) {
    if (left <= most) break;
    if (!isFree(a) || !isFree(b)) continue;
    [partner[a], partner[b]] = [b, a];
    left--;
  }
  return partner;
}

function joined({ count, groups, links, sizes }: GraphGroups, partner: Int32Array): GraphGroups {
  const numbers = new Int32Array(count);
  let left = 0;
  for (let group = 0; group < count; group++)
    numbers[group] = partner[group] < group ? numbers[partner[group]] : left++;
  const newSizes = new Uint32Array(left);
  const newLinks = Array.from({ length: left }, () => new Map<number, number>());
  for (let group = 0; group < count; group++) {
    newSizes[numbers[group]] += sizes[group];
    const own = newLinks[numbers[group]];
    for (const [other, link] of links[group]) own.set(numbers[other], (own.get(numbers[other]) ?? 0) + link);
  }
  return { count: left, groups: groups.map((group) => numbers[group]), links: newLinks, sizes: newSizes };
}
