/** Folders on the disk, one per cluster: what would be made, then once for all. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { OrganizePreview, OrganizeRequest, OrganizeResult } from "../../api.ts";
import { organize, previewOrganize } from "../state/server.ts";
import { counted, formatted } from "../state/words.ts";
import { Sheet } from "./sheet.tsx";

type Way = OrganizeRequest["by"];

const ways: readonly { readonly by: Way; readonly label: string; readonly meaning: string }[] = [
  { by: "link", label: "Link", meaning: "Takes no room; the images stay where they are." },
  { by: "copy", label: "Copy", meaning: "The images stay where they are, and are in the folders as well." },
  { by: "move", label: "Move", meaning: "The images leave the folder in which they are now." },
];

export function OrganizeSheet(): JSX.Element {
  const [by, setBy] = useState<Way>("link");
  const [preview, setPreview] = useState<OrganizePreview>();
  const [result, setResult] = useState<OrganizeResult>();
  const [error, setError] = useState<string>();
  const [working, setWorking] = useState(false);
  useEffect(() => {
    let current = true;
    setPreview(undefined);
    setError(undefined);
    previewOrganize({ by }).then(
      (found) => current && setPreview(found),
      (failed: Error) => current && setError(failed.message),
    );
    return () => {
      current = false;
    };
  }, [by]);

  const make = async (): Promise<void> => {
    setWorking(true);
    try {
      setResult(await organize({ by }));
    } catch (failed) {
      setError(failed instanceof Error ? failed.message : String(failed));
    }
    setWorking(false);
  };
  if (result !== undefined) return <Done result={result} />;
  const refused = error ?? preview?.refused;
  return (
    <Sheet
      title="Organize into folders"
      buttons={
        <button
          type="button"
          class={by === "move" ? "danger" : "primary"}
          disabled={preview === undefined || refused !== undefined || working}
          onClick={make}
        >
          {working ? "Making them…" : by === "move" ? "Move the images" : "Make the folders"}
        </button>
      }
    >
      <fieldset class="ways">
        <legend>How images get there</legend>
        {ways.map((way) => (
          <label key={way.by}>
            <input type="radio" name="by" checked={way.by === by} onChange={() => setBy(way.by)} />
            <span>
              <b>{way.label}</b> <span class="soft">{way.meaning}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {by === "move" && (
        <p class="warning">
          This moves the originals. Afterwards you see the command that takes it all back, <code>organize --undo</code>.
        </p>
      )}
      <div aria-live="polite">
        {refused !== undefined && <p class="warning">{refused}</p>}
        {preview && refused === undefined && <Folders preview={preview} />}
      </div>
    </Sheet>
  );
}

function Folders({ preview }: { readonly preview: OrganizePreview }): JSX.Element {
  return (
    <>
      <p>
        {counted(preview.folders.length, "folder")} in <code>{preview.out}</code>:
      </p>
      <ul class="folders">
        {preview.folders.map(({ name, images }) => (
          <li key={name}>
            <code>{name}/</code> <span class="soft">{formatted(images)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Done({ result }: { readonly result: OrganizeResult }): JSX.Element {
  return (
    <Sheet title="Organized">
      <p role="status">
        {counted(result.images, "image")} in <code>{result.out}</code>.
      </p>
      {result.undo && (
        <>
          <p>This command takes it all back:</p>
          <pre>
            <code>{result.undo}</code>
          </pre>
        </>
      )}
    </Sheet>
  );
}
