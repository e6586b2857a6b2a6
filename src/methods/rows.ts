/** Small things that several methods do with labels and rows of features. */
import type { HistoryEntry } from "../model/fitted.ts";
import type { MethodOptions } from "./method.ts";

/** The rows of a matrix of `columns`, in the order of the indices. */
export function gatherRows(
  values: Float32Array,
  columns: number,
  indices: Uint32Array,
  target: Float32Array,
): Float32Array {
  indices.forEach((index, row) => {
    target.set(values.subarray(index * columns, (index + 1) * columns), row * columns);
  });
  return target;
}

export function changedShare(before: Int32Array, after: Int32Array): number {
  let changed = 0;
  for (let i = 0; i < after.length; i++) if (before[i] !== after[i]) changed++;
  return changed / after.length;
}

/** What the history says of the clusters that an epoch begins with. */
export function clusterNotes(
  labels: Int32Array,
  before: Int32Array | undefined,
  { evaluate }: MethodOptions,
): Pick<HistoryEntry, "changed" | "metrics"> {
  const metrics = evaluate?.(labels);
  return {
    ...(before === undefined ? {} : { changed: changedShare(before, labels) }),
    ...(metrics === undefined ? {} : { metrics }),
  };
}
