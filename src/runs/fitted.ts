/** What a method gives back. */
import { InputError } from "../files/errors.ts";
import type { Encoder } from "../network/ensemble.ts";
import type { Note } from "./checkpoint.ts";

export type Settings = { readonly [option: string]: Note };

/** What a method is at. */
export type Stage = "layers" | "auto-encoder" | "partitions" | "over-clustering" | "clustering";

export interface HistoryEntry {
  readonly stage: Stage;
  readonly epoch: number;
  /** The mean over the epoch's batches. */
  readonly loss: number;
  /** The share of images whose cluster changed since the epoch before. */
  readonly changed?: number;
  /** What the caller's `evaluate` gave for the clusters that the epoch started with. */
  readonly metrics?: Readonly<Record<string, number>>;
}

export interface Fitted {
  readonly method: string;
  /** Every option that made the result, defaults filled in. */
  readonly settings: Settings;
  /** What takes images to features. */
  readonly architecture: Encoder;
  readonly k: number;
  /** The degree of freedom v of the scores. */
  readonly v: number;
  /** θ and μ, in the order of `clusteringParameters`. */
  readonly parameters: Float32Array;
  /** Running statistics of the encoder. */
  readonly statistics: Float32Array;
  /** The auto-encoder that training began with, decoder included; not every method has one. */
  readonly autoEncoder?: { readonly parameters: Float32Array; readonly statistics: Float32Array };
  /** [images]: the cluster with the highest score. */
  readonly assignments: Int32Array;
  /** [images, k]: the model's, or these smoothed over neighbours. */
  readonly scores: Float32Array;
  /** [images, d]. */
  readonly features: Float32Array;
  readonly history: readonly HistoryEntry[];
  /** Whether the assignments stopped changing; a run may also end at its last epoch. */
  readonly converged: boolean;
}

/** Histories as they are kept in checkpoints. */
export const historyNote = (history: readonly HistoryEntry[]): Note => JSON.parse(JSON.stringify(history));

export function historyFromNote(note: Note | undefined): HistoryEntry[] {
  if (!Array.isArray(note)) throw new InputError("the checkpoint holds no history: it was written by another version");
  return JSON.parse(JSON.stringify(note));
}
