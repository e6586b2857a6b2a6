/** What a benchmark has found: the tables of all its cells, and what made them. */
import type { Versions } from "../runs/versions.ts";
import type { CellRecord } from "./cell.ts";
import type { Machine } from "./machine.ts";
import { benchmarkTables, type DatasetTable } from "./tables.ts";

export interface BenchmarkReport {
  readonly format: string;
  /** What was typed to make its cells. */
  readonly commands: readonly string[];
  readonly versions: readonly Versions[];
  readonly machines: readonly Machine[];
  readonly tables: readonly DatasetTable[];
}

export function benchmarkReport(cells: readonly CellRecord[]): BenchmarkReport {
  return {
    format: "boostcluster benchmark 1",
    commands: different(cells.flatMap(({ command }) => command ?? [])),
    versions: different(cells.map(({ versions }) => versions)),
    machines: different(cells.map(({ machine }) => machine)),
    tables: benchmarkTables(cells),
  };
}

/** Each once, in order; compared by value. */
function different<Value>(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
