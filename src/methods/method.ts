/** What every clustering system offers: one interface for all nine. */
import type { Images } from "../dataset.ts";
import type { SessionOptions } from "../engine/session.ts";
import type { CheckpointStore } from "../model/checkpoint.ts";
import type { Fitted, Settings } from "../model/fitted.ts";
import type { SnapshotRecorder } from "../model/snapshots.ts";
import type { PretrainedStore } from "./pretrained.ts";
import type { OnProgress } from "./progress.ts";

/** All that finding clusters in features, and choosing among them, knows: nothing here leads to a true class. */
export interface FindingOptions extends SessionOptions {
  /** Number of clusters. */
  readonly k: number;
  /** Of everything random. Default: 0. */
  readonly seed?: number;
  /** Starts of k-means, of which the best counts. Default: 20. */
  readonly restarts?: number;
  readonly signal?: AbortSignal;
}

export interface MethodOptions extends FindingOptions {
  readonly onProgress?: OnProgress;
  /** Where to go on from, and to leave what a later run goes on from. Default: nowhere. */
  readonly checkpoints?: CheckpointStore;
  /** Auto-encoders that are trained already, and where to leave new ones. Default: none. */
  readonly pretrained?: PretrainedStore;
  /** Records what figures need while clusters are trained (DBC, DEC). Default: nothing. */
  readonly snapshots?: SnapshotRecorder;
  /** Called with the clusters as training goes on; what it returns goes into the history. */
  readonly evaluate?: (assignments: Int32Array) => Readonly<Record<string, number>>;
}

export interface Method<Options extends MethodOptions> {
  /** As the command line calls it: "dae-kms". */
  readonly name: string;
  /** As the paper calls it: "DAE-KMS". */
  readonly title: string;
  /** What it does, in one line. */
  readonly summary: string;
  /** Whose it is. */
  readonly reference: string;
  /** When to take it. */
  readonly goodFor: string;
  /** The options, checked and with their defaults: all that decides the result, beside the images. */
  settings(dataset: Images, options: Options): Settings;
  fit(dataset: Images, options: Options): Promise<Fitted>;
}
