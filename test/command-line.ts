/** Runs the command line as a user does, in a separate process. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../src/cli/main.ts", import.meta.url));
const tsx = import.meta.resolve("tsx");
const oneThread = new URL("one-thread.ts", import.meta.url).href;

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
  const imported = [tsx, oneThread, ...before].flatMap((module) => ["--import", module]);
  return spawnSync(process.execPath, [...imported, main, ...args], {
    encoding: "utf8",
    maxBuffer: 1 << 26,
    ...(cwd === undefined ? {} : { cwd }),
  });
}

/** Starts the command line without waiting for it. */
export const startBoostcluster = (args: readonly string[], { cwd }: Pick<RunOptions, "cwd"> = {}): ChildProcess =>
  spawn(process.execPath, ["--import", tsx, "--import", oneThread, main, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    ...(cwd === undefined ? {} : { cwd }),
  });
