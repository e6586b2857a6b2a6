/**
 * Progress on stderr. A terminal has one live display of the whole run, drawn anew in place, and keeps a line for each
 * stage; anything else gets a plain line per epoch.
 */

import type { Images } from "../images/dataset.ts";
import { formatImageSize } from "../images/image.ts";
import type { BatchEvent, EpochEvent, PlanEvent, ProgressEvent } from "../methods/training/progress.ts";
import { JsonProgress } from "./json-progress.ts";
import { type Line, LiveArea, type Output } from "./live-area.ts";
import type { OptionSpecs } from "./options.ts";
import { PlannedRun } from "./planned-run.ts";
import type { ProgressDisplay, StepOptions } from "./progress-display.ts";
import { doneLine, epochLine, runLines, type Step, stepLine, stoppedLine } from "./progress-lines.ts";
import type { StageProgress } from "./stage-progress.ts";

/** How much a command tells while it works. */
export const displayOptions = {
  quiet: { kind: "flag", short: "q", help: "Show no progress, only warnings." },
  verbose: { kind: "flag", help: "Show a line per epoch in a terminal too." },
} as const satisfies OptionSpecs;

/** For whom. */
export const progressOption = {
  progress: {
    kind: "choice",
    choices: ["text", "json"],
    help: "Progress for people, or one JSON object per line of standard error for programs.",
    defaults: "text",
    basic: false,
  },
} as const satisfies OptionSpecs;

export interface ProgressOptions {
  /** Writes warnings alone. */
  readonly quiet: boolean;
  /** A line per epoch even in a terminal. Default: false. */
  readonly verbose?: boolean;
  /** Default: stderr. */
  readonly output?: Output;
  /** Milliseconds. Default: the process's. */
  readonly clock?: () => number;
}

/** Drawn anew at most so often, in milliseconds. */
const redrawEvery = 100;
/** Time goes on even where nothing is heard of for long. */
const tickEvery = 1000;

export class TextProgress implements ProgressDisplay {
  readonly #quiet: boolean;
  readonly #verbose: boolean;
  readonly #output: Output;
  readonly #clock: () => number;
  /** Where there is a terminal to draw on. */
  readonly #area: LiveArea | undefined;
  readonly #warned = new Set<string>();
  #run: PlannedRun | undefined;
  #step: Step | undefined;
  #next: string | undefined;
  #drawn = Number.NEGATIVE_INFINITY;
  #ticking: NodeJS.Timeout | undefined;

  constructor({ quiet, verbose = false, output = process.stderr, clock = () => performance.now() }: ProgressOptions) {
    const live = !quiet && output.isTTY === true && process.env.TERM !== "dumb";
    this.#quiet = quiet;
    this.#verbose = verbose || !live;
    this.#output = output;
    this.#clock = clock;
    this.#area = live ? new LiveArea(output) : undefined;
  }

  line(text: string): void {
    this.#print([{ text }]);
  }

  step(name: string, done: number, total: number, { unit = "things" }: StepOptions = {}): void {
    const { began, from } = this.#step?.name === name ? this.#step : { began: this.#now(), from: firstOf(unit, done) };
    this.#step = { name, done, total, began, from, unit };
    this.#redraw({ atOnce: done === total });
  }

  followedBy(next: string | undefined): void {
    this.#next = next;
  }

  show(event: ProgressEvent): void {
    if (event.kind === "warning") this.#warn(event.message);
    else if (event.kind === "plan") this.#begin(event);
    else this.#advance(event);
  }

  images({ name, count, image, skipped }: Images): void {
    this.end();
    this.line(`${name}: ${count} images, ${formatImageSize(image)}`);
    if (skipped.length === 0) return;
    this.line(`${skipped.length} files were left out:`);
    for (const { file, reason } of skipped.slice(0, 5)) this.line(`  ${file}: ${reason}`);
    if (skipped.length > 5) this.line(`  and ${skipped.length - 5} more`);
  }

  /** There are too many to be told in words. */
  clusters(): void {}

  end(): void {
    const over = this.#run?.complete() ?? [];
    this.#forget();
    for (const stage of over) this.#keep(stage);
  }

  stop(): void {
    const stage = this.#run?.current;
    this.#forget();
    if (stage?.state === "under way" && this.#area !== undefined) this.#print(stoppedLine(stage, this.#area.columns));
  }

  #begin(plan: PlanEvent): void {
    this.end();
    this.#run = new PlannedRun(plan, this.#now());
    this.#redraw({ atOnce: true });
  }

  #advance(event: BatchEvent | EpochEvent): void {
    if (event.kind === "epoch" && this.#verbose) this.line(epochLine(event));
    const over = this.#run?.advance(event, this.#now()) ?? [];
    for (const stage of over) this.#keep(stage);
    this.#redraw({ atOnce: over.length > 0 });
  }

  #warn(message: string): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    this.#write([{ text: "warning:", style: "alarming" }, { text: ` ${message}` }]);
  }

  #keep(stage: StageProgress): void {
    if (this.#area !== undefined) this.#print(doneLine(stage, this.#area.columns));
  }

  #print(line: Line): void {
    if (!this.#quiet) this.#write(line);
  }

  #write(line: Line): void {
    if (this.#area === undefined) this.#output.write(`${line.map(({ text }) => text).join("")}\n`);
    else this.#area.print(line);
  }

  #redraw({ atOnce }: { readonly atOnce: boolean }): void {
    const now = this.#clock();
    if (this.#area === undefined || (!atOnce && now - this.#drawn < redrawEvery)) return;
    this.#drawn = now;
    this.#area.draw(this.#lines(this.#area));
    this.#ticking ??= setInterval(() => this.#redraw({ atOnce: true }), tickEvery).unref();
  }

  #lines({ columns }: LiveArea): readonly Line[] {
    const frame = { columns, now: this.#now() };
    if (this.#step !== undefined) return [stepLine(this.#step, frame)];
    if (this.#run === undefined) return [];
    return runLines(this.#run, { ...frame, ...(this.#next === undefined ? {} : { next: this.#next }) });
  }

  #forget(): void {
    this.#run = undefined;
    this.#step = undefined;
    clearInterval(this.#ticking);
    this.#ticking = undefined;
    this.#area?.clear();
  }

  /** In seconds. */
  #now(): number {
    return this.#clock() / 1000;
  }
}

/** A download goes on where another process left it. */
const firstOf = (unit: Step["unit"], done: number): number => (unit === "bytes" ? done : 0);

/** Shows progress while that is at work. */
export async function displaying<Result>(
  options: ProgressOptions & { readonly progress?: "text" | "json" | undefined },
  work: (display: ProgressDisplay) => Promise<Result>,
): Promise<Result> {
  const display = options.progress === "json" ? new JsonProgress() : new TextProgress(options);
  try {
    return await work(display);
  } finally {
    display.stop();
  }
}
