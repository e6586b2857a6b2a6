/** How far a process is that trains, and how it goes. */
import type { JSX } from "preact";
import type { TrainingState } from "../../api.ts";
import { duration } from "../state/words.ts";
import { Curve } from "./curve.tsx";

const stateWords: Readonly<Record<TrainingState["state"], string>> = {
  running: "",
  stopping: "stopping after this epoch…",
  stopped: "stopped",
  failed: "failed",
  done: "done",
};

export interface ProgressProps {
  readonly training: TrainingState;
  /** What it is progress of. */
  readonly label: string;
}

export function Progress({ training: now, label }: ProgressProps): JSX.Element {
  const epoch =
    now.epoch === undefined ? "" : `epoch ${now.epoch}${now.epochs === undefined ? "" : ` of ${now.epochs}`}`;
  const left =
    now.secondsLeft === undefined || now.state !== "running" ? "" : `about ${duration(now.secondsLeft)} left`;
  const words = [now.stage, epoch, left, stateWords[now.state]].filter((part) => part !== "");
  return (
    <div class="progress">
      <p>
        <span>{words.join(" · ")}</span> <span class="soft">{Math.floor(100 * now.done)} %</span>
      </p>
      <progress max="1" value={now.done} aria-label={label} />
      {/* Said aloud when it changes, not at every epoch. */}
      <p class="unseen" role="status">
        {now.stage} {stateWords[now.state]}
      </p>
    </div>
  );
}

/** Of the present stage: losses of different stages cannot be compared. */
export function Curves({ training: { losses } }: { readonly training: TrainingState }): JSX.Element | null {
  const stage = losses.at(-1)?.stage;
  const entries = losses.filter((entry) => entry.stage === stage);
  const changed = entries.flatMap((entry) => (entry.changed === undefined ? [] : [entry.changed]));
  if (stage === undefined || entries.length < 2) return null;
  return (
    <div class="curves">
      <Curve
        title={`Loss, ${stage}`}
        values={entries.map(({ loss }) => loss)}
        last={(entries.at(-1)?.loss ?? 0).toPrecision(3)}
      />
      {changed.length > 1 && (
        <Curve
          title="Images that changed cluster"
          values={changed}
          last={`${(100 * (changed.at(-1) ?? 0)).toFixed(1)} %`}
          fromZero
        />
      )}
    </div>
  );
}
