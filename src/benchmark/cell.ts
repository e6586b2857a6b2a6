/**
 * A cell of a benchmark: one method on one dataset, with one effort and one seed. Each is kept as soon as it is done,
 * as `cells/<dataset>.<method>.<effort>.seed<seed>.json`; what is not done yet is in a folder beside it, `….partial`.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../files/atomic.ts";
import { readJson, writeJson } from "../files/json.ts";
import type { ImageSize } from "../images/image.ts";
import type { Evaluation } from "../metrics/external.ts";
import type { Settings } from "../runs/fitted.ts";
import type { Versions } from "../runs/versions.ts";
import type { Machine } from "./machine.ts";
import type { Effort } from "./schedules.ts";

export const cellFormat = "boostcluster benchmark cell 2";

export interface Cell {
  readonly dataset: string;
  readonly method: string;
  readonly effort: Effort;
  readonly seed: number;
}

export interface CellRecord {
  readonly format: string;
  readonly dataset: {
    readonly name: string;
    readonly count: number;
    readonly image: ImageSize;
    readonly fingerprint: string;
  };
  readonly method: string;
  readonly effort: Effort;
  readonly seed: number;
  /** As many as the dataset has classes. */
  readonly k: number;
  /** Every option that made the result, defaults filled in. */
  readonly settings: Settings;
  /** What effort "paper" has in place of some of these settings; nothing where it has the same. */
  readonly fullSchedule: Settings;
  readonly metrics: Evaluation;
  /** Images in each cluster. */
  readonly sizes: readonly number[];
  readonly converged: boolean;
  /** How many were run, by stage. */
  readonly epochs: Readonly<Record<string, number>>;
  /** Of the method alone, without reading images; those of interrupted attempts included, up to their checkpoints. */
  readonly seconds: number;
  readonly versions: Versions;
  readonly machine: Machine;
  /** What was typed to make it, where it was a command. */
  readonly command?: string;
}

export const cellName = ({ dataset, method, effort, seed }: Cell): string =>
  `${dataset}.${method}.${effort}.seed${seed}`;

const cellsFolder = (out: string): string => join(out, "cells");
const cellFile = (out: string, cell: Cell): string => join(cellsFolder(out), `${cellName(cell)}.json`);

/** Where the checkpoint of an unfinished cell is. */
export const partialFolder = (out: string, cell: Cell): string => join(cellsFolder(out), `${cellName(cell)}.partial`);

export const removePartial = (out: string, cell: Cell): void =>
  rmSync(partialFolder(out, cell), { recursive: true, force: true });

/** The cell, if it is done. */
export function readCell(out: string, cell: Cell): CellRecord | undefined {
  const file = cellFile(out, cell);
  return existsSync(file) ? readCellFile(file) : undefined;
}

/** Every cell that is done; none where there is no such folder. */
export function readCells(out: string): CellRecord[] {
  const folder = cellsFolder(out);
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return files.sort().map((name) => readCellFile(join(folder, name)));
}

/** Stores a cell, whole or not at all, and then removes what it would have gone on from. */
export function storeCell(out: string, record: CellRecord): void {
  const cell = { ...record, dataset: record.dataset.name };
  makeFolder(cellsFolder(out));
  writeJson(cellFile(out, cell), record);
  removePartial(out, cell);
}

const readCellFile = (file: string): CellRecord =>
  readJson(file, [cellFormat], "delete it, and the cell is run again, or choose another folder");
