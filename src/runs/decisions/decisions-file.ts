/** Decisions in files: what `decisions --export` writes, and what `decisions --import` and `cluster --decisions` read. */
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { writeChunksAtomically } from "../../files/atomic.ts";
import { csvLine, csvRows } from "../../files/csv.ts";
import { DamagedFileError, fileError, InputError, reasonOf } from "../../files/errors.ts";
import { readJson, writeJson } from "../../files/json.ts";
import { isDecision } from "./check-decision.ts";
import { clusterNames, type DecidedRun } from "./decided-run.ts";
import type { Decision } from "./decision.ts";
import { parseLog } from "./log-lines.ts";
import { type ActionDecision, decisionsThatHold } from "./undo-stack.ts";

const format = "boostcluster decisions 1";

/** Where one image belongs, as a table says. */
export interface TableRow {
  readonly item: string;
  /** A cluster's number, or its name; empty where the table does not say. */
  readonly cluster: string;
  readonly aside: boolean;
  /** Whether somebody has looked: then it counts also where the image is there already. */
  readonly confirmed: boolean;
  /** Whether it answers a question of `ask`: then it counts in either case, and says nothing of other images. */
  readonly asked: boolean;
}

/** Whether two images belong together, as a table says. */
export interface PairRow {
  readonly items: readonly [string, string];
  readonly answer: "same" | "different";
}

/** The decisions that held, or a table. */
export type DecisionsFile =
  | { readonly decisions: readonly ActionDecision[] }
  | { readonly table: readonly TableRow[] }
  | { readonly pairs: readonly PairRow[] };

/** By its extension: .csv is a table, .jsonl the log of a run, .json what was exported. */
export function readDecisionsFile(path: string): DecisionsFile {
  switch (extname(path).toLowerCase()) {
    case ".csv":
      return readTable(path);
    case ".jsonl":
      return { decisions: decisionsThatHold(parseLog(path, read(path))?.decisions ?? []) };
    case ".json":
      return { decisions: decisionsThatHold(readExported(path)) };
    default:
      throw new InputError(`${path}: decisions are read from .json, .jsonl and .csv; give such a file`);
  }
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw fileError("read", path, error);
  }
}

function readExported(path: string): readonly Decision[] {
  const advice = "give a file of exported decisions";
  const { decisions } = readJson<{ format: string; decisions: unknown }>(path, [format], advice);
  if (Array.isArray(decisions) && decisions.every(isDecision)) return decisions;
  throw new DamagedFileError(`${path}: some of it are no decisions; ${advice}`);
}

/** By its columns: where images belong, or which of them belong together. */
function readTable(path: string): DecisionsFile {
  const [heading = [], ...lines] = tableLines(path);
  const wrong = lines.findIndex((fields) => fields.length !== heading.length);
  if (wrong >= 0)
    throw new InputError(
      `${path}: row ${wrong + 1} has ${lines[wrong].length} fields, not ${heading.length}; nothing was imported`,
    );
  const column = (name: string): number => heading.indexOf(name);
  if (["item", "cluster"].every((name) => heading.includes(name)))
    return { table: lines.map((fields) => tableRow((name) => fields[column(name)])) };
  if (["item", "other", "answer"].every((name) => heading.includes(name)))
    return {
      pairs: lines.map((fields, index) => pairRow((name) => fields[column(name)], `${path}: row ${index + 1}`)),
    };
  throw new InputError(
    `${path}: its first line must name the columns item and cluster, or item, other and answer, not ${heading.join(", ")}`,
  );
}

/** A field is undefined where there is no such column. */
type FieldOf = (column: string) => string | undefined;

const tableRow = (field: FieldOf): TableRow => ({
  item: field("item") ?? "",
  cluster: field("cluster")?.trim() ?? "",
  aside: field("aside") === "1",
  confirmed: field("confirmed") === "1",
  asked: field("asked") === "1",
});

function pairRow(field: FieldOf, where: string): PairRow {
  const [item = "", other = "", said = ""] = ["item", "other", "answer"].map(field);
  const answer = (["same", "different"] as const).find((one) => one === said.trim().toLowerCase());
  if (answer === undefined)
    throw new InputError(`${where}: the answer is "same" or "different", not "${said}"; nothing was imported`);
  return { items: [item, other], answer };
}

function tableLines(path: string): string[][] {
  const text = read(path)
    .toString("utf8")
    .replace(/^\ufeff/, "");
  try {
    return [...csvRows(text)];
  } catch (error) {
    throw new InputError(`${path}: ${reasonOf(error)}; nothing was imported`);
  }
}

/** .json has all decisions, .csv where every image is now. */
export function exportDecisions(path: string, decided: DecidedRun): void {
  const extension = extname(path).toLowerCase();
  if (extension === ".json") writeJson(path, { format, decisions: decided.decisions });
  else if (extension === ".csv") writeChunksAtomically(path, tableText(decided));
  else throw new InputError(`${path}: decisions are exported to .json or .csv; choose such a name`);
}

function* tableText({ rows, decided }: DecidedRun): Generator<string> {
  const names = decided === undefined ? new Map<number, string>() : clusterNames(decided);
  const uses = new Map<string, number>();
  for (const name of names.values()) uses.set(name, (uses.get(name) ?? 0) + 1);
  /** A name that several have says less than the number. */
  const called = (cluster: number): string => {
    const name = names.get(cluster) ?? "";
    return uses.get(name) === 1 && name === name.trim() ? name : String(cluster);
  };
  yield "item,cluster,aside,confirmed\n";
  for (const { item, cluster, aside, confirmed } of rows)
    yield `${csvLine([item, aside ? "" : called(cluster), Number(aside), Number(confirmed)])}\n`;
}
