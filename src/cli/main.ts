#!/usr/bin/env node
/** The command line `boostcluster`. Exit codes: 0 done, 1 interrupted or failed, 2 bad input. */
import { InputError, InterruptedError } from "../files/errors.ts";
import { versions } from "../runs/versions.ts";
import type { Command } from "./command.ts";
import { ablateCommand } from "./commands/ablate.ts";
import { askCommand } from "./commands/ask.ts";
import { backboneCommand } from "./commands/backbone.ts";
import { benchmarkCommand } from "./commands/benchmark.ts";
import { clusterCommand } from "./commands/cluster.ts";
import { dataCommand } from "./commands/data.ts";
import { decisionsCommand } from "./commands/decisions.ts";
import { duplicatesCommand } from "./commands/duplicates.ts";
import { evaluateCommand } from "./commands/evaluate.ts";
import { exportCommand } from "./commands/export.ts";
import { infoCommand } from "./commands/info.ts";
import { kCommand } from "./commands/k.ts";
import { methodsCommand } from "./commands/methods.ts";
import { organizeCommand } from "./commands/organize.ts";
import { predictCommand } from "./commands/predict.ts";
import { refineCommand } from "./commands/refine.ts";
import { reportCommand } from "./commands/report.ts";
import { studioCommand } from "./commands/studio.ts";
import { helpText } from "./help.ts";
import { inShellWords } from "./shell-words.ts";

const commands: readonly Command[] = [
  clusterCommand,
  studioCommand,
  kCommand,
  predictCommand,
  evaluateCommand,
  infoCommand,
  reportCommand,
  organizeCommand,
  decisionsCommand,
  askCommand,
  refineCommand,
  duplicatesCommand,
  exportCommand,
  dataCommand,
  backboneCommand,
  methodsCommand,
  benchmarkCommand,
  ablateCommand,
];

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`);
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
  if (name === undefined || name === "--help" || name === "-h" || name === "help") return print(overview());
  if (name === "--version" || name === "-v") return print(versions().boostcluster);
  const command = commands.find((one) => one.name === name);
  if (command === undefined)
    throw new InputError(`there is no command "${name}"; there are: ${commands.map((one) => one.name).join(", ")}`);
  if (rest.includes("--help") || rest.includes("-h")) return print(helpText(command, { all: rest.includes("--all") }));
  const interrupt = new AbortController();
  if (command.interruptible) {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => interrupt.abort());
    // Whoever started this process with a channel to it has ended, or lets it end.
    process.once("disconnect", () => interrupt.abort());
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
