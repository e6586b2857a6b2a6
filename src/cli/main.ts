#!/usr/bin/env node
/** The command line `boostcluster`. Exit codes: 0 done, 1 interrupted or failed, 2 bad input. */
import { setTimeout } from "node:timers/promises";
import { alone, type Collective } from "../engine/ranks/collective.ts";
import { openRanks } from "../engine/ranks/open-ranks.ts";
import { startedRanks } from "../engine/ranks/started-ranks.ts";
import { InputError, InterruptedError } from "../files/errors.ts";
import { versions } from "../runs/versions.ts";
import type { Command } from "./command.ts";
import { helpText } from "./help.ts";
import { messageOf, ToldByFirstError } from "./ranks.ts";
import { inShellWords } from "./shell-words.ts";

/** Each is loaded when it is asked for: a command starts without what others need. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  cluster: async () => (await import("./commands/cluster.ts")).clusterCommand,
  studio: async () => (await import("./commands/studio.ts")).studioCommand,
  k: async () => (await import("./commands/k.ts")).kCommand,
  predict: async () => (await import("./commands/predict.ts")).predictCommand,
  add: async () => (await import("./commands/add.ts")).addCommand,
  evaluate: async () => (await import("./commands/evaluate.ts")).evaluateCommand,
  info: async () => (await import("./commands/info.ts")).infoCommand,
  report: async () => (await import("./commands/report.ts")).reportCommand,
  organize: async () => (await import("./commands/organize.ts")).organizeCommand,
  decisions: async () => (await import("./commands/decisions.ts")).decisionsCommand,
  ask: async () => (await import("./commands/ask.ts")).askCommand,
  refine: async () => (await import("./commands/refine.ts")).refineCommand,
  duplicates: async () => (await import("./commands/duplicates.ts")).duplicatesCommand,
  export: async () => (await import("./commands/export.ts")).exportCommand,
  data: async () => (await import("./commands/data.ts")).dataCommand,
  backbone: async () => (await import("./commands/backbone.ts")).backboneCommand,
  methods: async () => (await import("./commands/methods.ts")).methodsCommand,
  benchmark: async () => (await import("./commands/benchmark.ts")).benchmarkCommand,
  ablate: async () => (await import("./commands/ablate.ts")).ablateCommand,
};

async function overview(): Promise<string> {
  const all = await Promise.all(Object.values(commands).map((load) => load()));
  const width = Math.max(...all.map(({ name }) => name.length)) + 2;
  const lines = all.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`);
  return `boostcluster sorts unlabelled images into groups.

usage: boostcluster <command> [options]

${lines.join("\n")}

boostcluster <command> --help tells more, with examples. First try:
  boostcluster cluster path/to/images -k 10`;
}

async function main(args: readonly string[]): Promise<void> {
  const [name, ...rest] = args;
  const print = (text: string): void => {
    process.stdout.write(`${text}\n`);
  };
  if (name === undefined || name === "--help" || name === "-h" || name === "help") return print(await overview());
  if (name === "--version" || name === "-v") return print(versions().boostcluster);
  if (!Object.hasOwn(commands, name))
    throw new InputError(`there is no command "${name}"; there are: ${Object.keys(commands).join(", ")}`);
  const command = await commands[name]();
  if (rest.includes("--help") || rest.includes("-h")) return print(helpText(command, { all: rest.includes("--all") }));
  ranks = await ranksFor(command);
  const interrupt = new AbortController();
  if (command.interruptible) {
    // Rank 0 says what is kept, and ends the others then.
    const onSignal = ranks.rank === 0 ? () => interrupt.abort() : () => undefined;
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, onSignal);
    // Whoever started this process with a channel to it has ended, or lets it end.
    process.once("disconnect", () => interrupt.abort());
    // It may have done so before this was loaded. Without a channel it is undefined.
    if (process.connected === false) interrupt.abort();
    process.channel?.unref();
  }
  const say = (text: string): void => {
    process.stderr.write(`${text}\n`);
  };
  try {
    const told = ranks.rank === 0 ? { print, say } : { print: () => undefined, say: () => undefined };
    await command.run(rest, { ...told, signal: interrupt.signal, collective: ranks });
  } catch (error) {
    if (interrupt.signal.aborted && !(error instanceof InterruptedError)) throw new InterruptedError("interrupted");
    if (!(error instanceof InputError)) throw error;
    throw new InputError(inShellWords(error.message, error.option, command.options), { cause: error });
  }
}

/** Those that run this command, once it is known. */
let ranks = alone;

async function ranksFor({ name, sharedByRanks = false }: Command): Promise<Collective> {
  if (sharedByRanks) return openRanks();
  const { rank, size } = startedRanks();
  if (size === 1) return alone;
  const refusal = `${name} runs in one process; start it without mpirun`;
  throw rank === 0 ? new InputError(refusal) : new ToldByFirstError(refusal);
}

/** Before a rank other than 0 says why it ends all: rank 0 says it first where it is the same for all. In milliseconds. */
const afterFirst = 500;

/** What ends this rank ends all of them, where they depend on it. */
async function tell(message: string, code: number): Promise<void> {
  const { rank } = startedRanks();
  if (rank > 0 && ranks.open) await setTimeout(afterFirst);
  process.stderr.write(`boostcluster: ${rank > 0 ? `rank ${rank}: ` : ""}${message}\n`);
  if (ranks.open) ranks.abort(code);
  process.exitCode = code;
}

/** A reader that has seen enough, as `head` does, is no fault. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  process.exit(error.code === "EPIPE" ? 0 : 1);
});

try {
  await main(process.argv.slice(2));
} catch (error) {
  const expected = error instanceof InputError || error instanceof InterruptedError;
  const message = expected ? messageOf(error) : `unexpected: ${messageOf(error)}`;
  // Rank 0 has the exit code, too: mpirun would end it at the first one that it sees, before it has said why.
  if (!(error instanceof ToldByFirstError)) await tell(message, error instanceof InputError ? 2 : 1);
}
