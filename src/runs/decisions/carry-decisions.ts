/**
 * Decisions that were made for one run, for another run of the same images or of some of them. The numbers of its clusters
 * mean nothing there: a cluster is the one that most of its examples are in now. What cannot be applied stays in the log,
 * says why, and is tried again when it is carried on.
 */
import type { Action, ClusterReference, Decision, ImageKey, NewCluster } from "./decision.ts";
import { DecisionFold, type ModelClusters } from "./fold-decisions.ts";
import { type ActionDecision, actionOf, decisionsThatHold, isActionDecision, UndoStack } from "./undo-stack.ts";

export interface CarryOptions {
  /** What has been decided there already, with the numbers of that run. Default: nothing. */
  readonly after?: readonly Decision[];
}

/** In the same order, with the same numbers. */
export function carryDecisions(
  decisions: readonly Decision[],
  model: ModelClusters,
  { after = [] }: CarryOptions = {},
): readonly Decision[] {
  const held = decisionsThatHold(after).filter(({ conflict }) => conflict === undefined);
  const carried: Decision[] = [];
  const stack = new UndoStack();
  const origins = new Map<number, ActionDecision>();
  let place: Carrier | undefined = new Carrier(model, held);
  for (const decision of decisions) {
    if (!isActionDecision(decision)) {
      stack.push(decision);
      carried.push(decision);
      // Made anew when it is needed: many are often undone in a row.
      place = undefined;
      continue;
    }
    place ??= carrierAfter(stack.done, origins, new Carrier(model, held));
    const translated = place.carry(decision);
    origins.set(decision.number, decision);
    stack.push(translated);
    carried.push(translated);
  }
  return carried;
}

/** As it was when these had been carried. */
function carrierAfter(
  done: readonly ActionDecision[],
  origins: ReadonlyMap<number, ActionDecision>,
  carrier: Carrier,
): Carrier {
  for (const { number } of done) {
    const origin = origins.get(number);
    if (origin !== undefined) carrier.carry(origin);
  }
  return carrier;
}

/** Why a decision cannot be applied. */
class Conflict extends Error {}

class Carrier {
  readonly #fold: DecisionFold;
  /** Clusters that people made: their numbers there, and here. */
  readonly #made = new Map<number, number>();
  /** Of each cluster here that has a name, the number of the one there that the name was given to. */
  readonly #named = new Map<number, number>();

  constructor(model: ModelClusters, held: readonly Action[]) {
    this.#fold = new DecisionFold(model);
    for (const action of held) this.#fold.apply(action);
  }

  carry(decision: ActionDecision): ActionDecision {
    const { number, at } = decision;
    try {
      const action = this.#translated(actionOf(decision), decision.conflict === undefined);
      this.#fold.apply(action);
      if (decision.conflict === undefined) this.#note(decision, action);
      return { number, at, ...action };
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      return { ...decision, conflict: error.message };
    }
  }

  /** `numbered`: whether numbers of clusters that people made are those of the decisions before it. */
  #translated(action: Action, numbered: boolean): Action {
    const here = (reference: ClusterReference): ClusterReference => ({
      ...reference,
      cluster: (numbered ? this.#made.get(reference.cluster) : undefined) ?? this.#majority(reference),
    });
    switch (action.kind) {
      case "rename":
        return this.#expectNameless({ ...action, of: here(action.of) }, numbered ? action.of.cluster : undefined);
      case "merge":
        return { ...action, into: here(action.into), from: action.from.map(here) };
      case "split": {
        this.#expectSome(action.parts.flatMap(({ images }) => images));
        const first = this.#fold.nextCluster;
        return {
          ...action,
          of: here(action.of),
          parts: action.parts.map((part, index) => ({ ...part, cluster: first + index })),
        };
      }
      case "move":
        this.#expectSome(action.images);
        return { ...action, to: "examples" in action.to ? here(action.to) : this.#newCluster(action.to) };
      case "confirm":
        this.#expectSome(action.images);
        return action.of === undefined ? action : { ...action, of: here(action.of) };
      case "learn":
        this.#expectSome(action.moves.flatMap(({ images }) => images));
        return { ...action, moves: action.moves.map(({ images, to }) => ({ images, to: here(to) })) };
      case "same":
      case "different":
        this.#expectAll(action.images);
        return action;
      default:
        this.#expectSome(action.images);
        return action;
    }
  }

  #newCluster(made: NewCluster): NewCluster {
    return { ...made, cluster: this.#fold.nextCluster };
  }

  /** The cluster that more than half of the examples are in that are in any. */
  #majority({ examples }: ClusterReference): number {
    const counts = new Map<number, number>();
    let present = 0;
    for (const key of examples) {
      const [image] = this.#fold.imagesOf(key);
      const cluster = image === undefined ? -1 : this.#fold.clusterOf(image);
      if (cluster < 0) continue;
      present++;
      counts.set(cluster, (counts.get(cluster) ?? 0) + 1);
    }
    if (present === 0) throw new Conflict("none of the typical images of a cluster is here");
    for (const [cluster, count] of counts) if (2 * count > present) return cluster;
    throw new Conflict(`the typical images of a cluster are spread over ${counts.size} clusters`);
  }

  #expectSome(images: readonly ImageKey[]): void {
    if (!images.some((key) => this.#fold.imagesOf(key).length > 0)) throw new Conflict("none of its images is here");
  }

  #expectAll(images: readonly ImageKey[]): void {
    if (!images.every((key) => this.#fold.imagesOf(key).length > 0))
      throw new Conflict("one of its images is not here");
  }

  /** Two clusters there may be one here: the first name stays. */
  #expectNameless(rename: Extract<Action, { kind: "rename" }>, origin: number | undefined): Action {
    const { cluster } = rename.of;
    const name = this.#fold.nameOf(cluster);
    if (name !== undefined && name !== rename.name && (origin === undefined || this.#named.get(cluster) !== origin))
      throw new Conflict(`that cluster is called “${name}” here`);
    return rename;
  }

  /** Which numbers there are which here. */
  #note(there: Action, here: Action): void {
    if (there.kind === "rename" && here.kind === "rename") this.#named.set(here.of.cluster, there.of.cluster);
    if (there.kind === "merge" && here.kind === "merge") this.#named.set(here.into.cluster, there.into.cluster);
    if (there.kind === "move" && here.kind === "move") this.#noteMade(there.to, here.to);
    if (there.kind === "split" && here.kind === "split")
      for (const [index, part] of there.parts.entries()) this.#noteMade(part, here.parts[index]);
  }

  #noteMade(there: NewCluster | ClusterReference, here: NewCluster | ClusterReference): void {
    if ("examples" in there) return;
    this.#made.set(there.cluster, here.cluster);
    this.#named.set(here.cluster, there.cluster);
  }
}
