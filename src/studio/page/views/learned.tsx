/** Learning, live, and then what would change by it, to accept or to discard. */
import type { JSX } from "preact";
import { LearnButton, learnNow } from "../parts/teach-bar.tsx";
import { Curves, Progress } from "../parts/training-progress.tsx";
import { busy, learn } from "../state/decide.ts";
import { useKeys } from "../state/keys.ts";
import { go, wallPath } from "../state/route.ts";
import { learning, readOnly, studio } from "../state/studio.ts";
import { LearnedChanges } from "./learned-changes.tsx";

export function Learned(): JSX.Element {
  const now = learning.value;
  useKeys({ Escape: () => go(wallPath), l: studio.value?.learned === undefined ? learnNow : undefined });
  if (studio.value?.learned !== undefined && !readOnly.value) return <LearnedChanges />;
  if (now === undefined || now.state === "done") return <Nothing />;
  const working = now.state === "running" || now.state === "stopping";
  return (
    <main class="view training">
      <h1>{working ? "Learning from what you decided" : "Nothing was learned"}</h1>
      <p class="soft">
        {working
          ? "You can look around and go on deciding meanwhile. Nothing changes before you have seen it."
          : "Your decisions are all there, and everything is as it was."}
      </p>
      <Progress training={now} label="Learning" />
      {now.error && (
        <p class="warning" role="alert">
          {now.error}
        </p>
      )}
      <div class="training-controls">
        {working ? (
          <button type="button" disabled={busy.value || now.state === "stopping"} onClick={() => learn("stop")}>
            Cancel
          </button>
        ) : (
          <>
            <button type="button" class="primary" disabled={busy.value} onClick={() => learn("start")}>
              Try again
            </button>
            <button type="button" disabled={busy.value} onClick={giveUp}>
              Leave it
            </button>
          </>
        )}
      </div>
      <Curves training={now} />
    </main>
  );
}

async function giveUp(): Promise<void> {
  if ((await learn("discard")) !== undefined) go(wallPath);
}

const Nothing = (): JSX.Element => (
  <main class="view">
    <p class="empty soft">
      {learning.value?.state === "done" ? "Comparing…" : "There is nothing new that was learned."}
    </p>
    <p class="empty">
      <LearnButton /> <a href={wallPath}>Back to the clusters</a>
    </p>
  </main>
);
