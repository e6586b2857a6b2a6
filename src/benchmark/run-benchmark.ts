/** Runs the cells of a plan one after another. A benchmark that was stopped continues when it is run again. */
import { existsSync } from "node:fs";
import { InputError } from "../files/errors.ts";
import type { Dataset } from "../images/dataset.ts";
import { openDataset } from "../images/sources/open.ts";
import type { ProgressEvent } from "../methods/training/progress.ts";
import { type Cell, type CellRecord, cellName, partialFolder, readCell, removePartial, storeCell } from "./cell.ts";
import { isWanted } from "./cell-states.ts";
import { type CellWork, cellCheckpoints, cellWork, differenceFrom, runCell } from "./cell-work.ts";
import { type BenchmarkMethod, contenders } from "./contenders.ts";
import { expectLabelled, type LabelledDataset } from "./labelled-dataset.ts";
import { type BenchmarkPlan, cellsOf, expectMethod, type PlannedDataset } from "./plan.ts";
import { writeReport } from "./report-files.ts";
import { removeSharedPretraining } from "./shared-pretraining.ts";

export type BenchmarkEvent =
  /** A cell starts, or continues from its checkpoint. */
  | { readonly kind: "start"; readonly cell: Cell; readonly resumed: boolean }
  /** A cell had been done before; `difference` says how it differs from what would be run now. */
  | { readonly kind: "kept"; readonly cell: Cell; readonly difference: string | undefined }
  | { readonly kind: "progress"; readonly event: ProgressEvent }
  | { readonly kind: "done"; readonly record: CellRecord }
  /** `failure` is one line that names the cell or the dataset; `option` is what it is about, if anything. */
  | { readonly kind: "failed"; readonly failure: string; readonly option: string | undefined };

export interface BenchmarkOptions {
  /** The folder of the benchmark: its cells, and the report on all of them. */
  readonly out: string;
  /** Run cells again that were made with other settings or of other images. Default: false, they are kept. */
  readonly force?: boolean;
  /** Default: all cores. */
  readonly threads?: number;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: BenchmarkEvent) => void;
  /** The command that makes the results, stored with them. */
  readonly command?: string;
  /** Default: `openDataset`. */
  readonly open?: (source: string) => Promise<Dataset>;
  /** By name. Default: all methods. */
  readonly methods?: Readonly<Record<string, BenchmarkMethod>>;
  /** A clock in milliseconds. Default: performance.now. */
  readonly clock?: () => number;
}

/** Returns one line per failure: bad input stops its own cell, or all cells of its dataset, but not the others. */
export async function runBenchmark(plan: BenchmarkPlan, options: BenchmarkOptions): Promise<readonly string[]> {
  const failures: string[] = [];
  const attempt = async (prefix: string, action: () => Promise<void>): Promise<void> => {
    options.signal?.throwIfAborted();
    try {
      await action();
    } catch (error) {
      if (options.signal?.aborted || !(error instanceof InputError)) throw error;
      const failure = prefix + error.message;
      failures.push(failure);
      options.onEvent?.({ kind: "failed", failure, option: error.option });
    }
  };
  writeReport(options.out);
  for (const planned of plan.datasets)
    await attempt("", async () => {
      const dataset = await openLabelled(planned, options);
      try {
        for (const cell of cellsOf(planned, plan))
          if (isWanted(cell, plan, options.out))
            await attempt(`${cellName(cell)}: `, () => finishCell(cell, dataset, options));
        removeSharedPretraining(options.out);
      } finally {
        dataset.close();
      }
    });
  return failures;
}

async function openLabelled({ source, name }: PlannedDataset, { open, signal }: BenchmarkOptions) {
  const dataset = await (open ?? ((path) => openDataset(path, { signal })))(source);
  return expectLabelled(dataset, name);
}

/** Runs a cell and stores it, unless it has been done. */
async function finishCell(cell: Cell, dataset: LabelledDataset, options: BenchmarkOptions): Promise<void> {
  const { out, force = false, onEvent } = options;
  const { methods = contenders } = options;
  expectMethod(cell.method, Object.keys(methods));
  const work = cellWork(cell, methods[cell.method], dataset, options);
  const stored = readCell(out, cell);
  const difference = stored === undefined ? undefined : differenceFrom(stored, work);
  if (stored !== undefined && !(force && difference !== undefined)) {
    if (difference === undefined) removePartial(out, cell);
    onEvent?.({ kind: "kept", cell, difference });
    return;
  }
  if (force) removeForeignPartial(work, out);
  onEvent?.({ kind: "start", cell, resumed: existsSync(partialFolder(out, cell)) });
  const record = await runCell(work, { ...options, onProgress: (event) => onEvent?.({ kind: "progress", event }) });
  storeCell(out, record);
  writeReport(out);
  onEvent?.({ kind: "done", record });
}

/** Removes a checkpoint from which the work cannot continue. */
function removeForeignPartial(work: CellWork, out: string): void {
  try {
    cellCheckpoints(work, out).load();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    removePartial(out, work.cell);
  }
}
