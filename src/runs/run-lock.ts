/**
 * One writer per run: a file in the run's folder says which process writes to it. What a killed process has left stops
 * nobody on the same machine; of processes on other machines that share the folder, nobody here knows whether they live.
 */
import { closeSync, existsSync, openSync, readFileSync, rmdirSync, rmSync, statSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import { makeFolder } from "../files/atomic.ts";
import { codeOf, fileError, InputError } from "../files/errors.ts";

export const lockName = "run.lock";
/** Held while a lock that nobody holds any more is taken away, so that nobody takes away the one that comes next. */
const takeoverName = `${lockName}.takeover`;

/** Whether the name is that of a file of this module. */
export const isLockFile = (name: string): boolean => name === lockName || name === takeoverName;

export interface RunLock {
  /** Lets others write to the run; a folder that was made for the lock and is still empty goes with it. */
  release(): void;
}

/** What the file says. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the lock was taken, as an ISO date. */
  readonly started: string;
  /** When the process began, as the system counts; a later process may have the same number. */
  readonly birth?: string;
}

/** Paths of the locks that this process holds. */
const held = new Set<string>();

/**
 * Takes the run in that folder for this process, until it is released or the process ends. Throws an InputError that
 * says who has it, where somebody does.
 */
export function lockRun(folder: string): RunLock {
  const path = resolve(folder, lockName);
  const made = makeFolder(folder);
  try {
    take(folder, path);
  } catch (error) {
    removeEmpty(folder, made);
    throw error;
  }
  held.add(path);
  const release = (): void => {
    if (!held.delete(path)) return;
    process.off("exit", release);
    rmSync(path, { force: true });
    removeEmpty(folder, made);
  };
  process.on("exit", release);
  return { release };
}

/** Throws where somebody writes to the run who did not take the lock here. */
export function expectUnlocked(folder: string): void {
  const path = resolve(folder, lockName);
  if (!held.has(path)) expectNoHolder(folder, path);
}

function expectNoHolder(folder: string, path: string): void {
  const holder = readHolder(path);
  if (holder !== undefined && isHeld(holder)) throw lockedBy(folder, holder);
}

function take(folder: string, path: string): void {
  const started = new Date().toISOString();
  const own: Holder = { pid: process.pid, host: hostname(), started, ...birthNote(process.pid) };
  while (!createExclusively(path, JSON.stringify(own))) {
    expectNoHolder(folder, path);
    removeAbandonedLock(folder);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }
}

/** Whether it was not there before. */
function createExclusively(path: string, content: string): boolean {
  try {
    const file = openSync(path, "wx");
    try {
      writeSync(file, content);
    } finally {
      closeSync(file);
    }
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw fileError("write", path, error);
  }
}

/** Undefined where there is no lock, or none that says whose it is. */
function readHolder(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (codeOf(error) === "ENOENT" || error instanceof SyntaxError) return undefined;
    throw fileError("read", path, error);
  }
}

function isHeld({ pid, host, birth, started }: Holder): boolean {
  if (host !== hostname()) return true;
  const now = birthNote(pid).birth;
  if (birth !== undefined && now !== undefined) return now === birth;
  // A process that was killed may have had the number that this one has now.
  if (pid === process.pid) return Date.parse(started) >= Date.now() - 1000 * process.uptime() - 1000;
  return isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process lives too.
    return codeOf(error) === "EPERM";
  }
}

/** Only Linux tells; elsewhere a process counts as the same if its number is. */
function birthNote(pid: number): { readonly birth?: string } {
  try {
    // The name of the program, in parentheses, may contain anything; the 20th field after it is the time.
    const [, fields] = readFileSync(`/proc/${pid}/stat`, "utf8").split(/\) (?!.*\) )/s);
    const [state] = fields;
    // A zombie: it has ended, and nobody has asked how.
    return { birth: state === "Z" ? "ended" : fields.split(" ")[19] };
  } catch {
    return {};
  }
}

/** Milliseconds after which a file that takes no time to write, or to remove, is one of a killed process. */
const patience = 5000;

/** Removes a lock that nobody holds any more. */
export function removeAbandonedLock(folder: string): void {
  const path = join(folder, lockName);
  if (!existsSync(path)) return;
  const guard = join(folder, takeoverName);
  if (!createExclusively(guard, "")) {
    if (age(guard) > patience) rmSync(guard, { force: true });
    return;
  }
  try {
    const holder = readHolder(path);
    const abandoned = holder === undefined ? age(path) > patience : !isHeld(holder);
    if (abandoned) rmSync(path, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

/** In milliseconds; 0 where there is no such file. */
const age = (path: string): number => Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());

function lockedBy(folder: string, { pid, host, started }: Holder): InputError {
  const since = `has been writing to this run since ${started}`;
  return host === hostname()
    ? new InputError(
        `${folder}: process ${pid} ${since}; wait for it, choose another folder, or delete ${join(folder, lockName)} if that process is another program`,
        { option: "out" },
      )
    : new InputError(
        `${folder}: process ${pid} on ${host} ${since}; if it no longer runs, delete ${join(folder, lockName)}`,
      );
}

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
