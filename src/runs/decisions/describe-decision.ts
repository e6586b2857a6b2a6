/** A decision in words, for lists and for the buttons that undo it. */
import { counted } from "../../numeric/format.ts";
import type { Action, Decision } from "./decision.ts";
import { DecisionFold } from "./fold-decisions.ts";
import { type ActionDecision, isActionDecision, UndoStack } from "./undo-stack.ts";

/** What clusters are called; those that have no name go by their number. */
export type NameOf = (cluster: number) => string | undefined;

/** Such as: merged 3 and 7 into “receipts”. */
export function describeDecision(decision: Decision, nameOf: NameOf = () => undefined): string {
  if (!isActionDecision(decision)) return `${decision.kind === "undo" ? "undid" : "redid"} ${decision.decision}`;
  return describeAction(decision, nameOf);
}

export function describeAction(action: Action, nameOf: NameOf = () => undefined): string {
  const called = (cluster: number, name = nameOf(cluster)): string =>
    name === undefined || name === "" ? String(cluster) : `“${name}”`;
  switch (action.kind) {
    case "rename":
      return action.name === ""
        ? `took the name of ${action.of.cluster} away`
        : `called ${action.of.cluster} “${action.name}”`;
    case "merge": {
      const merged = [action.into, ...action.from].map(({ cluster }) => String(cluster));
      const name = nameOf(action.into.cluster);
      return `merged ${listed(merged)}${name === undefined ? "" : ` into “${name}”`}`;
    }
    case "split":
      return `split ${called(action.of.cluster)}: ${listed(
        action.parts.map(
          ({ cluster, name, images }) => `${counted(images.length, "image")} to ${called(cluster, name)}`,
        ),
      )}`;
    case "move": {
      const to =
        "examples" in action.to ? called(action.to.cluster) : `the new ${called(action.to.cluster, action.to.name)}`;
      return `moved ${counted(action.images.length, "image")} to ${to}`;
    }
    case "aside":
      return `put ${counted(action.images.length, "image")} aside`;
    case "take-back":
      return `took ${counted(action.images.length, "image")} back`;
    case "confirm":
      return `confirmed ${counted(action.images.length, "image")}`;
    case "same":
      return "said that 2 images belong together";
    case "different":
      return "said that 2 images do not belong together";
    case "learn": {
      const images = action.moves.reduce((sum, move) => sum + move.images.length, 0);
      return `let ${counted(images, "image")} follow what was learned`;
    }
  }
}

/** Each with the names that clusters had when it was made. */
export function describeDecisions(decisions: readonly Decision[], k: number): readonly string[] {
  const stack = new UndoStack();
  let names = namesAfter([], k);
  return decisions.map((decision) => {
    stack.push(decision);
    if (!isActionDecision(decision)) names = namesAfter(stack.done, k);
    else if (decision.conflict === undefined) names.apply(decision);
    return describeDecision(decision, (cluster) => names.nameOf(cluster));
  });
}

/** Names do not depend on images: without any, they are folded in no time. */
function namesAfter(done: readonly ActionDecision[], k: number): DecisionFold {
  const fold = new DecisionFold({ k, keys: [], assignments: [] });
  for (const decision of done) if (decision.conflict === undefined) fold.apply(decision);
  return fold;
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
