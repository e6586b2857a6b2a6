/**
 * Learning from what was decided: `boostcluster refine` in a process of its own, and then what it says, until a person has
 * accepted or discarded it. The refined run is in the folder `refined` of the run: whoever opens the studio again finds it.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isRunFile } from "../../runs/run-folder.ts";
import { expectUnlocked, isLockFile } from "../../runs/run-lock.ts";
import type { LearnedChange, TrainingState } from "../api.ts";
import { notNow } from "../refusal.ts";
import type { StudioRun } from "../run/studio-run.ts";
import { Training } from "../training/training.ts";
import { changesOf, type RefinedRun, readRefined } from "./refined-run.ts";

export interface LearningOptions {
  /** Node's own options and the program. */
  readonly command: readonly string[];
  /** Options of `refine` that say where things are. */
  readonly places: readonly string[];
  /** While it learns. */
  readonly onProgress: (state: TrainingState) => void;
  /** It has begun or ended, or there is something to look at. */
  readonly onChange: () => void;
}

export class Learning {
  readonly #run: StudioRun;
  readonly #options: LearningOptions;
  #process: Training | undefined;
  #refined: RefinedRun | undefined;

  constructor(run: StudioRun, options: LearningOptions) {
    this.#run = run;
    this.#options = options;
  }

  /** Looks for what was learned, and not looked at, before this studio was opened. */
  async open(): Promise<void> {
    if (this.#run.state().readOnly !== undefined || this.#process !== undefined) return;
    const { decisions } = this.#run;
    const refined = existsSync(join(this.#folder, "run.json")) ? await this.#read() : undefined;
    const isAccepted = decisions.some((one) => one.kind === "learn" && one.run === refined?.hash);
    if (refined === undefined || isAccepted || this.#process !== undefined) return;
    this.#refined = refined;
    this.#options.onChange();
  }

  /** Undefined where nothing is learned, and nothing went wrong. */
  get progress(): TrainingState | undefined {
    return this.#process?.state;
  }

  /** Images that would go elsewhere; undefined where there is nothing to accept or discard. */
  get count(): number | undefined {
    return this.#refined && this.changes().reduce((sum, { images }) => sum + images.length, 0);
  }

  /** Against what is decided now. */
  changes(): readonly LearnedChange[] {
    return this.#refined === undefined ? [] : changesOf(this.#refined, this.#run.decided);
  }

  /** Always from the run's own network, and from all that people have decided. */
  start(): void {
    const { readOnly, lessons } = this.#run.state();
    if (readOnly !== undefined) throw notNow(readOnly);
    if (this.#process?.running) throw notNow("it is learning already");
    if (lessons === 0) throw notNow("there is nothing new to learn: answer questions, move, confirm or merge first");
    this.#forget();
    this.#process = new Training({
      command: this.#options.command,
      args: ["refine", this.#run.folder, "--out", this.#folder, "--no-report", ...this.#options.places],
      onEvent: () => {},
      onChange: (state) => this.#hear(state),
    });
  }

  stop(): void {
    if (!this.#process?.running) throw notNow("nothing is being learned");
    this.#process.stop();
  }

  /** Those of the changes that are of these images, as one decision. */
  async accept(images: readonly number[]): Promise<void> {
    const refined = this.#refined;
    if (refined === undefined) throw notNow("there is nothing to accept any more");
    const accepted = new Set(images);
    const changes = this.changes().map((one) => ({
      ...one,
      images: one.images.filter((image) => accepted.has(image)),
    }));
    // Another page may accept it at the same time: one of them does.
    this.#refined = undefined;
    try {
      await this.#run.learn({ changes, hash: refined.hash });
      this.#process = undefined;
    } catch (error) {
      this.#refined = refined;
      throw error;
    }
  }

  /** Forgets what was learned, or why it was not. */
  discard(): void {
    const { readOnly } = this.#run.state();
    if (readOnly !== undefined) throw notNow(readOnly);
    if (this.#process?.running) throw notNow("it is still learning; stop it first");
    this.#forget();
  }

  async close(): Promise<void> {
    await this.#process?.close();
  }

  get #folder(): string {
    return join(this.#run.folder, "refined");
  }

  #hear(state: TrainingState): void {
    this.#options.onProgress(state);
    if (state.state === "done") void this.#take();
    else if (state.state !== "running") this.#options.onChange();
  }

  async #take(): Promise<void> {
    this.#refined = await this.#read().catch(() => undefined);
    this.#options.onChange();
  }

  async #read(): Promise<RefinedRun | undefined> {
    return readRefined(this.#folder, await this.#run.refinedFrom());
  }

  #forget(): void {
    this.#refined = undefined;
    this.#process = undefined;
    if (!existsSync(this.#folder)) return;
    expectUnlocked(this.#folder);
    if (!readdirSync(this.#folder).every((name) => isRunFile(name) || isLockFile(name)))
      throw notNow(`${this.#folder} has files that are not of a run; move them elsewhere first`);
    rmSync(this.#folder, { recursive: true });
  }
}
