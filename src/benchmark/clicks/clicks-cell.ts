/**
 * What a person's answers teach: one set, one seed, one variant. Stored as `cells/<set>.<variant>.seed<seed>.json` after
 * each number of answers, with all answers, so that an interrupted benchmark goes on from there.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, writeFileAtomically } from "../../files/atomic.ts";
import { readJson } from "../../files/json.ts";
import type { ImageSize } from "../../images/image.ts";
import type { Question } from "../../methods/dbc/ask.ts";
import type { Action } from "../../runs/decisions/decision.ts";
import type { Settings } from "../../runs/fitted.ts";
import type { Versions } from "../../runs/versions.ts";
import type { Machine } from "../machine.ts";
import type { ComparisonName } from "./comparisons.ts";
import type { Judgement } from "./simulated-person.ts";
import type { VariantName } from "./variants.ts";

export const clicksFormat = "boostcluster clicks cell 1";

export interface ClicksCell {
  readonly dataset: string;
  readonly variant: VariantName;
  readonly seed: number;
}

/** After so many answers. */
export interface ClicksPoint extends Judgement {
  readonly answers: number;
  /** Fewer than asked for, where nothing else was in doubt. */
  readonly given: number;
  readonly clusters: number;
  /** Of the refinement; 0 where nothing was answered. */
  readonly seconds: number;
  readonly comparisons?: Readonly<Record<ComparisonName, Judgement>>;
}

export interface Answered {
  readonly asked: Question;
  readonly said: Action["kind"];
}

export interface ClicksRecord {
  readonly format: string;
  readonly dataset: {
    readonly name: string;
    readonly count: number;
    readonly image: ImageSize;
    readonly fingerprint: string;
  };
  readonly variant: VariantName;
  readonly seed: number;
  /** The number of the dataset's classes, and of the run's clusters. */
  readonly k: number;
  /** The share of answers that are wrong. */
  readonly wrong: number;
  /** Of the run that people were asked about. */
  readonly runSettings: Settings;
  /** Of the last refinement; empty before the first. */
  readonly refineSettings: Settings;
  readonly points: readonly ClicksPoint[];
  readonly answers: readonly Answered[];
  readonly versions: Versions;
  readonly machine: Machine;
  /** The command that made it, if it was one. */
  readonly command?: string;
}

export const clicksName = ({ dataset, variant, seed }: ClicksCell): string => `${dataset}.${variant}.seed${seed}`;

const cellsFolder = (out: string): string => join(out, "cells");
export const clicksFile = (out: string, cell: ClicksCell): string => join(cellsFolder(out), `${clicksName(cell)}.json`);

export function readClicks(out: string, cell: ClicksCell): ClicksRecord | undefined {
  const file = clicksFile(out, cell);
  return existsSync(file) ? readClicksFile(file) : undefined;
}

/** All of a folder, whole or not; none if there is no folder. */
export function readAllClicks(out: string): ClicksRecord[] {
  const folder = cellsFolder(out);
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return files.sort().map((name) => readClicksFile(join(folder, name)));
}

/** On one line: hundreds of questions would make thousands of them. */
export function storeClicks(out: string, record: ClicksRecord): void {
  makeFolder(cellsFolder(out));
  const file = clicksFile(out, { ...record, dataset: record.dataset.name });
  writeFileAtomically(file, `${JSON.stringify(record)}\n`);
}

const readClicksFile = (file: string): ClicksRecord =>
  readJson(file, [clicksFormat], "delete it, and it is made again, or choose another folder");
