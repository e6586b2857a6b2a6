/** The results of a benchmark: the tables of all its cells, and how they were made. */
import type { Versions } from "../runs/versions.ts";
import type { CellRecord } from "./cell.ts";
import type { Machine } from "./machine.ts";
import { benchmarkTables, type DatasetTable } from "./tables.ts";

export interface BenchmarkReport {
  readonly format: string;
  /** The commands that made its cells. */
  readonly commands: readonly string[];
  readonly versions: readonly Versions[];
  readonly machines: readonly Machine[];
  readonly tables: readonly DatasetTable[];
}

export function benchmarkReport(cells: readonly CellRecord[]): BenchmarkReport {
  return {
    format: "boostcluster benchmark 1",
    commands: distinct(cells.flatMap(({ command }) => command ?? [])),
    versions: distinct(cells.map(({ versions }) => versions)),
    machines: distinct(cells.map(({ machine }) => machine)),
    tables: benchmarkTables(cells),
  };
}

/** Each value once, in order; compared by content. */
export function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
