/** Checkpoints of several ranks: rank 0 alone reads and writes them, and tells the others what they say. */
import { type Collective, fromFirst } from "../engine/ranks/collective.ts";
import type { Checkpoint, CheckpointStore } from "./checkpoint.ts";

export function sharedCheckpoints(store: CheckpointStore, collective: Collective): CheckpointStore {
  if (collective.size === 1) return store;
  return {
    load: () => checkpointOfFirst(() => store.load(), collective),
    save: (checkpoint) => {
      if (collective.rank === 0) store.save(checkpoint);
    },
  };
}

interface Outline {
  readonly notes: Checkpoint["notes"];
  /** Name and length of each vector. */
  readonly lengths: readonly (readonly [string, number])[];
}

function checkpointOfFirst(load: () => Checkpoint | undefined, collective: Collective): Checkpoint | undefined {
  const loaded = collective.rank === 0 ? load() : undefined;
  const outline: Outline | null = JSON.parse(fromFirst(collective, () => JSON.stringify(outlineOf(loaded))));
  if (outline === null) return undefined;
  const vectors = Object.fromEntries(
    outline.lengths.map(([name, length]) => [name, loaded?.vectors[name] ?? new Float32Array(length)]),
  );
  for (const vector of Object.values(vectors)) collective.broadcast(vector);
  return { notes: outline.notes, vectors };
}

function outlineOf(checkpoint: Checkpoint | undefined): Outline | null {
  if (checkpoint === undefined) return null;
  const lengths = Object.entries(checkpoint.vectors).map(([name, { length }]) => [name, length] as const);
  return { notes: checkpoint.notes, lengths };
}
