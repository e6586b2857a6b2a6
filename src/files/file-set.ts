/**
 * Files of a folder that change together: a process killed at any moment leaves all as they were, or all as they will
 * be. The new ones are written into a folder of their own, whose final name says that it is whole; then they take their
 * places one by one, and whoever looks next finishes what was begun.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { syncFolder, unfinishedFolder } from "./atomic.ts";
import { codeOf, fileError } from "./errors.ts";

/** `write` makes the new files in the folder that it is given. `name`: what that folder is called within `folder`. */
export function replaceTogether(folder: string, name: string, write: (staging: string) => void): void {
  finishReplacing(folder, name);
  const ready = join(folder, name);
  const staging = unfinishedFolder(ready);
  try {
    mkdirSync(staging);
    write(staging);
    for (const file of readdirSync(staging)) syncFile(join(staging, file));
    syncFolder(staging);
    renameSync(staging, ready);
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    throw codeOf(error) === "" ? error : fileError("write", folder, error);
  }
  syncFolder(folder);
  finishReplacing(folder, name);
}

/** Several processes may do this at once. */
export function finishReplacing(folder: string, name: string): void {
  const ready = join(folder, name);
  if (!existsSync(ready)) return;
  for (const file of unlessGone(() => readdirSync(ready)) ?? [])
    unlessGone(() => renameSync(join(ready, file), join(folder, file)));
  syncFolder(folder);
  unlessGone(() => rmdirSync(ready));
}

/** Undefined where another process was faster. */
function unlessGone<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function syncFile(file: string): void {
  const fd = openSync(file, "r+");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
