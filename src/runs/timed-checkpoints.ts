/** Checkpoints that know how long it took to get there, so that the time of a resumed run adds up. */
import type { CheckpointStore } from "./checkpoint.ts";

export interface TimedCheckpoints extends CheckpointStore {
  /** Spent so far: up to the checkpoint that is gone on from, and since now. */
  seconds(): number;
  /** What was spent elsewhere and belongs to this run. */
  add(seconds: number): void;
  /** A part begins, unless it is the one that the checkpoint that is gone on from was in. */
  beginPart(name: string): void;
  /** Spent on that part. */
  partSeconds(): number;
}

/**
 * The time is kept in the checkpoint itself: what came after it and was lost is done again, and counts once.
 * `clock` gives milliseconds.
 */
export function timedCheckpoints(store: CheckpointStore, clock: () => number): TimedCheckpoints {
  const notes = store.load()?.notes;
  let before = Number(notes?.seconds ?? 0);
  let part = String(notes?.part ?? "");
  let partStart = Number(notes?.partStart ?? 0);
  const start = clock();
  const seconds = (): number => before + (clock() - start) / 1000;
  return {
    seconds,
    add(more) {
      before += more;
    },
    beginPart(name) {
      if (name === part) return;
      part = name;
      partStart = seconds();
    },
    partSeconds: () => seconds() - partStart,
    load: () => store.load(),
    save: ({ notes, vectors }) => store.save({ notes: { ...notes, seconds: seconds(), part, partStart }, vectors }),
  };
}
