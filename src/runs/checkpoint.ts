/** Where a method keeps what it needs to go on after it was stopped, however that happened. */

/** Numbers and texts, as JSON. */
export type Note = string | number | boolean | null | readonly Note[] | { readonly [key: string]: Note };

export interface Checkpoint {
  readonly notes: { readonly [key: string]: Note };
  readonly vectors: Readonly<Record<string, Float32Array>>;
}

export interface CheckpointStore {
  /** The last checkpoint that was written whole. */
  load(): Checkpoint | undefined;
  /** Replaces it; a process killed meanwhile leaves the old one. */
  save(checkpoint: Checkpoint): void;
}

/** Keeps nothing. */
export const noCheckpoints: CheckpointStore = { load: () => undefined, save: () => undefined };
