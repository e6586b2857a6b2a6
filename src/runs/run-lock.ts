/** One writer per run: a file in the run's folder says which process writes to it. */
import { rmdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { makeFolder } from "../files/atomic.ts";
import {
  expectLockFree,
  type Lock,
  type Refusal,
  removeAbandonedLock,
  takeLock,
  takeoverPath,
} from "../files/lock-file.ts";

export const lockName = "run.lock";

/** Whether the name is that of a file of this module. */
export const isLockFile = (name: string): boolean => name === lockName || name === takeoverPath(lockName);

/** On release, a folder that was made for the lock and is still empty goes with it. */
export type RunLock = Lock;

/**
 * Takes the run in that folder for this process, until it is released or the process ends. Throws an InputError that
 * says who has it, where somebody does.
 */
export function lockRun(folder: string): RunLock {
  const made = makeFolder(folder);
  try {
    const lock = takeLock(join(folder, lockName), refusalOf(folder));
    const release = (): void => {
      process.off("exit", release);
      lock.release();
      removeEmpty(folder, made);
    };
    process.on("exit", release);
    return { release };
  } catch (error) {
    removeEmpty(folder, made);
    throw error;
  }
}

/** Throws where somebody writes to the run who did not take the lock here. */
export const expectUnlocked = (folder: string): void => expectLockFree(join(folder, lockName), refusalOf(folder));

/** Removes a lock that nobody holds any more. */
export const removeAbandonedRunLock = (folder: string): void => removeAbandonedLock(join(folder, lockName));

const refusalOf =
  (folder: string): Refusal =>
  ({ pid, host, started }, here) => {
    const since = `has been writing to this run since ${started}`;
    return here
      ? {
          message: `${folder}: process ${pid} ${since}; wait for it, choose another folder, or delete ${join(folder, lockName)} if that process is another program`,
          option: "out",
        }
      : {
          message: `${folder}: process ${pid} on ${host} ${since}; if it no longer runs, delete ${join(folder, lockName)}`,
        };
  };

/** The folder and those above it, down from the first one that was made, as long as nothing is in them. */
function removeEmpty(folder: string, made: string | undefined): void {
  if (made === undefined) return;
  const first = resolve(made);
  for (let path = resolve(folder); path.startsWith(first); path = dirname(path))
    try {
      rmdirSync(path);
    } catch {
      return;
    }
}
