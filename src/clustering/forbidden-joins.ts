/** Which groups of samples must not join: those of two labels, and those with a pair that must stay apart. */
import type { SampleConstraints } from "./sample-constraints.ts";

export class Forbidden {
  /** By group, the label that is known of it; −1 where none is. */
  readonly #labels: Map<number, number>;
  readonly #apart: Map<number, Set<number>>;

  /** `groups`: the group of each sample, in which no two are that must stay apart. */
  constructor({ known, apart }: SampleConstraints, groups: Int32Array) {
    this.#labels = new Map();
    known.forEach((label, sample) => {
      if (label >= 0) this.#labels.set(groups[sample], label);
    });
    this.#apart = new Map();
    for (const [a, b] of apart) {
      this.#apartFrom(groups[a]).add(groups[b]);
      this.#apartFrom(groups[b]).add(groups[a]);
    }
  }

  has(a: number, b: number): boolean {
    const [first, second] = [this.#labels.get(a), this.#labels.get(b)];
    if (first !== undefined && second !== undefined && first !== second) return true;
    return this.#apart.get(a)?.has(b) ?? false;
  }

  /** Group `from` is a part of group `into` from now on. */
  join(into: number, from: number): void {
    const label = this.#labels.get(from);
    if (label !== undefined) this.#labels.set(into, label);
    for (const other of this.#apart.get(from) ?? []) {
      this.#apartFrom(into).add(other);
      this.#apartFrom(other).add(into).delete(from);
    }
    this.#labels.delete(from);
    this.#apart.delete(from);
  }

  #apartFrom(group: number): Set<number> {
    const others = this.#apart.get(group) ?? new Set();
    this.#apart.set(group, others);
    return others;
  }
}
