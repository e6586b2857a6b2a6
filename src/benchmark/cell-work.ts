/** The work of a cell: the method, its images and its options; and how it is done. */
import { withoutLabels } from "../images/dataset.ts";
import type { MethodOptions } from "../methods/method.ts";
import type { OnProgress } from "../methods/training/progress.ts";
import { evaluateClustering } from "../metrics/external.ts";
import { occurrences } from "../metrics/labels.ts";
import type { Fitted, Settings } from "../runs/fitted.ts";
import { runCheckpoints } from "../runs/run-checkpoints.ts";
import { timedCheckpoints } from "../runs/timed-checkpoints.ts";
import { versions } from "../runs/versions.ts";
import { type Cell, type CellRecord, cellFormat, partialFolder } from "./cell.ts";
import type { BenchmarkFit, BenchmarkMethod } from "./contenders.ts";
import type { LabelledDataset } from "./labelled-dataset.ts";
import { thisMachine } from "./machine.ts";
import { type Effort, scheduleOf } from "./schedules.ts";
import { changedSettings, settingText } from "./settings.ts";
import { sharedPretraining } from "./shared-pretraining.ts";

export interface CellWork {
  readonly cell: Cell;
  readonly method: BenchmarkMethod;
  readonly dataset: LabelledDataset;
  readonly options: MethodOptions;
  readonly settings: Settings;
  /** The settings that effort "paper" would change, with its values. */
  readonly fullSchedule: Settings;
}

export function cellWork(
  cell: Cell,
  method: BenchmarkMethod,
  dataset: LabelledDataset,
  { threads }: { readonly threads?: number } = {},
): CellWork {
  const optionsFor = (effort: Effort): MethodOptions => ({
    ...scheduleOf(cell.method, effort, dataset),
    k: dataset.labels.names.length,
    seed: cell.seed,
    ...(threads === undefined ? {} : { threads }),
  });
  const options = optionsFor(cell.effort);
  const settings = method.settings(dataset, options);
  const full = method.settings(dataset, optionsFor("paper"));
  const fullSchedule = Object.fromEntries(changedSettings(settings, full).map((name) => [name, full[name]]));
  return { cell, method, dataset, options, settings, fullSchedule };
}

/** How the stored cell differs from what the work would give, in a few words; undefined if it does not. */
export function differenceFrom(stored: CellRecord, { dataset, settings }: CellWork): string | undefined {
  if (stored.dataset.fingerprint !== dataset.fingerprint) return "of other images";
  const [name] = changedSettings(stored.settings, settings);
  if (name === undefined) return undefined;
  return `with ${name} ${settingText(stored.settings, name)}, where it would now be ${settingText(settings, name)}`;
}

export interface RunCellOptions {
  /** The folder of the benchmark. */
  readonly out: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
  /** The command that makes the result, stored with it. */
  readonly command?: string;
  /** A clock in milliseconds. Default: performance.now. */
  readonly clock?: () => number;
}

/** Does the work, from its checkpoint if there is one. */
export async function runCell(work: CellWork, options: RunCellOptions): Promise<CellRecord> {
  const { method, dataset } = work;
  const { signal, onProgress, clock = () => performance.now() } = options;
  const checkpoints = timedCheckpoints(cellCheckpoints(work, options.out), clock);
  const fit = await method.fit(withoutLabels(dataset), {
    ...work.options,
    checkpoints,
    pretrained: sharedPretraining(options.out, checkpoints),
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  return recordOf(work, fit, checkpoints.seconds(), options.command);
}

/** Checkpoints are bound to images and settings: others are refused. */
export const cellCheckpoints = ({ cell, dataset, settings }: CellWork, out: string) =>
  runCheckpoints(partialFolder(out, cell), { dataset: dataset.fingerprint, method: cell.method, ...settings });

function recordOf(
  { cell, dataset, options, fullSchedule }: CellWork,
  { settings, assignments, history, converged }: BenchmarkFit,
  seconds: number,
  command: string | undefined,
): CellRecord {
  const { count, image, fingerprint, labels } = dataset;
  return {
    format: cellFormat,
    ...cell,
    dataset: { name: cell.dataset, count, image, fingerprint },
    k: options.k,
    settings,
    fullSchedule,
    metrics: evaluateClustering(labels.values, assignments),
    sizes: [...occurrences(assignments, options.k)],
    converged,
    epochs: epochsByStage(history),
    seconds,
    versions: versions(),
    machine: thisMachine(),
    ...(command === undefined ? {} : { command }),
  };
}

function epochsByStage(history: Fitted["history"]): Record<string, number> {
  const epochs: Record<string, number> = {};
  for (const { stage } of history) epochs[stage] = (epochs[stage] ?? 0) + 1;
  return epochs;
}
