/**
 * Statements about images that go with one another. From the last to the first, each is taken unless it contradicts what
 * follows from those already taken: so what was said later holds, and what it contradicts is listed.
 */
import type { Contradiction } from "./constraints.ts";
import type { Pair } from "./pair-closure.ts";

/** An image is in a cluster. */
export interface Placement {
  readonly image: number;
  readonly cluster: number;
  /** Of the decision that says so. */
  readonly number: number;
}

/** Two images are in one cluster, or in two. */
export interface PairStatement {
  readonly pair: Pair;
  readonly together: boolean;
  /** Of the decision that says so. */
  readonly number: number;
}

export interface Consistent {
  readonly placements: readonly Placement[];
  readonly pairs: readonly PairStatement[];
  readonly contradictions: readonly Contradiction[];
}

export function consistentStatements(
  placements: readonly Placement[],
  pairs: readonly PairStatement[],
  images: number,
): Consistent {
  const taken = new TakenStatements(images);
  const contradictions: Contradiction[] = [];
  const latestFirst = [...placements, ...pairs].sort((a, b) => b.number - a.number);
  const refused = new Set(
    latestFirst.filter((statement) => {
      const later = taken.take(statement);
      if (later !== undefined) contradictions.push({ image: firstImage(statement), earlier: statement.number, later });
      return later !== undefined;
    }),
  );
  return {
    placements: placements.filter((statement) => !refused.has(statement)),
    pairs: pairs.filter((statement) => !refused.has(statement)),
    contradictions: contradictions.reverse(),
  };
}

const firstImage = (statement: Placement | PairStatement): number =>
  "pair" in statement ? statement.pair[0] : statement.image;

interface Link {
  readonly to: number;
  readonly number: number;
}

interface Gap {
  readonly ends: Pair;
  readonly number: number;
}

/** Clusters are nodes like images: whoever is in a cluster is together with its node, and no two of those are. */
class TakenStatements {
  readonly #images: number;
  readonly #parents = new Map<number, number>();
  /** By the root of a group: its cluster's node, if that is known. */
  readonly #clusters = new Map<number, number>();
  /** By the root of a group: what its members are apart from. */
  readonly #gaps = new Map<number, readonly Gap[]>();
  /** A forest: between two nodes of a group there is one way. */
  readonly #links = new Map<number, Link[]>();

  constructor(images: number) {
    this.#images = images;
  }

  /** The highest number of statements which, together, it contradicts; undefined where there are none, and it is taken. */
  take(statement: Placement | PairStatement): number | undefined {
    const { number } = statement;
    if (!("pair" in statement)) return this.#join([statement.image, this.#images + statement.cluster], number);
    return statement.together ? this.#join(statement.pair, number) : this.#part(statement.pair, number);
  }

  #join(ends: Pair, number: number): number | undefined {
    const [first, second] = ends.map((node) => this.#rootOf(node));
    if (first === second) return undefined;
    const contradicted = this.#latestBetween(ends, first, second);
    if (contradicted !== undefined) return contradicted;
    // What is known is large, as a rule: it takes in the other.
    const [root, other] = this.#clusterOf(second) >= 0 ? [second, first] : [first, second];
    this.#parents.set(other, root);
    const cluster = Math.max(this.#clusterOf(root), this.#clusterOf(other));
    if (cluster >= 0) this.#clusters.set(root, cluster);
    this.#gaps.set(root, [...this.#gapsOf(root), ...this.#gapsOf(other)]);
    const [a, b] = ends;
    this.#linksOf(a).push({ to: b, number });
    this.#linksOf(b).push({ to: a, number });
    return undefined;
  }

  #part(ends: Pair, number: number): number | undefined {
    const [first, second] = ends.map((node) => this.#rootOf(node));
    if (first === second) return this.#latestOnWay(...ends);
    const gap = { ends, number };
    this.#gaps.set(first, [...this.#gapsOf(first), gap]);
    this.#gaps.set(second, [...this.#gapsOf(second), gap]);
    return undefined;
  }

  /** Of the statements because of which two groups are apart. */
  #latestBetween([a, b]: Pair, first: number, second: number): number | undefined {
    const clusters = [this.#clusterOf(first), this.#clusterOf(second)];
    if (clusters[0] >= 0 && clusters[1] >= 0)
      return Math.max(this.#latestOnWay(a, clusters[0]), this.#latestOnWay(b, clusters[1]));
    const fewer = this.#gapsOf(first).length < this.#gapsOf(second).length ? first : second;
    for (const { ends, number } of this.#gapsOf(fewer)) {
      const roots = ends.map((node) => this.#rootOf(node));
      if (!roots.includes(first) || !roots.includes(second)) continue;
      const [near, far] = roots[0] === first ? ends : [ends[1], ends[0]];
      return Math.max(number, this.#latestOnWay(a, near), this.#latestOnWay(b, far));
    }
    return undefined;
  }

  /** The highest number of the links from a node to another of its group; 0 where they are one. */
  #latestOnWay(from: number, to: number): number {
    const seen = new Map([[from, 0]]);
    for (const [node, latest] of seen)
      for (const link of this.#links.get(node) ?? [])
        if (!seen.has(link.to)) seen.set(link.to, Math.max(latest, link.number));
    return seen.get(to) ?? 0;
  }

  #rootOf(node: number): number {
    let root = node;
    for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root)) root = parent;
    if (root !== node) this.#parents.set(node, root);
    return root;
  }

  /** The node of a cluster is its own group at first. */
  #clusterOf(root: number): number {
    return this.#clusters.get(root) ?? (root >= this.#images ? root : -1);
  }

  #gapsOf(root: number): readonly Gap[] {
    return this.#gaps.get(root) ?? [];
  }

  #linksOf(node: number): Link[] {
    const known = this.#links.get(node) ?? [];
    this.#links.set(node, known);
    return known;
  }
}
