/**
 * A cell of a benchmark: one method on one dataset, with one effort and one seed. Each is stored as soon as it is
 * done, as `cells/<dataset>.<method>.<effort>.seed<seed>.json`; an unfinished one has a folder `….partial` instead.
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
  /** The number of the dataset's classes. */
  readonly k: number;
  /** Every option that made the result, defaults filled in. */
  readonly settings: Settings;
  /** The settings that effort "paper" would change, with its values; empty if there are none. */
  readonly fullSchedule: Settings;
  readonly metrics: Evaluation;
  /** Images in each cluster. */
  readonly sizes: readonly number[];
  readonly converged: boolean;
  /** The number of epochs, by stage. */
  readonly epochs: Readonly<Record<string, number>>;
  /** The time of the method, without reading images; including interrupted attempts, up to their checkpoints. */
  readonly seconds: number;
  readonly versions: Versions;
  readonly machine: Machine;
  /** The command that made it, if it was one. */
  readonly command?: string;
}

export const cellName = ({ dataset, method, effort, seed }: Cell): string =>
  `${dataset}.${method}.${effort}.seed${seed}`;

const cellsFolder = (out: string): string => join(out, "cells");
const cellFile = (out: string, cell: Cell): string => join(cellsFolder(out), `${cellName(cell)}.json`);

/** The folder of an unfinished cell's checkpoint. */
export const partialFolder = (out: string, cell: Cell): string => join(cellsFolder(out), `${cellName(cell)}.partial`);

export const removePartial = (out: string, cell: Cell): void =>
  rmSync(partialFolder(out, cell), { recursive: true, force: true });

/** The cell, if it is done. */
export function readCell(out: string, cell: Cell): CellRecord | undefined {
  const file = cellFile(out, cell);
  return existsSync(file) ? readCellFile(file) : undefined;
}

/** Every cell that is done; none if there is no folder. */
export function readCells(out: string): CellRecord[] {
  const folder = cellsFolder(out);
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return files.sort().map((name) => readCellFile(join(folder, name)));
}

/** Stores a cell atomically, and then removes its checkpoint. */
export function storeCell(out: string, record: CellRecord): void {
  const cell = { ...record, dataset: record.dataset.name };
  makeFolder(cellsFolder(out));
  writeJson(cellFile(out, cell), record);
  removePartial(out, cell);
}

const readCellFile = (file: string): CellRecord =>
  readJson(file, [cellFormat], "delete it, and the cell is run again, or choose another folder");
