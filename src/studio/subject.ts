/** What a studio is opened on. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../files/errors.ts";
import { isNamedSet } from "../images/sources/named-sets.ts";

export type Subject =
  | { readonly kind: "run" | "interrupted"; readonly folder: string }
  /** Images that are to be clustered. */
  | { readonly kind: "images"; readonly source: string };

/** A folder is a run if it has what a run has; everything else must be images. Without anything, the newest run. */
export function subjectOf(given: string | undefined, runs = "runs"): Subject {
  if (given === undefined) return newestRun(runs);
  if (isNamedSet(given)) return { kind: "images", source: given };
  if (!existsSync(given))
    throw new InputError(`${given}: there is no such run, folder or file; give a run, or images to cluster`);
  return runIn(given) ?? { kind: "images", source: given };
}

function runIn(folder: string): Subject | undefined {
  if (existsSync(join(folder, "run.json"))) return { kind: "run", folder };
  return existsSync(join(folder, "checkpoint.safetensors")) ? { kind: "interrupted", folder } : undefined;
}

function newestRun(runs: string): Subject {
  const folders = existsSync(runs) ? readdirSync(runs).map((name) => join(runs, name)) : [];
  const found = folders.flatMap((folder) => {
    const run = runIn(folder);
    return run === undefined ? [] : [{ run, changed: changedAt(folder) }];
  });
  const newest = found.sort((a, b) => b.changed - a.changed).at(0);
  if (newest === undefined)
    throw new InputError(`there is no run in ${runs} yet; give a run, or a folder of images to cluster`);
  return newest.run;
}

/** When the run was finished, or its last checkpoint was written. */
const changedAt = (folder: string): number =>
  Math.max(
    ...["run.json", "checkpoint.safetensors"].map(
      (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    ),
  );
