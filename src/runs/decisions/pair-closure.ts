/** What follows from pairs: whoever is together with one of a group is together with all, and apart from whom it is. */

/** Two images. */
export type Pair = readonly [number, number];

/** Pairs that go with one clustering, which also has what is known. */
export interface Pairs {
  /** Of each image its cluster, −1 where that is not known. */
  readonly known: Int32Array;
  readonly together: readonly Pair[];
  readonly apart: readonly Pair[];
}

/** All that follows: what is together with a known image is known, and pairs of known images need not be said. */
export function closure({ known, together, apart }: Pairs): Pairs {
  const groups = groupsOf(together);
  const all = Int32Array.from(known);
  for (const group of new Set(groups.values())) {
    const cluster = Math.max(...group.map((image) => known[image]));
    if (cluster >= 0) for (const image of group) all[image] = cluster;
  }
  const isOpen = ([a, b]: Pair): boolean => all[a] < 0 || all[b] < 0;
  const groupOf = (image: number): readonly number[] => groups.get(image) ?? [image];
  return {
    known: all,
    together: [...new Set(groups.values())].flatMap(pairsWithin).filter(isOpen),
    apart: distinct(apart.flatMap(([a, b]) => pairsBetween(groupOf(a), groupOf(b)))).filter(isOpen),
  };
}

/** The group of each image that is in a pair. */
function groupsOf(together: readonly Pair[]): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, number[]>();
  for (const [a, b] of together) {
    const [first, second] = [groups.get(a) ?? [a], groups.get(b) ?? [b]];
    const joined = first === second ? first : [...first, ...second];
    for (const image of joined) groups.set(image, joined);
  }
  return groups;
}

const pairsWithin = (group: readonly number[]): Pair[] =>
  group.flatMap((a, index) => group.slice(index + 1).map((b): Pair => [a, b]));

const pairsBetween = (first: readonly number[], second: readonly number[]): Pair[] =>
  first.flatMap((a) => second.map((b): Pair => (a < b ? [a, b] : [b, a])));

const distinct = (pairs: readonly Pair[]): Pair[] => [
  ...new Map(pairs.map((pair) => [pair.join(), pair] as const)).values(),
];
