/** What commands tell while they work, however it is shown. */
import type { Images } from "../images/dataset.ts";
import type { ProgressEvent } from "../methods/training/progress.ts";
import type { SnapshotSource } from "../runs/snapshots.ts";

export interface StepOptions {
  /** Of bytes, the rate is told too. Default: "things". */
  readonly unit?: "things" | "bytes";
}

export interface ProgressDisplay {
  /** A line that stays. */
  line(text: string): void;
  /** So much of a task is done, such as reading images. */
  step(name: string, done: number, total: number, options?: StepOptions): void;
  /** What comes after the stages that are shown next: the time left is told as the time before it. */
  followedBy(next: string | undefined): void;
  show(event: ProgressEvent): void;
  /** The images are open. */
  images(images: Images): void;
  /** The clusters before epoch `epoch + 1`. */
  clusters(epoch: number, source: SnapshotSource): void;
  /** What was shown is done. */
  end(): void;
  /** However it ended, everything is left tidy; what is not done is not said to be. */
  stop(): void;
}
