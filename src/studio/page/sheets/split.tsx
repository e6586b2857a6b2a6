/** A cluster in two or more by its own structure: the parts are seen, and may be named, before it is done. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { SplitPreview } from "../../api.ts";
import { Thumbnail } from "../parts/thumbnail.tsx";
import { decide } from "../state/decide.ts";
import { report } from "../state/notice.ts";
import { previewSplit } from "../state/server.ts";
import { clusterFacts, clusterName } from "../state/studio.ts";
import { counted } from "../state/words.ts";
import { newCluster } from "./choose-cluster.tsx";
import { closeSheet, Sheet } from "./sheet.tsx";

const most = 6;
/** Of each part, in the preview. */
const shown = 12;

export function SplitSheet({ cluster }: { readonly cluster: number }): JSX.Element {
  const [parts, setParts] = useState(2);
  const [preview, setPreview] = useState<SplitPreview>();
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    let current = true;
    setPreview(undefined);
    previewSplit({ cluster, parts }).then(
      (found) => current && setPreview(found),
      (error) => {
        if (!current) return;
        closeSheet();
        report(error);
      },
    );
    return () => {
      current = false;
    };
  }, [cluster, parts]);

  const split = async (): Promise<void> => {
    if (preview === undefined) return;
    closeSheet();
    // The largest stays what the cluster is.
    const made = preview.parts
      .slice(1)
      .map(({ images }, index) => ({ images, ...newCluster(names[index]?.trim() ?? "") }));
    await decide({ kind: "split", cluster, parts: made });
  };
  const size = clusterFacts(cluster)?.size ?? most;
  const numbers = Array.from({ length: Math.min(most, size) - 1 }, (_, index) => index + 2);
  return (
    <Sheet
      wide
      title={`Split ${clusterName(cluster)}`}
      buttons={
        <button type="button" class="primary" disabled={preview === undefined} onClick={split}>
          Split
        </button>
      }
    >
      <fieldset class="switch">
        <legend>Parts</legend>
        {numbers.map((number) => (
          <label key={number}>
            <input type="radio" name="parts" checked={number === parts} onChange={() => setParts(number)} /> {number}
          </label>
        ))}
      </fieldset>
      <div class="parts" aria-live="polite" aria-busy={preview === undefined}>
        {preview === undefined && <p class="soft">Looking at what the cluster is made of…</p>}
        {preview?.parts.map(({ images, typical }, index) => (
          <section class="part" key={images[0]}>
            <header>
              {index === 0 ? (
                <b>stays {clusterName(cluster)}</b>
              ) : (
                <input
                  type="text"
                  aria-label={`Name of part ${index + 1}`}
                  placeholder="Name, if you like"
                  value={names[index - 1] ?? ""}
                  onInput={({ currentTarget }) =>
                    setNames(
                      Array.from({ length: most }, (_, at) =>
                        at === index - 1 ? currentTarget.value : (names[at] ?? ""),
                      ),
                    )
                  }
                />
              )}
              <span class="soft">{counted(images.length, "image")}</span>
            </header>
            <div class="strip">
              {typical.slice(0, shown).map((image) => (
                <Thumbnail key={image} image={image} />
              ))}
            </div>
          </section>
        ))}
      </div>
    </Sheet>
  );
}
