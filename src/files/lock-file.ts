/**
 * A file that says which process has taken something. What a killed process has left stops nobody on the same machine; of
 * processes on other machines that share the folder, nobody here knows whether they live.
 */
import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { codeOf, fileError, InputError, type InputErrorOptions } from "./errors.ts";

/** Somebody else has it. */
export class LockedError extends InputError {}

export interface Lock {
  /** Lets others have it. */
  release(): void;
}

/** What the file says. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the lock was taken, as an ISO date. */
  readonly started: string;
  /** When the process began, as the system counts; a later process may have the same number. */
  readonly birth?: string;
}

/** The message for those who come second. */
export type Refusal = (holder: Holder, here: boolean) => { readonly message: string } & InputErrorOptions;

/** Paths of the locks that this process holds. */
const held = new Set<string>();

/** Held while a lock that nobody holds any more is taken away, so that nobody takes away the one that comes next. */
export const takeoverPath = (path: string): string => `${path}.takeover`;

/** Takes the lock for this process, until it is released or the process ends; throws a LockedError if somebody has it. */
export function takeLock(file: string, refusal: Refusal): Lock {
  const path = resolve(file);
  const started = new Date().toISOString();
  const own: Holder = { pid: process.pid, host: hostname(), started, ...birthNote(process.pid) };
  while (!createExclusively(path, JSON.stringify(own))) {
    expectNoHolder(path, refusal);
    removeAbandonedLock(path);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }
  held.add(path);
  const release = (): void => {
    if (!held.delete(path)) return;
    process.off("exit", release);
    rmSync(path, { force: true });
  };
  process.on("exit", release);
  return { release };
}

/** Throws where somebody has it who did not take it here. */
export function expectLockFree(file: string, refusal: Refusal): void {
  const path = resolve(file);
  if (!held.has(path)) expectNoHolder(path, refusal);
}

function expectNoHolder(path: string, refusal: Refusal): void {
  const holder = readHolder(path);
  if (holder === undefined || !isHeld(holder)) return;
  const { message, ...options } = refusal(holder, holder.host === hostname());
  throw new LockedError(message, options);
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
export function removeAbandonedLock(path: string): void {
  if (!existsSync(path)) return;
  const guard = takeoverPath(path);
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
