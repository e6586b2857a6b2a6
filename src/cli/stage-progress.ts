/** How far one stage of a run has come, and how fast it goes. */
import type { BatchEvent, EpochEvent, PlannedStage } from "../methods/training/progress.ts";
import type { Stage } from "../runs/fitted.ts";

/** A pace that was measured for less than so many seconds says nothing yet. */
const leastMeasured = 1;

export class StageProgress {
  readonly stage: Stage;
  readonly epochs: number;
  state: "to come" | "under way" | "done" = "to come";
  /** Whole epochs, those of earlier processes included. */
  epochsDone = 0;
  /** Of the last whole epoch of this process. */
  loss: number | undefined;
  changed: number | undefined;
  /** That this process has spent on it, what was prepared for it included. */
  seconds = 0;
  readonly #imagesPerEpoch: number;
  /** In epochs. */
  #position = 0;
  #measured = { epochs: 0, seconds: 0 };

  constructor({ stage, epochs, batches, batch }: PlannedStage) {
    this.stage = stage;
    this.epochs = epochs;
    this.#imagesPerEpoch = batches * batch;
  }

  /** `steady`: the event before was of this stage too, so that the seconds between them are those of steps. */
  advance(event: BatchEvent | EpochEvent, { seconds, steady }: { seconds: number; steady: boolean }): void {
    const position = event.kind === "batch" ? event.epoch - 1 + event.done / event.total : event.epoch;
    const gone = position - this.#position;
    // More than an epoch at once is something that was trained before.
    if (steady && gone <= 1) {
      this.#measured.epochs += gone;
      this.#measured.seconds += seconds;
    }
    this.#position = position;
    this.seconds += seconds;
    this.state = "under way";
    this.epochsDone = Math.floor(position);
    if (event.kind === "epoch") {
      this.loss = event.loss;
      this.changed = event.changed;
    }
  }

  /** The epoch that is under way, from 1. */
  get epoch(): number {
    return Math.max(1, Math.ceil(this.#position));
  }

  /** Whether this process had anything to do for it. */
  get begun(): boolean {
    return this.#position > 0;
  }

  /** Images per second, where it was measured for long enough. */
  get rate(): number | undefined {
    const { epochs, seconds } = this.#measured;
    return epochs > 0 && seconds >= leastMeasured ? (epochs * this.#imagesPerEpoch) / seconds : undefined;
  }

  get images(): number {
    return this.epochs * this.#imagesPerEpoch;
  }

  get imagesLeft(): number {
    return this.state === "done" ? 0 : Math.max(0, this.images - this.#position * this.#imagesPerEpoch);
  }
}
