/** Decisions of another run, or of a table, for this one: all of a file, or none of it. */
import { InputError } from "../../files/errors.ts";
import type { AssignmentRow } from "../assignments.ts";
import { readAssignments } from "../run-folder.ts";
import type { RunImagesOptions } from "../run-images.ts";
import { carryDecisions } from "./carry-decisions.ts";
import { clusterReference, mostExamples } from "./cluster-reference.ts";
import { clusterNames } from "./decided-run.ts";
import type { Action, ClusterReference, Decision, ImageKey, NewCluster } from "./decision.ts";
import { type CarriedAction, DecisionLog } from "./decision-log.ts";
import { type DecisionsFile, type PairRow, readDecisionsFile, type TableRow } from "./decisions-file.ts";
import { foldDecisions, type ModelClusters, sayers } from "./fold-decisions.ts";
import { readModelClusters } from "./model-clusters.ts";
import { type ActionDecision, decisionsThatHold, isActionDecision } from "./undo-stack.ts";

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
      "decisions" in content
        ? carriedActions(content.decisions, log, model)
        : "table" in content
          ? tableActions(run, content.table, log, model)
          : pairActions(run, content.pairs, log, model);
    if (actions.length > 0) log.appendAll(actions);
    const conflicts = log.decisions.slice(before).filter(({ conflict }) => conflict !== undefined);
    const known = "decisions" in content ? content.decisions.length - actions.length : 0;
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

/**
 * Each image to the cluster of that number or name, unless it is there; a name that there is not makes a cluster. An image
 * that is there already is confirmed where the table says so or answers a question, and not otherwise: a table of all
 * images, as programs write it, says nothing of those that it leaves where they are.
 */
function tableActions(
  run: string,
  table: readonly TableRow[],
  log: DecisionLog,
  model: ModelClusters,
): readonly Action[] {
  const rows = readAssignments(run);
  const decided = foldDecisions(log.decisions, model);
  const source = { keys: model.keys, scores: rows.map(({ score }) => score), decided };
  const images = imagesOf(
    rows,
    table.map(({ item }) => item),
  );
  const numbers = clusterNumbers(
    model.k,
    decided.clusters.map(({ cluster }) => cluster),
    clusterNames(decided),
  );
  // Corrections of one's own accord, then answers.
  const said = [false, true].map((asked) => ({ asked, moves: new KeysByCluster(), confirmed: new KeysByCluster() }));
  const aside = new Set<ImageKey>();
  table.forEach((row, place) => {
    const image = images[place];
    const [key, now] = [model.keys[image], decided.cluster[image]];
    if (row.aside && now >= 0) aside.add(key);
    if (row.aside || row.cluster === "") return;
    const { moves, confirmed } = said[Number(row.asked)];
    const isThere = numbers.get(row.cluster) === now;
    // An answer that was imported before has put it there.
    const isAnswered = isThere && (decided.confirmed[image] === 1 || decided.by[image] === sayers.person);
    const isConfirmed = row.confirmed || (row.asked && isThere && !isAnswered);
    if (!isThere) moves.add(row.cluster, key);
    if (isConfirmed && !(isThere && decided.confirmed[image] === 1)) confirmed.add(row.cluster, key);
  });
  const names = new Set(said.flatMap(({ moves }) => [...moves.keys()]));
  const made = new Map(
    [...names].filter((name) => !numbers.has(name)).map((name, index) => [name, decided.nextCluster + index]),
  );
  const known = (name: string, keys: ReadonlySet<ImageKey>): ClusterReference => {
    const cluster = made.get(name);
    // Those that are said to be in a cluster that is new stand for it.
    return cluster === undefined
      ? clusterReference(numbers.get(name) ?? -1, source)
      : { cluster, examples: [...keys].slice(0, mostExamples) };
  };
  const named = new Set<string>();
  /** The first that goes to a new cluster makes it. */
  const to = (name: string, keys: ReadonlySet<ImageKey>): ClusterReference | NewCluster => {
    const cluster = made.get(name);
    if (cluster === undefined || named.has(name)) return known(name, keys);
    named.add(name);
    return { cluster, name };
  };
  const actions = said.flatMap(({ asked, moves, confirmed }): Action[] => {
    const note = asked ? { asked } : {};
    return [
      ...[...moves].map(([name, keys]): Action => ({ kind: "move", images: [...keys], to: to(name, keys), ...note })),
      ...[...confirmed].map(
        ([name, keys]): Action => ({ kind: "confirm", images: [...keys], of: known(name, keys), ...note }),
      ),
    ];
  });
  return [...actions, ...(aside.size === 0 ? [] : [{ kind: "aside", images: [...aside] } as const])];
}

class KeysByCluster extends Map<string, Set<ImageKey>> {
  add(name: string, key: ImageKey): void {
    this.set(name, (this.get(name) ?? new Set()).add(key));
  }
}

/** Each row, unless that is what was said last of these two. */
function pairActions(
  run: string,
  pairs: readonly PairRow[],
  log: DecisionLog,
  { keys }: ModelClusters,
): readonly Action[] {
  const images = imagesOf(
    readAssignments(run),
    pairs.flatMap(({ items }) => items),
  );
  const said = new Map<string, string>();
  const nameOf = (pair: readonly ImageKey[]): string => pair.toSorted().join();
  for (const decision of decisionsThatHold(log.decisions))
    if (decision.kind === "same" || decision.kind === "different") said.set(nameOf(decision.images), decision.kind);
  return pairs.flatMap(({ items, answer }, row): Action[] => {
    const pair = [keys[images[2 * row]], keys[images[2 * row + 1]]] as const;
    if (pair[0] === pair[1])
      throw new InputError(`row ${row + 1}: ${items.join(" and ")} are the same picture; nothing was imported`);
    if (said.get(nameOf(pair)) === answer) return [];
    said.set(nameOf(pair), answer);
    return [{ kind: answer, images: pair }];
  });
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

/** The image of each item. */
function imagesOf(rows: readonly AssignmentRow[], items: readonly string[]): readonly number[] {
  const images = new Map(rows.map(({ item }, image) => [item, image]));
  const unknown = items.filter((item) => !images.has(item));
  if (unknown.length === 0) return items.map((item) => images.get(item) ?? -1);
  const more = unknown.length > mostListed ? `, and ${unknown.length - mostListed} more` : "";
  throw new InputError(
    `${unknown.length} of the items are not in this run: ${unknown.slice(0, mostListed).join(", ")}${more}; nothing was imported`,
  );
}
