/**
 * A run that a later process can go on with: what it has done once is kept and not done again, and a training that was
 * under way goes on after the epoch of its last checkpoint.
 */
import { alone, type Collective } from "../../engine/ranks/collective.ts";
import { InputError } from "../../files/errors.ts";
import type { TrainerState } from "../../network/trainer.ts";
import { type CheckpointStore, type Note, noCheckpoints } from "../../runs/checkpoint.ts";
import { type HistoryEntry, historyFromNote, historyNote } from "../../runs/fitted.ts";
import { sharedCheckpoints } from "../../runs/shared-checkpoints.ts";

export type Vectors = Readonly<Record<string, Float32Array>>;

/** Where a training stands that is not finished yet. */
export interface UnfinishedTraining {
  /** Epochs done. */
  readonly epochs: number;
  readonly trainer: TrainerState;
  /** What the method keeps beside the network. */
  readonly carried: Vectors;
}

/** Prefixes of the vectors in a checkpoint; those of work that is done begin with its name. */
const ofTrainer = "(trainer) ";
const ofCarried = "(carried) ";
const separator = ": ";

export class ResumableRun {
  readonly history: HistoryEntry[] = [];
  readonly #store: CheckpointStore;
  readonly #collective: Collective;
  readonly #done = new Map<string, Vectors>();
  /** How long the history was when each work that is not done began, in whichever process. */
  readonly #began = new Map<string, number>();
  #unfinished: { readonly name: string; readonly state: UnfinishedTraining } | undefined;

  /** Goes on from the store's checkpoint, if it has one; of several ranks, from that of rank 0. */
  constructor(store: CheckpointStore = noCheckpoints, collective = alone) {
    this.#store = sharedCheckpoints(store, collective);
    this.#collective = collective;
    const saved = this.#store.load();
    if (saved === undefined) return;
    const { history, done, began, training, epochs, step } = saved.notes;
    this.history.push(...historyFromNote(history));
    if (!Array.isArray(done)) throw new InputError("the checkpoint was written by another version");
    for (const name of done.map(String)) this.#done.set(name, withPrefix(saved.vectors, `${name}${separator}`));
    for (const [name, length] of Object.entries(began ?? {})) this.#began.set(name, Number(length));
    if (typeof training === "string")
      this.#unfinished = {
        name: training,
        state: {
          epochs: Number(epochs),
          trainer: { step: Number(step), vectors: withPrefix(saved.vectors, ofTrainer) },
          carried: withPrefix(saved.vectors, ofCarried),
        },
      };
  }

  /** What `work` leaves: it is done now, unless it was before. It may ask for the history since it began. */
  async once(name: string, work: (soFar: () => readonly HistoryEntry[]) => Promise<Vectors>): Promise<Vectors> {
    const left = this.#done.get(name);
    if (left !== undefined) return left;
    const began = this.#began.get(name) ?? this.history.length;
    this.#began.set(name, began);
    const vectors = await work(() => this.history.slice(began));
    // Ranks on different processors may differ in the last bits.
    for (const vector of Object.values(vectors)) this.#collective.broadcast(vector);
    this.#began.delete(name);
    this.#done.set(name, vectors);
    this.#unfinished = undefined;
    this.#store.save({ notes: this.#notes(), vectors: this.#vectors() });
    return vectors;
  }

  /** Work whose results live on in later ones need not be kept. */
  forget(names: readonly string[]): void {
    for (const name of names) this.#done.delete(name);
  }

  /** Where an earlier process left the training of that name. */
  unfinished(name: string): UnfinishedTraining | undefined {
    return this.#unfinished?.name === name ? this.#unfinished.state : undefined;
  }

  /** An epoch of that training is done. */
  save(name: string, { epochs, trainer, carried }: UnfinishedTraining): void {
    this.#store.save({
      notes: { ...this.#notes(), training: name, epochs, step: trainer.step },
      vectors: {
        ...this.#vectors(),
        ...prefixed(trainer.vectors, ofTrainer),
        ...prefixed(carried, ofCarried),
      },
    });
  }

  #notes(): { readonly [name: string]: Note } {
    return {
      history: historyNote(this.history),
      done: [...this.#done.keys()],
      began: Object.fromEntries(this.#began),
    };
  }

  #vectors(): Vectors {
    const kept = [...this.#done].map(([name, vectors]) => prefixed(vectors, `${name}${separator}`));
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
