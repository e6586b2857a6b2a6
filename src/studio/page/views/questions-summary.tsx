/** After the last question: what was answered, and what can be done with it. */
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { LearnButton, learnNow } from "../parts/teach-bar.tsx";
import { useKeys } from "../state/keys.ts";
import { type AnswerKind, newRound, type Round, stepBack } from "../state/questions.ts";
import { go, wallPath } from "../state/route.ts";
import { counted } from "../state/words.ts";

const words: Readonly<Record<AnswerKind, string>> = {
  confirmed: "where the model had it",
  moved: "moved to another cluster",
  new: "moved to a new cluster",
  aside: "put aside",
  same: "merged with another cluster",
  different: "kept apart from another cluster",
  skipped: "skipped",
};

const kinds = ["confirmed", "moved", "new", "aside", "same", "different", "skipped"] as const;

export function QuestionsSummary({ round: { answered } }: { readonly round: Round }): JSX.Element {
  const view = useRef<HTMLElement>(null);
  useLayoutEffect(() => view.current?.focus(), []);
  const given = answered.filter(({ answer }) => answer !== "skipped").length;
  useKeys({ l: learnNow, q: newRound, u: stepBack, Escape: () => go(wallPath) });
  return (
    <main class="view asked-summary" ref={view} tabIndex={-1}>
      <h1>{given === 0 ? "No answers this time" : `Thank you: ${counted(given, "answer")}`}</h1>
      <ul>
        {kinds.map((kind) => {
          const count = answered.filter(({ answer }) => answer === kind).length;
          return (
            count > 0 && (
              <li key={kind}>
                <b>{count}</b> {words[kind]}
              </li>
            )
          );
        })}
      </ul>
      {given > 0 && <p class="soft">They hold already. Learning lets the other images follow, and shows you first.</p>}
      <div class="asked-actions" role="toolbar" aria-label="What to do next">
        <LearnButton />
        <button type="button" onClick={newRound} aria-keyshortcuts="q">
          More questions <kbd>Q</kbd>
        </button>
        {answered.length > 0 && (
          <button type="button" onClick={stepBack} aria-keyshortcuts="u">
            Undo <kbd>U</kbd>
          </button>
        )}
        <button type="button" class="plain" onClick={() => go(wallPath)}>
          Back to the clusters <kbd>Esc</kbd>
        </button>
      </div>
    </main>
  );
}
