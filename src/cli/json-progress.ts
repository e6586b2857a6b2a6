/** Progress for other programs: one JSON object per line of stderr, as `src/studio/training/progress-events.ts` says. */
import type { Images } from "../images/dataset.ts";
import type { ProgressEvent } from "../methods/training/progress.ts";
import type { SnapshotSource } from "../runs/snapshots.ts";
import type { ClusterSample, Outlook, TrainingEvent } from "../studio/training/progress-events.ts";
import type { Output } from "./live-area.ts";
import { PlannedRun } from "./planned-run.ts";
import type { ProgressDisplay } from "./progress-display.ts";

export interface JsonProgressOptions {
  /** Default: stderr. */
  readonly output?: Output;
  /** Milliseconds. Default: the process's. */
  readonly clock?: () => number;
}

/** Batches and steps are told at most so often, in milliseconds. */
const tellEvery = 200;

export class JsonProgress implements ProgressDisplay {
  readonly #output: Output;
  readonly #clock: () => number;
  #run: PlannedRun | undefined;
  #told = Number.NEGATIVE_INFINITY;

  constructor({ output = process.stderr, clock = () => performance.now() }: JsonProgressOptions = {}) {
    this.#output = output;
    this.#clock = clock;
  }

  line(text: string): void {
    this.#tell({ kind: "line", text });
  }

  step(name: string, done: number, total: number): void {
    if (done === total || this.#mayTell()) this.#tell({ kind: "step", name, done, total });
  }

  images({ count, skipped }: Images): void {
    this.#tell({ kind: "images", count, skipped: skipped.map(({ file }) => file) });
  }

  show(event: ProgressEvent): void {
    if (event.kind === "plan") this.#run = new PlannedRun(event, this.#now());
    if (event.kind === "plan" || event.kind === "warning") this.#tell(event);
    else {
      this.#run?.advance(event, this.#now());
      if (event.kind === "epoch" || this.#mayTell()) this.#tell({ ...event, ...this.#outlook() });
    }
  }

  clusters(epoch: number, { scores, k, images }: SnapshotSource): void {
    this.#tell({ kind: "clusters", epoch, clusters: clusterSamples(scores, k, images) });
  }

  followedBy(): void {}

  end(): void {
    this.#run = undefined;
  }

  stop(): void {}

  #outlook(): Outlook {
    const secondsLeft = this.#run?.secondsLeft(this.#now());
    return { share: this.#run?.share ?? 0, ...(secondsLeft === undefined ? {} : { secondsLeft }) };
  }

  #mayTell(): boolean {
    const now = this.#clock();
    if (now - this.#told < tellEvery) return false;
    this.#told = now;
    return true;
  }

  #tell(event: TrainingEvent): void {
    this.#output.write(`${JSON.stringify(event)}\n`);
  }

  /** In seconds. */
  #now(): number {
    return this.#clock() / 1000;
  }
}

const mostImages = 12;

/** Of scores [images, k]; `images` says which, where not all. */
export function clusterSamples(scores: Float32Array, k: number, images?: Uint32Array): ClusterSample[] {
  const members = Array.from({ length: k }, (): { image: number; score: number }[] => []);
  for (let row = 0; row * k < scores.length; row++) {
    const own = scores.subarray(row * k, (row + 1) * k);
    const score = own.reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY);
    members[Math.max(0, own.indexOf(score))].push({ image: images?.[row] ?? row, score });
  }
  return members.map((all) => ({
    size: all.length,
    images: all
      .sort((a, b) => b.score - a.score)
      .slice(0, mostImages)
      .map(({ image }) => image),
  }));
}
