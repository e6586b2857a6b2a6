import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { removeRun } from "./run-folder.ts";
import { lockName, lockRun } from "./run-lock.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-lock-"));
const module = new URL("run-lock.ts", import.meta.url).href;

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const lockOf = (run: string): string => join(run, lockName);

/** A process that tries to take a run, says how that went, and waits to be killed, or for its input to end. */
function startTaker(run: string): ChildProcess {
  const script = `
    import { lockRun } from ${JSON.stringify(module)};
    try {
      lockRun(${JSON.stringify(run)});
      console.log("taken");
      process.stdin.resume();
    } catch (error) {
      console.log(error.message);
    }`;
  const args = ["--import", import.meta.resolve("tsx"), "--input-type=module", "--eval", script];
  return spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error("no output");
  const [chunk] = await once(stdout, "data");
  return String(chunk).trim();
}

async function killed(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

test("a run that a process writes to is its own until it is released, or the process is killed", async () => {
  const run = join(folder, "shared");
  const child = startTaker(run);
  expect(await firstLine(child)).toBe("taken");
  const { pid, host, started } = JSON.parse(readFileSync(lockOf(run), "utf8"));
  expect({ pid, host }).toEqual({ pid: child.pid, host: hostname() });
  const message = `${run}: process ${child.pid} has been writing to this run since ${started}; wait for it, choose another folder`;
  expect(() => lockRun(run)).toThrow(message);
  expect(() => removeRun(run)).toThrow(`process ${child.pid} has been writing to this run`);
  await killed(child);
  expect(existsSync(lockOf(run))).toBe(true);
  const lock = lockRun(run);
  const other = startTaker(run);
  expect(await firstLine(other)).toContain(`${run}: process ${process.pid} has been writing to this run`);
  lock.release();
  expect(existsSync(lockOf(run))).toBe(false);
});

test("of several processes that find what a killed one has left, one takes the run", async () => {
  const run = join(folder, "contested");
  const first = startTaker(run);
  await firstLine(first);
  await killed(first);
  const takers = Array.from({ length: 4 }, () => startTaker(run));
  const said = await Promise.all(takers.map(firstLine));
  expect(said.filter((line) => line === "taken")).toHaveLength(1);
  const winner = takers[said.indexOf("taken")];
  for (const line of said) if (line !== "taken") expect(line).toContain(`process ${winner.pid} has been writing`);
  const exited = once(winner, "exit");
  winner.stdin?.end();
  await exited;
  expect(existsSync(run) ? readdirSync(run) : []).toEqual([]);
});

test("a lock is taken once, and goes without a trace, folders that were made for it included", () => {
  const run = join(folder, "deep", "run");
  const lock = lockRun(run);
  expect(() => lockRun(run)).toThrow(`process ${process.pid} has been writing to this run`);
  removeRun(run);
  expect(existsSync(lockOf(run))).toBe(true);
  lock.release();
  lock.release();
  expect(existsSync(join(folder, "deep"))).toBe(false);
  const again = lockRun(run);
  writeFileSync(join(run, "kept"), "");
  again.release();
  expect(readdirSync(run)).toEqual(["kept"]);
});

test("whether a process of another machine lives is not ours to say", () => {
  const run = join(folder, "elsewhere");
  mkdirSync(run);
  writeFileSync(
    lockOf(run),
    JSON.stringify({ pid: 7, host: "elsewhere.example", started: "2026-01-02T03:04:05.000Z" }),
  );
  expect(() => lockRun(run)).toThrow(
    `${run}: process 7 on elsewhere.example has been writing to this run since 2026-01-02T03:04:05.000Z; ` +
      `if it no longer runs, delete ${lockOf(run)}`,
  );
  expect(existsSync(lockOf(run))).toBe(true);
});

test.each<[string, string]>([
  ["has this process's number and is older than it", JSON.stringify({ pid: process.pid, birth: "1" })],
  ["has another process's number and is older than it", JSON.stringify({ pid: process.ppid, birth: "1" })],
  ["was never written", ""],
])("a lock that %s is nobody's", (name, content) => {
  const run = join(folder, name);
  mkdirSync(run);
  const started = new Date(0).toISOString();
  writeFileSync(
    lockOf(run),
    content === "" ? "" : JSON.stringify({ host: hostname(), started, ...JSON.parse(content) }),
  );
  utimesSync(lockOf(run), 0, 0);
  const lock = lockRun(run);
  lock.release();
  expect(readdirSync(run)).toEqual([]);
  writeFileSync(lockOf(run), "");
  utimesSync(lockOf(run), 0, 0);
  removeRun(run);
  expect(readdirSync(run)).toEqual([]);
});
