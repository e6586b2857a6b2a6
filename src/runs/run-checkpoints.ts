/** The checkpoints of a run in its folder, tied to the settings that made them. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../files/atomic.ts";
import { InputError } from "../files/errors.ts";
import type { Checkpoint, CheckpointStore, Note } from "./checkpoint.ts";
import { fileCheckpoints } from "./checkpoint-file.ts";

type Notes = { readonly [name: string]: Note };

/** After a checkpoint that took long, there is none for so many times as long: most of the time is for the work. */
const workPerWriting = 10;
/** In milliseconds. */
const longWriting = 100;

export interface RunCheckpoints extends CheckpointStore {
  /** What the checkpoint in the folder says of itself, as far as it was loaded or saved here; undefined without one. */
  readonly last: Checkpoint["notes"] | undefined;
}

/**
 * The folder is made with the first checkpoint, so that a run that fails before, or in it, leaves nothing behind.
 * `beside`: what is kept with each checkpoint and decides nothing.
 */
export function runCheckpoints(folder: string, settings: Notes, beside: Notes = {}): RunCheckpoints {
  const file = checkpointFile(folder);
  let notBefore = 0;
  let last: Checkpoint["notes"] | undefined;
  return {
    get last() {
      return last;
    },
    load() {
      const saved = file.load();
      if (saved === undefined) return undefined;
      // Another number of ranks divides the work otherwise.
      const divided = saved.notes.ranks === beside.ranks ? [] : ["parts", "threads"];
      expectSameSettings(folder, without(saved.notes.settings, divided), without(settings, divided));
      last = saved.notes;
      return saved;
    },
    save({ notes, vectors }) {
      const start = performance.now();
      if (start < notBefore) return;
      const made = makeFolder(folder);
      try {
        const all = { ...notes, ...beside, settings };
        file.save({ notes: all, vectors });
        last = all;
        const end = performance.now();
        if (end - start > longWriting) notBefore = end + workPerWriting * (end - start);
      } catch (error) {
        if (made !== undefined) rmSync(made, { recursive: true });
        throw error;
      }
    },
  };
}

/** The last checkpoint of the run in that folder, whatever its settings. */
export const lastCheckpoint = (folder: string): Checkpoint | undefined => checkpointFile(folder).load();

const checkpointFile = (folder: string): CheckpointStore => fileCheckpoints(join(folder, "checkpoint.safetensors"));

const without = (settings: Note | undefined, names: readonly string[]): Notes =>
  Object.fromEntries(Object.entries(isRecord(settings) ? settings : {}).filter(([name]) => !names.includes(name)));

function expectSameSettings(folder: string, then: Notes, now: Notes): void {
  const names = new Set([...Object.keys(then), ...Object.keys(now)]);
  const different = [...names].find((name) => JSON.stringify(then[name]) !== JSON.stringify(now[name]));
  if (different === undefined) return;
  throw new InputError(
    `${folder}: this run cannot go on: ${difference(different, then, now)}; use what it began with, or remove the run and start anew`,
    { option: "force" },
  );
}

function difference(name: string, then: Notes, now: Notes): string {
  if (name === "dataset") return "the images have changed";
  if (name === "vectors") return "the vectors have changed";
  if (name === "architecture") return "the network is another";
  return `${name} was ${JSON.stringify(then[name]) ?? "not given"} and is ${JSON.stringify(now[name]) ?? "not given"}`;
}

const isRecord = (note: Note | undefined): note is Notes =>
  typeof note === "object" && note !== null && !Array.isArray(note);
