/** The numbers of a benchmark over all seeds: one table per dataset, one row per method. */
import type { ImageSize } from "../images/image.ts";
import type { CellRecord } from "./cell.ts";
import { contenderNames } from "./contenders.ts";
import { type PaperNumbers, paperDatasets, paperMethods, paperNumbers } from "./paper-tables.ts";
import type { Effort } from "./schedules.ts";
import { changedSettings, settingText } from "./settings.ts";

/** Over the seeds; `sd` is the sample standard deviation, which needs at least two. */
export interface Statistic {
  readonly mean: number;
  readonly sd?: number;
}

export interface MethodRow {
  readonly method: string;
  readonly effort: Effort;
  /** How the schedule was reduced, setting by setting; empty if it was not. */
  readonly reduced: readonly string[];
  /** Whether its seeds were run with different settings or on different images. */
  readonly mixed: boolean;
  readonly seeds: readonly number[];
  readonly acc: Statistic;
  readonly nmi: Statistic;
  readonly paper: PaperNumbers;
  /** The mean per seed. */
  readonly seconds: number;
}

export interface DatasetTable {
  readonly name: string;
  readonly count: number;
  readonly image: ImageSize;
  readonly k: number;
  readonly rows: readonly MethodRow[];
}

/** The paper's datasets first; in each, the paper's methods first. */
export function benchmarkTables(cells: readonly CellRecord[]): DatasetTable[] {
  const names = inOrder(new Set(cells.map(({ dataset }) => dataset.name)), paperDatasets);
  return names.map((name) => datasetTable(cells.filter(({ dataset }) => dataset.name === name)));
}

function datasetTable(cells: readonly CellRecord[]): DatasetTable {
  const [{ dataset, k }] = cells;
  const order = [...paperMethods(dataset.name), ...contenderNames];
  const methods = inOrder(new Set(cells.map(({ method }) => method)), order);
  const rows = methods.map((name) => methodRow(fullest(cells.filter(({ method }) => method === name))));
  return { name: dataset.name, count: dataset.count, image: dataset.image, k, rows };
}

/** The cells of effort "paper", if there are any; else all. */
function fullest(cells: readonly CellRecord[]): readonly CellRecord[] {
  const full = cells.filter(({ effort }) => effort === "paper");
  return full.length > 0 ? full : cells;
}

function methodRow(unsorted: readonly CellRecord[]): MethodRow {
  const cells = unsorted.toSorted((a, b) => a.seed - b.seed);
  const [first] = cells;
  return {
    method: first.method,
    effort: first.effort,
    reduced: reductions(first),
    mixed: cells.some((cell) => !isSameWork(first, cell)),
    seeds: cells.map(({ seed }) => seed),
    acc: statistic(cells.map(({ metrics }) => metrics.acc)),
    nmi: statistic(cells.map(({ metrics }) => metrics.nmi)),
    paper: paperNumbers(first.dataset.name, first.method),
    seconds: mean(cells.map(({ seconds }) => seconds)),
  };
}

const reductions = ({ settings, fullSchedule }: CellRecord): string[] =>
  Object.keys(fullSchedule).map(
    (name) => `${name} ${settingText(settings, name)} instead of ${settingText(fullSchedule, name)}`,
  );

const isSameWork = (a: CellRecord, b: CellRecord): boolean =>
  a.dataset.fingerprint === b.dataset.fingerprint &&
  changedSettings(a.settings, b.settings).every((name) => name === "seed");

export function statistic(values: readonly number[]): Statistic {
  const centre = mean(values);
  if (values.length < 2) return { mean: centre };
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  return { mean: centre, sd: Math.sqrt(squares / (values.length - 1)) };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The names in `order` first, in that order; then the others, alphabetically. */
function inOrder(names: ReadonlySet<string>, order: readonly string[]): string[] {
  const first = [...new Set(order)].filter((name) => names.has(name));
  return [...first, ...[...names].filter((name) => !first.includes(name)).sort()];
}
