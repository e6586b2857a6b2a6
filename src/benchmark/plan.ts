/** The cells of a benchmark. */
import { basename, resolve } from "node:path";
import { InputError } from "../files/errors.ts";
import { isNamedSet } from "../images/sources/named-sets.ts";
import type { Cell, CellRecord } from "./cell.ts";
import { contenderNames } from "./contenders.ts";
import { paperDatasets, paperMethods } from "./paper-tables.ts";
import type { Effort } from "./schedules.ts";

export interface BenchmarkRequest {
  /** Named sets, folders or files. Default: the paper's four. */
  readonly datasets?: readonly string[];
  /** Default: those that the paper tried on the dataset; all if it did not use the dataset. */
  readonly methods?: readonly string[];
  /** Default: 0, then also 1 and 2 if 0 took less than five minutes. */
  readonly seeds?: readonly number[];
  /** Default: "paper". */
  readonly effort?: Effort;
}

export interface PlannedDataset {
  /** The source to open. */
  readonly source: string;
  /** A name without a path, so that results can be shown to others. */
  readonly name: string;
  readonly methods: readonly string[];
}

export interface BenchmarkPlan {
  readonly datasets: readonly PlannedDataset[];
  readonly effort: Effort;
  readonly seeds: readonly number[];
  /** Further seeds, for methods that were fast with the first. */
  readonly seedsIfFast: readonly number[];
}

/** `known` are the names of all methods. */
export function planBenchmark(
  request: BenchmarkRequest = {},
  known: readonly string[] = contenderNames,
): BenchmarkPlan {
  const { datasets = paperDatasets, methods, seeds, effort = "paper" } = request;
  for (const method of methods ?? []) expectMethod(method, known);
  for (const seed of seeds ?? []) expectSeed(seed);
  const planned = [...new Set(datasets)].map((source) => {
    const name = datasetName(source);
    return { source, name, methods: [...new Set(methods ?? usualMethods(name, known))] };
  });
  expectDifferentNames(planned);
  return {
    datasets: planned,
    effort,
    ...(seeds === undefined ? { seeds: [0], seedsIfFast: [1, 2] } : { seeds: [...new Set(seeds)], seedsIfFast: [] }),
  };
}

/** The cells of one dataset in the order of running: all methods with one seed, then with the next. */
export function* cellsOf({ name, methods }: PlannedDataset, plan: BenchmarkPlan): Generator<Cell> {
  for (const seed of [...plan.seeds, ...plan.seedsIfFast])
    for (const method of methods) yield { dataset: name, method, effort: plan.effort, seed };
}

const fastSeconds = 5 * 60;

/** The cell whose time decides whether this one is run; undefined if it is run in any case. */
export function decidingCell(cell: Cell, { seeds, seedsIfFast }: BenchmarkPlan): Cell | undefined {
  return seedsIfFast.includes(cell.seed) ? { ...cell, seed: seeds[0] } : undefined;
}

export const wasFast = (record: CellRecord | undefined): boolean =>
  record !== undefined && record.seconds < fastSeconds;

function usualMethods(dataset: string, known: readonly string[]): readonly string[] {
  const ofPaper = paperMethods(dataset).filter((method) => known.includes(method));
  return ofPaper.length > 0 ? ofPaper : known;
}

/** A folder with the name of a named set is not that set. */
export function datasetName(source: string): string {
  if (isNamedSet(source)) return source;
  const name = basename(resolve(source));
  return isNamedSet(name) ? `${name}-folder` : name;
}

export function expectMethod(method: string, known: readonly string[]): void {
  if (!known.includes(method)) throw new InputError(`there is no method "${method}"; there are: ${known.join(", ")}`);
}

function expectSeed(seed: number): void {
  if (!Number.isSafeInteger(seed) || seed < 0) throw new InputError(`a seed is a whole number from 0, not ${seed}`);
}

function expectDifferentNames(datasets: readonly PlannedDataset[]): void {
  const double = datasets.find(({ name }, index) => datasets.findIndex((one) => one.name === name) !== index);
  if (double !== undefined)
    throw new InputError(`${double.source}: another dataset is also called "${double.name}"; rename one of them`);
}
