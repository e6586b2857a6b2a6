/** What the model says of each image, column by column: 100,000 images take a few megabytes. */
import type { AssignmentRow } from "../../runs/assignments.ts";

export interface RunTable {
  readonly count: number;
  readonly items: readonly string[];
  readonly clusters: Int32Array;
  readonly scores: Float32Array;
  /** By how much the first score is larger than the second. */
  readonly margins: Float32Array;
  /** The next best cluster; −1 where there is only one. */
  readonly seconds: Int32Array;
}

export function runTable(rows: readonly AssignmentRow[]): RunTable {
  return {
    count: rows.length,
    items: rows.map(({ item }) => item),
    clusters: Int32Array.from(rows, ({ cluster }) => cluster),
    scores: Float32Array.from(rows, ({ score }) => score),
    margins: Float32Array.from(rows, ({ margin }) => margin),
    seconds: Int32Array.from(rows, ({ secondCluster }) => secondCluster ?? -1),
  };
}
