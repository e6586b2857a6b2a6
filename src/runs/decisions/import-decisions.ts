/** Decisions of another run, or of a table, for this one: all of a file, or none of it. */
import { InputError } from "../../files/errors.ts";
import { readAssignments } from "../run-folder.ts";
import type { RunImagesOptions } from "../run-images.ts";
import { carryDecisions } from "./carry-decisions.ts";
import { clusterReference } from "./cluster-reference.ts";
import { clusterNames } from "./decided-run.ts";
import type { Action, Decision, ImageKey } from "./decision.ts";
import { type CarriedAction, DecisionLog } from "./decision-log.ts";
import { type DecisionsFile, readDecisionsFile, type TableRow } from "./decisions-file.ts";
import { foldDecisions, type ModelClusters } from "./fold-decisions.ts";
import { readModelClusters } from "./model-clusters.ts";
import { type ActionDecision, isActionDecision } from "./undo-stack.ts";

export interface Imported {
  /** Those that hold now. */
  readonly applied: number;
  /** Those that were here before. */
  readonly known: number;
  /** Those that could not be applied; they are in the log, and say why. */
  readonly conflicts: readonly Decision[];
}

/** `file` is a path, or what was read from one. */
export async function importDecisions(
  run: string,
  file: string | DecisionsFile,
  options: RunImagesOptions = {},
): Promise<Imported> {
  const content = typeof file === "string" ? readDecisionsFile(file) : file;
  const model = await readModelClusters(run, options);
  const log = await DecisionLog.open(run, { ...options, write: true });
  try {
    const before = log.decisions.length;
    const actions =
      "table" in content ? tableActions(run, content.table, log, model) : carriedActions(content.decisions, log, model);
    if (actions.length > 0) log.appendAll(actions);
    const conflicts = log.decisions.slice(before).filter(({ conflict }) => conflict !== undefined);
    const known = "table" in content ? 0 : content.decisions.length - actions.length;
    return { applied: actions.length - conflicts.length, known, conflicts };
  } finally {
    log.close();
  }
}

/** On top of what is decided here already. */
function carriedActions(
  decisions: readonly ActionDecision[],
  log: DecisionLog,
  model: ModelClusters,
): readonly CarriedAction[] {
  const known = new Set(log.decisions.filter(isActionDecision).map(identity));
  const strange = decisions.filter((decision) => !known.has(identity(decision)));
  const carried = carryDecisions(strange, model, { after: log.decisions });
  return carried.filter(isActionDecision).map(({ number, ...action }) => action);
}

/** The same for a decision and what became of it in another run, where only clusters have other numbers. */
const identity = ({ number, conflict, ...rest }: ActionDecision): string =>
  JSON.stringify(rest, (key, value: unknown) => (key === "cluster" ? undefined : value));

/** Each image to the cluster of that number or name, unless it is there; a name that there is not makes a cluster. */
function tableActions(
  run: string,
  table: readonly TableRow[],
  log: DecisionLog,
  model: ModelClusters,
): readonly Action[] {
  const rows = readAssignments(run);
  const decided = foldDecisions(log.decisions, model);
  const source = { keys: model.keys, scores: rows.map(({ score }) => score), decided };
  const images = new Map(rows.map(({ item }, image) => [item, image]));
  expectItems(table, images);
  const numbers = clusterNumbers(
    model.k,
    decided.clusters.map(({ cluster }) => cluster),
    clusterNames(decided),
  );
  const moves = new Map<string, Set<ImageKey>>();
  const aside = new Set<ImageKey>();
  for (const row of table) {
    const image = images.get(row.item) ?? -1;
    const now = decided.cluster[image];
    if (row.aside && now >= 0) aside.add(model.keys[image]);
    if (row.aside || row.cluster === "" || numbers.get(row.cluster) === now) continue;
    moves.set(row.cluster, (moves.get(row.cluster) ?? new Set()).add(model.keys[image]));
  }
  let next = decided.nextCluster;
  const actions = [...moves].map(([name, keys]): Action => {
    const known = numbers.get(name);
    const to = known === undefined ? { cluster: next++, name } : clusterReference(known, source);
    return { kind: "move", images: [...keys], to };
  });
  return aside.size === 0 ? actions : [...actions, { kind: "aside", images: [...aside] }];
}

/** What a table may call a cluster: its name, or its number where that is nobody's name; of two names, the first. */
const clusterNumbers = (
  k: number,
  clusters: readonly number[],
  names: ReadonlyMap<number, string>,
): ReadonlyMap<string, number> =>
  new Map([
    ...[...Array(k).keys(), ...clusters].map((cluster) => [String(cluster), cluster] as const),
    ...[...names].reverse().map(([cluster, name]) => [name.trim(), cluster] as const),
  ]);

const mostListed = 10;

function expectItems(table: readonly TableRow[], images: ReadonlyMap<string, number>): void {
  const unknown = table.flatMap(({ item }) => (images.has(item) ? [] : [item]));
  if (unknown.length === 0) return;
  const more = unknown.length > mostListed ? `, and ${unknown.length - mostListed} more` : "";
  throw new InputError(
    `${unknown.length} of the items are not in this run: ${unknown.slice(0, mostListed).join(", ")}${more}; nothing was imported`,
  );
}
