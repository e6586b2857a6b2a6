/** Images that `organize` has moved out of their folder are found where they are now. */
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { journalName } from "../../export/organize/folder-names.ts";
import { movedFiles } from "../../export/organize/move-journal.ts";
import { movedFolder } from "../../export/organize/plan.ts";

/** Where the file is that was at a path; undefined where it was not moved. */
export function movedImages(folder: string): (path: string) => string | undefined {
  const out = movedFolder(resolve(folder));
  let known: { readonly time: number; readonly places: ReadonlyMap<string, string> } | undefined;
  return (path) => {
    // Looked at each time: the originals may be moved, or taken back, while the studio is open.
    const time = statSync(join(out, journalName), { throwIfNoEntry: false })?.mtimeMs;
    if (time === undefined) return undefined;
    if (known?.time !== time) known = { time, places: movedFiles(out) };
    return known.places.get(path);
  };
}
