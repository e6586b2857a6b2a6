/** The states of a plan's cells: done, or to be run. */
import { existsSync } from "node:fs";
import { type Cell, partialFolder, readCell } from "./cell.ts";
import { type BenchmarkPlan, cellsOf, decidingCell, wasFast } from "./plan.ts";

/** "perhaps": to be run if the first seed does not take long. */
export type CellState = "done" | "begun" | "to do" | "perhaps";

/** Every cell of the plan that is or may become necessary. */
export function listCells(plan: BenchmarkPlan, out: string): { readonly cell: Cell; readonly state: CellState }[] {
  return plan.datasets.flatMap((planned) =>
    [...cellsOf(planned, plan)].flatMap((cell) => {
      const state = stateOf(cell, plan, out);
      return state === undefined ? [] : [{ cell, state }];
    }),
  );
}

function stateOf(cell: Cell, plan: BenchmarkPlan, out: string): CellState | undefined {
  if (readCell(out, cell) !== undefined) return "done";
  if (isWanted(cell, plan, out)) return existsSync(partialFolder(out, cell)) ? "begun" : "to do";
  const first = decidingCell(cell, plan);
  return first !== undefined && readCell(out, first) === undefined ? "perhaps" : undefined;
}

/** Whether the cell is to be run, as far as is known now. */
export function isWanted(cell: Cell, plan: BenchmarkPlan, out: string): boolean {
  const first = decidingCell(cell, plan);
  return first === undefined || wasFast(readCell(out, first));
}
