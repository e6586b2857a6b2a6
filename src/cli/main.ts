#!/usr/bin/env node
/** The command line `boostcluster`. Exit codes: 0 done, 1 interrupted or failed, 2 bad input. */
import { InputError, InterruptedError } from "../files/errors.ts";
import { versions } from "../runs/versions.ts";
import type { Command } from "./command.ts";
import { helpText } from "./help.ts";
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
  const interrupt = new AbortController();
  if (command.interruptible) {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => interrupt.abort());
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
    await command.run(rest, { print, say, signal: interrupt.signal });
  } catch (error) {
    if (interrupt.signal.aborted && !(error instanceof InterruptedError)) throw new InterruptedError("interrupted");
    if (!(error instanceof InputError)) throw error;
    throw new InputError(inShellWords(error.message, error.option, command.options), { cause: error });
  }
}

/** A reader that has seen enough, as `head` does, is no fault. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  process.exit(error.code === "EPIPE" ? 0 : 1);
});

try {
  await main(process.argv.slice(2));
} catch (error) {
  const expected = error instanceof InputError || error instanceof InterruptedError;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`boostcluster: ${expected ? message : `unexpected: ${message}`}\n`);
  process.exitCode = error instanceof InputError ? 2 : 1;
}
