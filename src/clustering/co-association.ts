/**
 * How often samples were in one cluster in many clusterings (Fred & Jain: Combining Multiple Clusterings Using Evidence
 * Accumulation, 2005), and the average linkage of it: what single clusterings get wrong at random, they do not agree on.
 */
import type { Join, LinkageTree } from "./graph-linkage.ts";

export class CoAssociation {
  readonly rows: number;
  /** [rows, rows]: sums of the probability that two samples are in one cluster. */
  readonly #sums: Float32Array;
  #clusterings = 0;

  constructor(rows: number) {
    this.rows = rows;
    this.#sums = new Float32Array(rows * rows);
  }

  /** `responsibilities` [rows, k]: how probable each cluster is for each sample. */
  add(responsibilities: Float32Array, k: number): void {
    this.#clusterings++;
    for (let j = 0; j < k; j++) {
      const members: number[] = [];
      for (let row = 0; row < this.rows; row++) if (responsibilities[row * k + j] > negligible) members.push(row);
      for (const a of members) {
        const weight = responsibilities[a * k + j];
        const start = a * this.rows;
        for (const b of members) this.#sums[start + b] += weight * responsibilities[b * k + j];
      }
    }
  }

  /** From single samples to one group, first those that were together most often on average. */
  linkage(): LinkageTree {
    const affinities = this.#sums.map((sum) => sum / this.#clusterings);
    return {
      groups: Int32Array.from({ length: this.rows }, (_, row) => row),
      groupCount: this.rows,
      joins: averageJoins(affinities, this.rows),
    };
  }
}

/** Smaller probabilities change nothing. */
const negligible = 1e-3;

/**
 * Average linkage by chains of nearest neighbours (Murtagh, 1983), which finds the same joins in the time of the
 * affinities' number; by strength in the end.
 */
function averageJoins(affinities: Float32Array, rows: number): Join[] {
  const sizes = new Float64Array(rows).fill(1);
  const alive = Uint8Array.from({ length: rows }, () => 1);
  const joins: Join[] = [];
  const chain: number[] = [];
  let first = 0;
  while (joins.length < rows - 1) {
    if (chain.length === 0) {
      while (alive[first] === 0) first++;
      chain.push(first);
    }
    const tip = chain[chain.length - 1];
    const before = chain[chain.length - 2] ?? -1;
    const next = strongest(affinities, rows, alive, tip, before);
    if (next !== before) {
      chain.push(next);
      continue;
    }
    chain.length -= 2;
    const [into, from] = [Math.min(tip, next), Math.max(tip, next)];
    joins.push({ into, from, affinity: affinities[into * rows + from], runnerUp: -1, runnerUpAffinity: 0 });
    const total = sizes[into] + sizes[from];
    for (let other = 0; other < rows; other++) {
      if (alive[other] === 0) continue;
      const mean =
        (sizes[into] * affinities[into * rows + other] + sizes[from] * affinities[from * rows + other]) / total;
      affinities[into * rows + other] = mean;
      affinities[other * rows + into] = mean;
    }
    sizes[into] = total;
    alive[from] = 0;
  }
  return inOrder(joins, rows);
}

/** The group with the strongest link to `group`; the one that the chain came from wins ties, so that chains end. */
function strongest(affinities: Float32Array, rows: number, alive: Uint8Array, group: number, before: number): number {
  let [best, most] = [before, before < 0 ? -1 : affinities[group * rows + before]];
  for (let other = 0; other < rows; other++)
    if (alive[other] === 1 && other !== group && affinities[group * rows + other] > most)
      [best, most] = [other, affinities[group * rows + other]];
  return best;
}

/** Joins by strength. A group that an earlier join has renamed is called by its first sample, as everywhere. */
function inOrder(joins: readonly Join[], rows: number): Join[] {
  const roots = Int32Array.from({ length: rows }, (_, row) => row);
  const rootOf = (row: number): number => {
    let root = row;
    while (roots[root] !== root) root = roots[root];
    return root;
  };
  return joins
    .toSorted((a, b) => b.affinity - a.affinity)
    .map((join) => {
      const [a, b] = [rootOf(join.into), rootOf(join.from)];
      const [into, from] = [Math.min(a, b), Math.max(a, b)];
      roots[from] = into;
      return { ...join, into, from };
    });
}
