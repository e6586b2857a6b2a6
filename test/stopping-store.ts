/** Simulates a process that is killed: the checkpoint is kept, and the work ends there. */
import type { Checkpoint, CheckpointStore } from "../src/runs/checkpoint.ts";

export class Stopped extends Error {
  override readonly name = "Stopped";

  constructor() {
    super("stopped");
  }
}

/** Keeps the last checkpoint, and stops the run after `stopAfter` of them; never if that is negative. */
export class StoppingStore implements CheckpointStore {
  last: Checkpoint | undefined;
  /** The number of checkpoints saved. */
  saves = 0;
  #left: number;

  constructor(last: Checkpoint | undefined, stopAfter: number) {
    this.last = last;
    this.#left = stopAfter;
  }

  load(): Checkpoint | undefined {
    return this.last;
  }

  save(checkpoint: Checkpoint): void {
    this.last = structuredClone(checkpoint);
    this.saves++;
    if (--this.#left === 0) throw new Stopped();
  }
}
