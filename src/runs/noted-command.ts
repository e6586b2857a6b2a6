/** With each checkpoint is kept how the work began, so that somebody else can go on with it. */
import type { Checkpoint, Note } from "./checkpoint.ts";

export interface NotedCommand {
  /** The words after `boostcluster cluster`. */
  readonly args: readonly string[];
  /** The folder that it was given in, which relative paths begin at. */
  readonly folder: string;
  /** The images: an absolute path, or the name of a set. */
  readonly source: string;
}

/** As it is kept with checkpoints. */
export const commandNote = (args: readonly string[], source: string): Note => ({
  args: [...args],
  folder: process.cwd(),
  source,
});

/** Undefined where the checkpoint is of a version that kept none, or was made without the shell. */
export function notedCommand({ notes: { command } }: Checkpoint): NotedCommand | undefined {
  if (typeof command !== "object" || command === null || !("args" in command)) return undefined;
  const { args, folder, source } = command;
  if (!Array.isArray(args) || typeof folder !== "string" || typeof source !== "string") return undefined;
  return { args: args.map(String), folder, source };
}
