/** The folder that `cluster` writes a run to. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../files/errors.ts";
import { isRunFile } from "../runs/run-folder.ts";
import { expectUnlocked, isLockFile, lockRun, type RunLock } from "../runs/run-lock.ts";

export interface FolderOptions {
  /** Replace the run that is there. */
  readonly force: boolean;
  /** Go on with the run that is there. */
  readonly resume: boolean;
}

/** For this process alone; release it whatever happens. */
export function takeFolder(out: string, options: FolderOptions): RunLock {
  expectFree(out, options);
  return lockRun(out);
}

/** A folder with something else in it is never written to. */
function expectFree(out: string, { force, resume }: FolderOptions): void {
  if (force && resume) throw new InputError("--resume goes on with a run and --force replaces it: give one of them");
  if (!existsSync(out)) return;
  if (!statSync(out).isDirectory()) throw new InputError(`${out}: this is a file; choose a folder with --out`);
  expectUnlocked(out);
  const names = readdirSync(out).filter((name) => !isLockFile(name));
  if (names.length === 0) return;
  const finished = existsSync(join(out, "run.json"));
  const unfinished = existsSync(join(out, "checkpoint.safetensors"));
  if (!finished && !unfinished && !names.every(isRunFile))
    throw new InputError(`${out}: this folder is not empty; choose another with --out`);
  if (force) return;
  if (!finished && !unfinished)
    throw new InputError(`${out}: a run that failed has left files here; --force removes them`);
  if (finished)
    throw new InputError(`${out}: a finished run is here already; choose another --out, or --force to replace it`);
  if (!resume)
    throw new InputError(`${out}: an interrupted run is here; go on with --resume, or --force to start anew`);
}
