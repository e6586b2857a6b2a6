/** Undo and redo as in editors: one step at a time, and whoever decides anew can redo nothing of before. */
import type { Action, Decision } from "./decision.ts";

/** A decision that is not about another one. */
export type ActionDecision = Exclude<Decision, { readonly kind: "undo" | "redo" }>;

export const isActionDecision = (decision: Decision): decision is ActionDecision =>
  decision.kind !== "undo" && decision.kind !== "redo";

/** What a decision does, without when and in which place it was made. */
export function actionOf({ number, at, conflict, ...action }: ActionDecision): Action {
  return action;
}

export class UndoStack {
  readonly #done: ActionDecision[] = [];
  readonly #undone: ActionDecision[] = [];

  /** The decisions that hold, in order. */
  get done(): readonly ActionDecision[] {
    return this.#done;
  }

  get undoable(): ActionDecision | undefined {
    return this.#done.at(-1);
  }

  get redoable(): ActionDecision | undefined {
    return this.#undone.at(-1);
  }

  /** Takes the next line of the log; false where it undoes or redoes what is not next in turn. */
  push(decision: Decision): boolean {
    if (isActionDecision(decision)) {
      this.#done.push(decision);
      this.#undone.length = 0;
      return true;
    }
    const [from, to] = decision.kind === "undo" ? [this.#done, this.#undone] : [this.#undone, this.#done];
    const next = from.at(-1);
    if (next?.number !== decision.decision) return false;
    from.pop();
    to.push(next);
    return true;
  }
}

/** The decisions that hold after all, in order; those that could not be applied are among them. */
export function decisionsThatHold(decisions: readonly Decision[]): readonly ActionDecision[] {
  const stack = new UndoStack();
  for (const decision of decisions) stack.push(decision);
  return stack.done;
}
