/** Images that are to be clustered: a look at them, and the few options that matter. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { TrainingRequest } from "../../api.ts";
import { Gallery } from "../parts/gallery.tsx";
import { busy, train } from "../state/decide.ts";
import { readOnly, studio } from "../state/studio.ts";
import { counted } from "../state/words.ts";

/** `error`: why it has failed before. */
export function Start({ error }: { readonly error?: string }): JSX.Element {
  const { title = "", count = 0 } = studio.value ?? {};
  return (
    <main class="view start">
      <div class="start-form">
        <h1>{title}</h1>
        <p class="soft">{counted(count, "image")}, to be sorted into clusters.</p>
        {error && (
          <p class="warning" role="alert">
            {error}
          </p>
        )}
        <StartForm count={count} />
      </div>
      <Gallery images={evenly(count, 240)} label="Images" />
    </main>
  );
}

/** Some of them, chosen evenly. */
function evenly(count: number, most: number): readonly number[] {
  const shown = Math.min(count, most);
  return Array.from({ length: shown }, (_, index) => Math.floor((index * count) / shown));
}

function StartForm({ count }: { readonly count: number }): JSX.Element {
  const [auto, setAuto] = useState(true);
  const [k, setK] = useState(Math.min(10, count));
  const [backbone, setBackbone] = useState("");
  const [seed, setSeed] = useState("");
  const [quick, setQuick] = useState(false);
  const backbones = studio.value?.backbones ?? [];
  const submit = (event: Event): void => {
    event.preventDefault();
    const request: TrainingRequest = {
      k: auto ? "auto" : k,
      ...(backbone === "" ? {} : { backbone }),
      ...(seed === "" ? {} : { seed: Number(seed) }),
      effort: quick ? "quick" : "default",
    };
    void train("start", request);
  };
  return (
    <form class="form" onSubmit={submit}>
      <fieldset class="switch">
        <legend>How many clusters</legend>
        <label>
          <input type="radio" name="k" checked={auto} onChange={() => setAuto(true)} /> as many as there seem to be
        </label>
        <label>
          <input type="radio" name="k" checked={!auto} onChange={() => setAuto(false)} /> this many:
        </label>
        <input
          type="number"
          aria-label="Number of clusters"
          min="1"
          max={count}
          required
          value={k}
          disabled={auto}
          onInput={({ currentTarget }) => setK(currentTarget.valueAsNumber)}
        />
      </fieldset>
      <label class="field">
        Looks at images with
        <select value={backbone} onChange={({ currentTarget }) => setBackbone(currentTarget.value)}>
          <option value="">what suits them best</option>
          <option value="none">no backbone: learns from the pixels alone</option>
          {backbones.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        Seed
        <input
          type="number"
          min="0"
          step="1"
          placeholder="0"
          value={seed}
          onInput={({ currentTarget }) => setSeed(currentTarget.value)}
        />
      </label>
      <label class="check">
        <input type="checkbox" checked={quick} onChange={() => setQuick(!quick)} /> Quick: a first look, less exact
      </label>
      <button type="submit" class="primary" disabled={busy.value || readOnly.value}>
        Cluster them
      </button>
    </form>
  );
}
