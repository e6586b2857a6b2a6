/** Files that change their place: never over another one, and wherever the process is killed, the file is whole somewhere. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeFolder, syncFolder } from "../../files/atomic.ts";
import { codeOf, InputError } from "../../files/errors.ts";

/** Where the file is on its way to another device. */
export const partialPath = (path: string): string => join(dirname(path), `.${basename(path)}.boostcluster-partial`);

export function moveFile(from: string, to: string): void {
  makeFolder(dirname(to));
  if (existsSync(to)) throw new InputError(`${to}: something is there already; nothing is written over it`);
  try {
    // Unlike a rename, a link fails where something has come to be there meanwhile.
    linkSync(from, to);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw error;
    moveWithoutLinks(from, to);
    return;
  }
  rmSync(from);
}

/** To another device, or where the file system knows no links. */
function moveWithoutLinks(from: string, to: string): void {
  if (lstatSync(from).dev === lstatSync(dirname(to)).dev) {
    renameSync(from, to);
    return;
  }
  const partial = partialPath(to);
  rmSync(partial, { force: true });
  copyFileSync(from, partial);
  const { atime, mtime } = lstatSync(from);
  utimesSync(partial, atime, mtime);
  syncFile(partial);
  renameSync(partial, to);
  syncFolder(dirname(to));
  rmSync(from);
}

function syncFile(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Why a file is not back where it was. */
export type NotBack = "it is gone" | "something else is in its old place";

/** Takes back a move that is done, or was being done, or has not begun; undefined where the file is back. */
export function takeBack(from: string, to: string): NotBack | undefined {
  for (const path of [from, to]) rmSync(partialPath(path), { force: true });
  if (!existsSync(to)) return existsSync(from) ? undefined : "it is gone";
  if (!existsSync(from)) moveFile(to, from);
  else if (areSame(from, to)) rmSync(to);
  else return "something else is in its old place";
  return undefined;
}

/** One file under two names, or a copy: the process was killed when it was about to remove the first. */
function areSame(a: string, b: string): boolean {
  const [first, second] = [lstatSync(a), lstatSync(b)];
  if (first.dev === second.dev && first.ino === second.ino) return true;
  return first.size === second.size && readFileSync(a).equals(readFileSync(b));
}
