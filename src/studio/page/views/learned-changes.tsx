/** What a refined model says otherwise: image by image, from cluster to cluster. What is unticked stays where it is. */
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { LearnedChange } from "../../api.ts";
import { Dot } from "../parts/dot.tsx";
import { Thumbnail } from "../parts/thumbnail.tsx";
import { accept, busy, learn } from "../state/decide.ts";
import { modName, useKeys } from "../state/keys.ts";
import { notice, report } from "../state/notice.ts";
import { go, wallPath } from "../state/route.ts";
import { toggled, withAll } from "../state/selection.ts";
import { getChanges } from "../state/server.ts";
import { clusterFacts, clusterName, revision, studio } from "../state/studio.ts";
import { counted, formatted } from "../state/words.ts";

const none: ReadonlySet<number> = new Set();
/** Images that stay where they are. */
const unticked = signal(none);

export function LearnedChanges(): JSX.Element {
  const [changes, setChanges] = useState<readonly LearnedChange[]>();
  useEffect(() => {
    getChanges().then(setChanges, report);
  }, [revision.value]);
  const images = (changes ?? []).flatMap((change) => change.images);
  const accepted = images.filter((image) => !unticked.value.has(image));
  const end = (): void => {
    unticked.value = none;
    go(wallPath);
  };
  const take = async (): Promise<void> => {
    if (accepted.length > 0 && (await accept(accepted))) end();
  };
  const discard = async (): Promise<void> => {
    if ((await learn("discard")) === undefined) return;
    notice.value = { text: "What was learned is forgotten", undoable: false, error: false };
    end();
  };
  useKeys({ "Mod+Enter": take });
  if (changes === undefined) return <main class="view" aria-busy="true" />;
  return (
    <main class="view changes">
      <header>
        <h1>What it learned</h1>
        <p class="soft">
          {images.length === 0
            ? "By what it learned, every image stays where it is."
            : `${counted(images.length, "image")} of ${formatted(studio.value?.count ?? 0)} would go elsewhere. What you decided yourself stays. Untick what is wrong; all that is accepted can be undone at once.`}
        </p>
      </header>
      {changes.map((change) => (
        <Change key={`${change.from} ${change.to}`} change={change} />
      ))}
      <div class="action-bar" role="toolbar" aria-label="What it learned">
        <b role="status">
          {accepted.length === images.length
            ? counted(images.length, "image")
            : `${formatted(accepted.length)} of ${counted(images.length, "image")}`}
        </b>
        <button type="button" class="primary" disabled={busy.value || accepted.length === 0} onClick={take}>
          Accept <kbd>{modName} Enter</kbd>
        </button>
        <button type="button" disabled={busy.value} onClick={discard}>
          Discard
        </button>
      </div>
    </main>
  );
}

/** Of each, before all are asked for. */
const shownAtFirst = 24;

function Change({ change: { from, to, images } }: { readonly change: LearnedChange }): JSX.Element {
  const [all, setAll] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const out = images.filter((image) => unticked.value.has(image)).length;
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = out > 0 && out < images.length;
  }, [out, images.length]);
  const toggle = (): void => {
    unticked.value =
      out === 0
        ? withAll(unticked.value, images)
        : new Set([...unticked.value].filter((image) => !images.includes(image)));
  };
  const shown = all ? images : images.slice(0, shownAtFirst);
  return (
    <section class="change">
      <header>
        <label>
          <input ref={box} type="checkbox" checked={out < images.length} onChange={toggle} />
          <h2>
            <Named cluster={from} /> → <Named cluster={to} />
          </h2>
        </label>
        <span class="soft">
          {counted(images.length, "image")}
          {out > 0 && ` · ${formatted(out)} stay`}
        </span>
      </header>
      <div class="strip">
        {shown.map((image) => (
          <label key={image} class="pick">
            <input
              type="checkbox"
              class="unseen"
              aria-label={`Image ${image}`}
              checked={!unticked.value.has(image)}
              onChange={() => {
                unticked.value = toggled(unticked.value, image);
              }}
            />
            <Thumbnail image={image} />
          </label>
        ))}
      </div>
      {shown.length < images.length && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {formatted(images.length)}
        </button>
      )}
    </section>
  );
}

const Named = ({ cluster }: { readonly cluster: number }): JSX.Element => (
  <>
    <Dot colour={clusterFacts(cluster)?.colour} />
    {clusterName(cluster)}
  </>
);
