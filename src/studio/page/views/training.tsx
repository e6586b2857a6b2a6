/** Training, live: where it is, how long it takes, how it goes, and clusters as they form. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { TrainingState } from "../../api.ts";
import { Gallery } from "../parts/gallery.tsx";
import { Curves, Progress } from "../parts/training-progress.tsx";
import { busy, train } from "../state/decide.ts";
import { readOnly, studio, training } from "../state/studio.ts";
import { counted } from "../state/words.ts";
import { Start } from "./start.tsx";

export function Training(): JSX.Element {
  const now = training.value;
  const [anew, setAnew] = useState(false);
  const ended = now?.state === "failed" || now?.state === "stopped";
  useEffect(() => {
    if (!ended) setAnew(false);
  }, [ended]);
  if (now === undefined) return <main class="view" />;
  // What failed before it had begun would fail again: other options are what helps.
  if (ended && (anew || (now.state === "failed" && now.losses.length === 0)))
    return <Start {...(now.error === undefined ? {} : { error: now.error })} />;
  return (
    <main class="view training">
      <h1>{studio.value?.title}</h1>
      <Progress training={now} label="Training" />
      {now.error && (
        <p class="warning" role="alert">
          {now.error}
        </p>
      )}
      <Controls state={now.state} onAnew={() => setAnew(true)} />
      <Curves training={now} />
      <Clusters clusters={now.clusters} />
    </main>
  );
}

interface ControlsProps {
  readonly state: TrainingState["state"];
  /** With other options. */
  readonly onAnew: () => void;
}

function Controls({ state, onAnew }: ControlsProps): JSX.Element | null {
  const controls = useRef<HTMLDivElement>(null);
  const working = state === "running" || state === "stopping";
  const before = useRef(working);
  useEffect(() => {
    // The button that was pressed is gone; the next one is in its place.
    if (working !== before.current && document.activeElement === document.body)
      controls.current?.querySelector("button")?.focus();
    before.current = working;
  }, [working]);
  if (readOnly.value || state === "done") return null;
  if (working)
    return (
      <div class="training-controls" ref={controls}>
        <button type="button" disabled={busy.value || state === "stopping"} onClick={() => train("stop")}>
          Stop
        </button>
      </div>
    );
  return (
    <div class="training-controls" ref={controls}>
      <button type="button" class="primary" disabled={busy.value} onClick={() => train("continue")}>
        Go on
      </button>
      <button type="button" disabled={busy.value} onClick={onAnew}>
        Begin anew…
      </button>
    </div>
  );
}

function Clusters({ clusters }: { readonly clusters: TrainingState["clusters"] }): JSX.Element | null {
  if (clusters.length === 0) return null;
  const largest = Math.max(1, ...clusters.map(({ size }) => size));
  return (
    <section>
      <h2>Clusters so far</h2>
      <ul class="forming">
        {clusters.map(({ size, images }, cluster) => (
          <li key={cluster}>
            <span class="size-bar" title={counted(size, "image")}>
              <span class="track">
                <i style={{ width: `${(100 * size) / largest}%` }} />
              </span>
              <span>{counted(size, "image")}</span>
            </span>
            <Gallery images={images} label={`Cluster ${cluster}`} />
          </li>
        ))}
      </ul>
    </section>
  );
}
