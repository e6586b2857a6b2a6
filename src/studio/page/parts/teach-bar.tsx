/** Teaching: questions to answer, and learning from what was decided. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { openSheet } from "../sheets/sheet.tsx";
import { contradictions, wantContradictions } from "../state/contradictions.ts";
import { busy, learn } from "../state/decide.ts";
import { round } from "../state/questions.ts";
import { go, learnedPath, questionsPath } from "../state/route.ts";
import { learning, readOnly, studio } from "../state/studio.ts";
import { counted } from "../state/words.ts";

/** Begins, unless it has begun or there is something to look at: then goes there. */
export async function learnNow(): Promise<void> {
  const { lessons = 0, learned, learning: now } = studio.value ?? {};
  const underWay = now?.state === "running" || now?.state === "stopping" || learned !== undefined;
  if (!underWay && lessons === 0) return;
  if (underWay || (await learn("start")) !== undefined) go(learnedPath);
}

/** A round that is over is followed by another. */
export function teach(): void {
  if (round.value !== undefined && round.value.answered.length === round.value.questions.length)
    round.value = undefined;
  go(questionsPath);
}

/** What there is to do about learning at the moment, if anything. */
export function LearnButton(): JSX.Element | null {
  const { lessons = 0, learned } = studio.value ?? {};
  const now = learning.value;
  const underWay = now?.state === "running" || now?.state === "stopping";
  if (readOnly.value || (!underWay && learned === undefined && lessons === 0)) return null;
  return (
    <button type="button" class="primary" disabled={busy.value} onClick={learnNow} aria-keyshortcuts="l">
      {underWay
        ? `Learning… ${Math.floor(100 * now.done)} %`
        : learned === undefined
          ? "Learn from this"
          : "See what it learned"}{" "}
      <kbd>L</kbd>
    </button>
  );
}

export function TeachBar(): JSX.Element | null {
  useEffect(wantContradictions, []);
  if (readOnly.value) return null;
  const { length } = contradictions.value;
  return (
    <div class="teach-bar">
      {length > 0 && (
        <button
          type="button"
          class="plain"
          onClick={() => {
            openSheet.value = { kind: "contradictions" };
          }}
        >
          {counted(length, "contradiction")}
        </button>
      )}
      <button type="button" onClick={teach} aria-keyshortcuts="t">
        Teach <kbd>T</kbd>
      </button>
      <LearnButton />
    </div>
  );
}
