/** Runs the command line as several ranks of Open MPI, on this machine. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { text } from "node:stream/consumers";
import { main, nodeArguments, type Outcome } from "./command-line.ts";

const executable = "/usr/bin/mpirun";
export const mpiInstalled = existsSync(executable);

export interface RankOptions {
  readonly cwd: string;
  /** Modules that each rank imports first. */
  readonly before?: readonly string[];
}

/** A machine with fewer cores than ranks, and tests that run as root, as they do in a container. */
const anywhere = ["--oversubscribe", "--bind-to", "none"];
const environment = { ...process.env, OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };

/** The words of each rank, or of all of them. */
type Words = readonly string[] | readonly (readonly string[])[];

const isPerRank = (words: Words): words is readonly (readonly string[])[] => Array.isArray(words[0]);

function startRanks(ranks: number, words: Words, { cwd, before = [] }: RankOptions): ChildProcess {
  const program = [process.execPath, ...nodeArguments(before), main];
  const contexts = isPerRank(words)
    ? words.flatMap((own, rank) => [...(rank === 0 ? [] : [":"]), "-np", "1", ...program, ...own])
    : ["-np", String(ranks), ...program, ...words];
  return spawn(executable, [...anywhere, ...contexts], { cwd, env: environment, stdio: ["ignore", "pipe", "pipe"] });
}

/** Until all of them have ended. */
export async function mpirun(ranks: number, words: Words, options: RankOptions): Promise<Outcome> {
  const child = startRanks(ranks, words, options);
  if (child.stdout === null || child.stderr === null) throw new Error("mpirun has no output");
  const ended = new Promise<number | null>((resolve) => {
    child.once("close", (code) => resolve(code));
  });
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { status, stdout, stderr };
}

/** Processes whose command line has this word. */
export const processesWith = (word: string): readonly string[] =>
  spawnSync("ps", ["-eo", "pid,args"], { encoding: "utf8" })
    .stdout.split("\n")
    .filter((line) => line.includes(word));

/** A module that does this on one rank only. */
export const onRank = (rank: number, script: string): string =>
  `data:text/javascript,${encodeURIComponent(`if (process.env.OMPI_COMM_WORLD_RANK === "${rank}") { ${script} }`)}`;
