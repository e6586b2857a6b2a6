/** `assignments.csv` follows what is decided, a little later: whoever decides much does not wait for it each time. */
import { renewAssignments } from "../../runs/decisions/decided-run.ts";
import type { RunImagesOptions } from "../../runs/run-images.ts";

/** After so many milliseconds in which nothing was decided. */
const pause = 5000;

export interface RenewalOptions extends RunImagesOptions {
  /** Writes it in another process, so that this one answers meanwhile. */
  readonly elsewhere: () => Promise<void>;
}

export class AssignmentsRenewal {
  readonly #run: string;
  readonly #options: RenewalOptions;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(run: string, options: RenewalOptions) {
    this.#run = run;
    this.#options = options;
  }

  /** Something was decided. */
  want(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      // The decisions are safe in any case, and every command that reads the run honours them.
      this.#writing = this.#writing.then(this.#options.elsewhere).catch(() => {});
    }, pause).unref();
  }

  /** Writes what is still to be written. */
  async close(): Promise<void> {
    await this.#writing;
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    const { elsewhere, ...images } = this.#options;
    await renewAssignments(this.#run, images).catch(() => {});
  }
}
