/** Progress on stderr: a bar with rate and time left on a terminal, a plain line an epoch elsewhere. */

import type { BatchEvent, EpochEvent, ProgressEvent } from "../methods/training/progress.ts";
import { formatSeconds } from "../numeric/format.ts";
import type { Stage } from "../runs/fitted.ts";
import type { OptionSpecs } from "./options.ts";

/** How much a command tells while it works. */
export const displayOptions = {
  quiet: { kind: "flag", short: "q", help: "Show no progress." },
} as const satisfies OptionSpecs;

export interface ProgressOptions {
  readonly quiet: boolean;
  readonly stream?: NodeJS.WriteStream;
}

/** Redrawn at most so often, in milliseconds. */
const redrawEvery = 100;
const barWidth = 24;

/** A stage in the words of the display. */
export const stageNames = {
  layers: "layer by layer",
  "auto-encoder": "stage I: auto-encoder",
  "over-clustering": "over-clustering",
  partitions: "partitions",
  clustering: "stage II: clustering",
} as const satisfies Record<Stage, string>;

export class ProgressDisplay {
  readonly #quiet: boolean;
  readonly #stream: NodeJS.WriteStream;
  readonly #warned = new Set<string>();
  #drawn = 0;
  #stage = "";
  #stageStart = 0;
  #stageImages = 0;

  constructor({ quiet, stream = process.stderr }: ProgressOptions) {
    this.#quiet = quiet;
    this.#stream = stream;
  }

  /** A line that stays. */
  line(text: string): void {
    if (this.#quiet) return;
    this.#clear();
    this.#stream.write(`${text}\n`);
  }

  /** So much of something is done, as a bar. */
  step(name: string, done: number, total: number): void {
    this.#draw(`${name} ${bar(done / total)} ${done}/${total}`, done === total);
  }

  show(event: ProgressEvent): void {
    if (event.kind === "warning") this.#warn(event.message);
    else if (event.kind === "epoch") this.line(epochLine(event));
    else if (event.kind === "batch") this.#batch(event);
  }

  end(): void {
    this.#clear();
  }

  #batch(event: BatchEvent): void {
    if (this.#stage !== event.stage) {
      this.#stage = event.stage;
      this.#stageStart = performance.now();
      this.#stageImages = 0;
    }
    this.#stageImages += event.batch;
    const seconds = (performance.now() - this.#stageStart) / 1000;
    const rate = this.#stageImages / seconds;
    const batchesLeft = (event.epochs - event.epoch) * event.total + event.total - event.done;
    const left = formatSeconds((batchesLeft * event.batch) / rate);
    const epoch = `${event.epoch}/${event.epochs}`;
    this.#draw(
      `${stageNames[event.stage]} ${epoch} ${bar(event.done / event.total)} ${Math.round(rate)} images/s, at most ${left} left`,
      false,
    );
  }

  #warn(message: string): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    this.#clear();
    this.#stream.write(`warning: ${message}\n`);
  }

  #draw(text: string, always: boolean): void {
    if (this.#quiet || !this.#stream.isTTY) return;
    const now = performance.now();
    if (!always && now - this.#drawn < redrawEvery) return;
    this.#drawn = now;
    this.#stream.write(`\r${text.slice(0, this.#stream.columns - 1)}\x1b[K`);
  }

  #clear(): void {
    if (!this.#quiet && this.#stream.isTTY) this.#stream.write("\r\x1b[K");
  }
}

function epochLine({ stage, epoch, epochs, loss, changed }: EpochEvent): string {
  const moved = changed === undefined ? "" : `, ${(100 * changed).toFixed(2)} % changed cluster`;
  return `${stageNames[stage]}, epoch ${epoch} of ${epochs}: loss ${loss.toPrecision(4)}${moved}`;
}

function bar(share: number): string {
  const full = Math.round(share * barWidth);
  return `[${"#".repeat(full)}${".".repeat(barWidth - full)}]`;
}
