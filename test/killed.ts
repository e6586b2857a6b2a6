/** Processes that are killed at any moment, for tests of what is left then. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";

/** Starts a script, waits for its first output and then some milliseconds, and kills it. Returns all it had written. */
export async function killedAfter(script: string, args: readonly string[], milliseconds: number): Promise<string> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const written: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => written.push(chunk));
  const closed = once(child, "close");
  await Promise.race([once(child.stdout, "data"), closed]);
  await setTimeout(milliseconds);
  kill(child);
  await closed;
  return Buffer.concat(written).toString();
}

const kill = (child: ChildProcess): boolean => child.kill("SIGKILL");
