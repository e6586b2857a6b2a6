/**
 * Two ranks of one thread each against one process of two threads, and how much of a step is spent in MPI: on one
 * machine, and with a rank on each of two hosts. Both do a step on the same mini-batch, in turn.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { paperArchitecture } from "../src/network/architecture.ts";
import { autoEncoderParameters, autoEncoderStatistics, encoderStatistics } from "../src/network/layers.ts";
import { totalSize } from "../src/network/parameters.ts";
import { clusteringParameters } from "../src/network/programs.ts";
import { clusters } from "./steps.ts";
import { withTwoHosts } from "./two-hosts.ts";

/** As they are stored in docs/results/ranks.jsonl. */
export interface StepRow {
  readonly kind: "step";
  readonly link: Link;
  readonly job: string;
  readonly network: string;
  /** Of the flat vector that is summed. */
  readonly floats: number;
  /** Seconds of a step: one process of two threads, two ranks, and of these those spent in MPI. */
  readonly one: number;
  readonly two: number;
  readonly inMpi: number;
}

export interface SumRow {
  readonly kind: "sum";
  readonly link: Link;
  readonly floats: number;
  readonly seconds: number;
}

export type Link = "memory" | "1 Gbit/s, 1 ms";
export type RankRow = StepRow | SumRow;

interface Measured {
  readonly seconds?: number;
  readonly sumSeconds?: number;
  readonly imagesPerSecond?: number;
}

export interface RankBench {
  readonly networks: readonly string[];
  readonly rounds: number;
  /** One process of two threads. */
  readonly alone: (network: string, job: string) => Measured;
  readonly report: (row: RankRow) => void;
}

/** mpirun, and the words that begin its own. */
type Launcher = readonly [command: string, words: readonly string[]];

const here = dirname(fileURLToPath(import.meta.url));
/** One float tells the delay, many the rate. */
const sumSizes = [1, 10_000, 100_000, 1_000_000];

export async function benchRanks(bench: RankBench): Promise<void> {
  benchLink("memory", ["mpirun", ["--oversubscribe"]], bench);
  const folder = mkdtempSync(join(tmpdir(), "boostcluster-ranks-"));
  try {
    await withTwoHosts(folder, (command, words) => benchLink("1 Gbit/s, 1 ms", [command, words], bench));
  } catch (error) {
    console.error(`two hosts: ${error instanceof Error ? error.message : error}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function benchLink(link: Link, launcher: Launcher, { networks, rounds, alone, report }: RankBench): void {
  for (const floats of sumSizes) {
    const seconds = Array.from({ length: rounds }, () => ranks(launcher, "sum", String(floats)).seconds);
    report({ kind: "sum", link, floats, seconds: medianOf(seconds) });
  }
  for (const job of ["fcae", "dbc"])
    for (const network of networks) {
      const [one, two]: [Measured[], Measured[]] = [[], []];
      for (let round = 0; round < rounds; round++) {
        one.push(alone(network, job));
        two.push(ranks(launcher, network, job));
      }
      const batch = network.startsWith("coil") ? 32 : 256;
      report({
        ...({ kind: "step", link, job, network } as const),
        floats: flatSize(network, job),
        one: medianOf(one.map(({ imagesPerSecond = Number.NaN }) => batch / imagesPerSecond)),
        two: medianOf(two.map(({ seconds }) => seconds)),
        inMpi: medianOf(two.map(({ sumSeconds }) => sumSeconds)),
      });
    }
}

/** Gradient, batch statistics and loss. */
function flatSize(network: string, job: string): number {
  const architecture = paperArchitecture(network);
  return job === "dbc"
    ? totalSize([...clusteringParameters(architecture, clusters[network]), ...encoderStatistics(architecture)]) + 1
    : totalSize([...autoEncoderParameters(architecture), ...autoEncoderStatistics(architecture)]) + 1;
}

function ranks([command, words]: Launcher, ...args: readonly string[]): Measured {
  const program = [process.execPath, "--import", "tsx", join(here, "rank.ts"), ...args];
  const { status, stdout, stderr, error } = spawnSync(
    command,
    [...words, "--bind-to", "none", "-np", "2", ...program],
    {
      encoding: "utf8",
      cwd: join(here, ".."),
      env: { ...process.env, OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" },
    },
  );
  if (status !== 0) throw new Error(`two ranks of ${args.join(" ")} failed: ${error?.message ?? stderr}`);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}

function medianOf(values: readonly (number | undefined)[]): number {
  const sorted = values.map((value) => value ?? Number.NaN).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** A row for people. */
export function rankText(row: RankRow): string {
  const milliseconds = (seconds: number): string => `${(1000 * seconds).toFixed(2)} ms`;
  if (row.kind === "sum") return `sum of ${row.floats} floats (${row.link}): ${milliseconds(row.seconds)}`;
  const { job, network, link, one, two, inMpi } = row;
  const share = `${((100 * inMpi) / two).toFixed(0)} % of it in MPI`;
  return `${job} ${network} (${link}): one process ${milliseconds(one)}, two ranks ${milliseconds(two)}, ${share}: ${(one / two).toFixed(2)}x`;
}
