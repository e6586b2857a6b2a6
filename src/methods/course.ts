/** How far a run has come: the phases it has finished and what they left, so that a later process can go on. */
import { InputError } from "../errors.ts";
import { type CheckpointStore, type Note, noCheckpoints } from "../model/checkpoint.ts";
import { type HistoryEntry, historyFromNote, historyNote } from "../model/fitted.ts";
import type { TrainerState } from "../network/trainer.ts";

export type Vectors = Readonly<Record<string, Float32Array>>;

/** Where a phase stands that is not finished yet. */
export interface OpenPhase {
  /** Epochs done. */
  readonly epochs: number;
  readonly trainer: TrainerState;
  /** What the method keeps beside the network. */
  readonly carried: Vectors;
}

/** Prefixes of the vectors in a checkpoint; those of finished phases begin with the phase's name. */
const openTrainer = "(trainer) ";
const openCarried = "(carried) ";
const separator = ": ";

export class Course {
  readonly history: HistoryEntry[] = [];
  readonly #store: CheckpointStore;
  readonly #finished = new Map<string, Vectors>();
  /** How long the history was when each unfinished phase began, in whichever process. */
  readonly #began = new Map<string, number>();
  #open: { readonly phase: string; readonly state: OpenPhase } | undefined;

  /** Goes on from the store's checkpoint, if it has one. */
  constructor(store: CheckpointStore = noCheckpoints) {
    this.#store = store;
    const saved = store.load();
    if (saved === undefined) return;
    const { history, finished, began, phase, epochs, step } = saved.notes;
    this.history.push(...historyFromNote(history));
    if (!Array.isArray(finished)) throw new InputError("the checkpoint was written by another version");
    for (const name of finished.map(String)) this.#finished.set(name, withPrefix(saved.vectors, `${name}${separator}`));
    for (const [name, length] of Object.entries(began ?? {})) this.#began.set(name, Number(length));
    if (typeof phase === "string")
      this.#open = {
        phase,
        state: {
          epochs: Number(epochs),
          trainer: { step: Number(step), vectors: withPrefix(saved.vectors, openTrainer) },
          carried: withPrefix(saved.vectors, openCarried),
        },
      };
  }

  /** What a phase leaves: `run` makes it, unless an earlier process has. It may ask for the history since it began. */
  async phase(name: string, run: (soFar: () => readonly HistoryEntry[]) => Promise<Vectors>): Promise<Vectors> {
    const left = this.#finished.get(name);
    if (left !== undefined) return left;
    const began = this.#began.get(name) ?? this.history.length;
    this.#began.set(name, began);
    const vectors = await run(() => this.history.slice(began));
    this.#began.delete(name);
    this.#finished.set(name, vectors);
    this.#open = undefined;
    this.#store.save({ notes: this.#notes(), vectors: this.#vectors() });
    return vectors;
  }

  /** Finished phases whose results live on in a later one need not be kept. */
  forget(names: readonly string[]): void {
    for (const name of names) this.#finished.delete(name);
  }

  /** Where an earlier process left the phase. */
  opened(phase: string): OpenPhase | undefined {
    return this.#open?.phase === phase ? this.#open.state : undefined;
  }

  /** An epoch of the phase is done. */
  save(phase: string, { epochs, trainer, carried }: OpenPhase): void {
    this.#store.save({
      notes: { ...this.#notes(), phase, epochs, step: trainer.step },
      vectors: {
        ...this.#vectors(),
        ...prefixed(trainer.vectors, openTrainer),
        ...prefixed(carried, openCarried),
      },
    });
  }

  #notes(): { readonly [name: string]: Note } {
    return {
      history: historyNote(this.history),
      finished: [...this.#finished.keys()],
      began: Object.fromEntries(this.#began),
    };
  }

  #vectors(): Vectors {
    const kept = [...this.#finished].map(([name, vectors]) => prefixed(vectors, `${name}${separator}`));
    return Object.assign({}, ...kept);
  }
}

const prefixed = (vectors: Vectors, prefix: string): Vectors =>
  Object.fromEntries(Object.entries(vectors).map(([name, vector]) => [prefix + name, vector]));

const withPrefix = (vectors: Vectors, prefix: string): Vectors =>
  Object.fromEntries(
    Object.entries(vectors)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, vector]) => [name.slice(prefix.length), vector]),
  );
