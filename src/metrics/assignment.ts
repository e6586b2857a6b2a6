/** The best one-to-one map of clusters to classes, and its accuracy. */
import { munkres } from "munkres";
import type { ContingencyTable } from "./contingency.ts";

/** The class and the cluster of each pair of the map, as indices into the table. */
type Pair = readonly [row: number, column: number];

/** As many pairs as there are classes or clusters, whichever are fewer, that together hold the most items. */
function optimalPairs({ classes, clusters, counts }: ContingencyTable): Pair[] {
  const costs = classes.map((_, row) =>
    Int32Array.from(counts.subarray(row * clusters.length, (row + 1) * clusters.length), (count) => -count),
  );
  return munkres(costs);
}

/** ACC: the share of the items whose cluster is mapped to their class. */
export function accuracyOf(table: ContingencyTable): number {
  const hits = optimalPairs(table).reduce(
    (sum, [row, column]) => sum + table.counts[row * table.clusters.length + column],
    0,
  );
  return hits / table.total;
}

/** Cluster → class. */
export function optimalMapOf(table: ContingencyTable): Map<number, number> {
  const pairs = optimalPairs(table).map(([row, column]): [number, number] => [
    table.clusters[column],
    table.classes[row],
  ]);
  return new Map(pairs.sort(([a], [b]) => a - b));
}

export interface ConfusionMatrix {
  /** The class of each row, ascending. */
  readonly classes: readonly number[];
  /**
   * The cluster of each column: for each class the cluster mapped to it (undefined where there is none), then the
   * clusters that are mapped to no class.
   */
  readonly clusters: readonly (number | undefined)[];
  /** [classes][clusters]; correctly mapped items are on the diagonal. */
  readonly counts: readonly (readonly number[])[];
}

export function confusionMatrixOf(table: ContingencyTable): ConfusionMatrix {
  const { classes, clusters, counts } = table;
  const columnOfRow = new Map(optimalPairs(table));
  const mapped = new Set(columnOfRow.values());
  const rest = [...clusters.keys()].filter((column) => !mapped.has(column));
  const columns = [...classes.map((_, row) => columnOfRow.get(row)), ...rest];
  return {
    classes,
    clusters: columns.map((column) => (column === undefined ? undefined : clusters[column])),
    counts: classes.map((_, row) =>
      columns.map((column) => (column === undefined ? 0 : counts[row * clusters.length + column])),
    ),
  };
}
