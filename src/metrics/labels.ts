/** Labels as compact indices, for counting. */
import { InputError } from "../files/errors.ts";

/** The labels that occur, numbered from 0 without gaps. */
export interface CompactLabels {
  /** The labels that occur, ascending. */
  readonly names: readonly number[];
  /** The label of each item, as an index into `names`. */
  readonly indices: Uint32Array;
  /** How many items have each label. */
  readonly sizes: Uint32Array;
}

export function compactLabels(labels: ArrayLike<number>, name: string): CompactLabels {
  if (labels.length === 0) throw new InputError(`${name}: there are no labels; give one for each item`);
  const seen = new Map<number, number>();
  const inOrderSeen = Uint32Array.from(labels, (label, item) => {
    if (!Number.isSafeInteger(label) || label < 0)
      throw new InputError(`${name}: the label of item ${item} must be a whole number from 0, not ${label}`);
    const index = seen.get(label) ?? seen.size;
    seen.set(label, index);
    return index;
  });
  const ascending = [...seen].sort(([a], [b]) => a - b);
  const ranks = new Uint32Array(seen.size);
  ascending.forEach(([, index], rank) => {
    ranks[index] = rank;
  });
  const indices = inOrderSeen.map((index) => ranks[index]);
  return { names: ascending.map(([label]) => label), indices, sizes: occurrences(indices, seen.size) };
}

/** How often each number from 0 to count − 1 occurs. */
export function occurrences(indices: Iterable<number>, count: number): Uint32Array {
  const sizes = new Uint32Array(count);
  for (const index of indices) sizes[index]++;
  return sizes;
}
