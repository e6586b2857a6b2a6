/** A run as it was decided: the model's rows, and on top of them what people said. Everything that shows runs reads this. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeChunksAtomically } from "../../files/atomic.ts";
import { type AssignmentRow, columnsIn, csvLines } from "../assignments.ts";
import { readAssignments } from "../run-folder.ts";
import type { RunImagesOptions } from "../run-images.ts";
import { carryDecisions } from "./carry-decisions.ts";
import type { Decision } from "./decision.ts";
import { DecisionLog } from "./decision-log.ts";
import { decisionsFile } from "./file-names.ts";
import { type Decided, foldDecisions, type ModelClusters, sayers } from "./fold-decisions.ts";
import { readModelClusters } from "./model-clusters.ts";
import { decisionsThatHold } from "./undo-stack.ts";

export type Sayer = keyof typeof sayers;

/** `cluster` is the decided one, −1 where the image is put aside; score, second cluster and margin are the model's. */
export interface DecidedRow extends AssignmentRow {
  readonly modelCluster: number;
  /** "learned": the model, once it had been refined, and a person has accepted that. */
  readonly by: Sayer;
  readonly confirmed: boolean;
  /** Whether a person has put it aside. */
  readonly aside: boolean;
}

export interface ReadDecidedOptions extends RunImagesOptions {
  /** The model's own clusters, as if nobody had decided anything. Default: false. */
  readonly model?: boolean;
}

export interface DecidedRun {
  /** One an image. */
  readonly rows: readonly DecidedRow[];
  /** Undefined where nobody has decided anything, or the model's own clusters are wanted. */
  readonly decided?: Decided;
  /** All of them, those that were undone and those that could not be applied included. */
  readonly decisions: readonly Decision[];
}

export async function readDecided(run: string, options: ReadDecidedOptions = {}): Promise<DecidedRun> {
  const { model = false, ...images } = options;
  const rows = readAssignments(run);
  if (model || !hasDecisions(run)) return { rows: rows.map(undecidedRow), decisions: [] };
  const log = await DecisionLog.open(run, images);
  const { decisions } = log;
  const decided = foldDecisions(decisions, await readModelClusters(run, images));
  return { rows: decidedRows(rows, decided), decided, decisions };
}

/**
 * Writes `assignments.csv` anew, as it was decided; where no decision holds, it becomes what it was. `assignments.jsonl`
 * stays the model's own.
 */
export async function renewAssignments(run: string, options: RunImagesOptions = {}): Promise<void> {
  const { rows, decisions } = await readDecided(run, options);
  const written = someHold(decisions) ? rows : readAssignments(run);
  writeChunksAtomically(join(run, "assignments.csv"), csvLines(written, columnsIn(written)));
}

/** The lines of `assignments.csv` for a run that is about to become one of these rows and this model. */
export async function rowsToWrite(
  run: string,
  rows: readonly AssignmentRow[],
  model: ModelClusters,
  options: RunImagesOptions = {},
): Promise<readonly AssignmentRow[]> {
  if (!hasDecisions(run)) return rows;
  const decisions = carryDecisions((await DecisionLog.open(run, options)).decisions, model);
  return someHold(decisions) ? decidedRows(rows, foldDecisions(decisions, model)) : rows;
}

const someHold = (decisions: readonly Decision[]): boolean =>
  decisionsThatHold(decisions).some(({ conflict }) => conflict === undefined);

export const hasDecisions = (run: string): boolean => existsSync(join(run, decisionsFile));

export function decidedRows(rows: readonly AssignmentRow[], decided: Decided): readonly DecidedRow[] {
  const names = clusterNames(decided);
  return rows.map((row, image): DecidedRow => {
    const cluster = decided.cluster[image];
    const name = names.get(cluster);
    const by = sayerOf(decided, image);
    const confirmed = decided.confirmed[image] === 1;
    return {
      ...row,
      // Where somebody has said where an image belongs, it does not belong nowhere.
      ...(row.none && (by === "person" || confirmed) ? { none: false } : {}),
      cluster,
      modelCluster: row.cluster,
      ...(name === undefined ? {} : { name }),
      by,
      confirmed,
      aside: cluster < 0,
    };
  });
}

export function sayerOf({ by }: Pick<Decided, "by">, image: number): Sayer {
  if (by[image] === sayers.person) return "person";
  return by[image] === sayers.learned ? "learned" : "model";
}

export const clusterNames = ({ clusters }: Decided): ReadonlyMap<number, string> =>
  new Map(clusters.flatMap(({ cluster, name }) => (name === undefined ? [] : [[cluster, name] as const])));

const undecidedRow = (row: AssignmentRow): DecidedRow => ({
  ...row,
  modelCluster: row.cluster,
  by: "model",
  confirmed: false,
  aside: false,
});
