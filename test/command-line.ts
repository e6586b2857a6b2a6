/** Runs the command line as a user does, in a separate process. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { compiled } from "./compile.ts";

/** Compiled from the source as it is. */
export const main = join(compiled, "cli", "main.js");

/** Node's arguments: it computes with one core, and imports these modules first. */
export const nodeArguments = (before: readonly string[] = []): string[] =>
  [new URL("one-thread.mjs", import.meta.url).href, ...before].flatMap((module) => ["--import", module]);

export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  /** Modules that the process imports first. */
  readonly before?: readonly string[];
}

export function boostcluster(args: readonly string[], { cwd, before = [] }: RunOptions = {}): Outcome {
  return spawnSync(process.execPath, [...nodeArguments(before), main, ...args], {
    encoding: "utf8",
    maxBuffer: 1 << 26,
    ...(cwd === undefined ? {} : { cwd }),
  });
}

/** Starts the command line without waiting for it. */
export const startBoostcluster = (args: readonly string[], { cwd }: Pick<RunOptions, "cwd"> = {}): ChildProcess =>
  spawn(process.execPath, [...nodeArguments(), main, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    ...(cwd === undefined ? {} : { cwd }),
  });
