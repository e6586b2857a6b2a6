/** What every clustering system offers: one interface for all nine. */

import type { ClusterOptions } from "../clustering/clusters.ts";
import type { Images } from "../images/dataset.ts";
import type { CheckpointStore } from "../runs/checkpoint.ts";
import type { Fitted, Settings } from "../runs/fitted.ts";
import type { SnapshotRecorder } from "../runs/snapshots.ts";
import type { OptionTable } from "./options.ts";
import type { PartsOptions } from "./training/parts.ts";
import type { PretrainedStore } from "./training/pretrained.ts";
import type { OnProgress } from "./training/progress.ts";

export interface MethodOptions extends ClusterOptions, PartsOptions {
  readonly onProgress?: OnProgress;
  /** Where to go on from, and to leave what a later run goes on from. Default: nowhere. */
  readonly checkpoints?: CheckpointStore;
  /** Auto-encoders that are trained already, and where to leave new ones. Default: none. */
  readonly pretrained?: PretrainedStore;
  /** Records what figures need while clusters are trained (DBC, DEC). Default: nothing. */
  readonly snapshots?: SnapshotRecorder;
  /**
   * Called with the clusters as training goes on, of all images or, where there are very many, of `images`; what it
   * returns goes into the history.
   */
  readonly evaluate?: (assignments: Int32Array, images?: Uint32Array) => Readonly<Record<string, number>>;
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
  /** What can be set, and how. */
  readonly options: OptionTable;
  /** The options, checked and with their defaults: all that decides the result, beside the images. */
  settings(dataset: Images, options: Options): Settings;
  fit(dataset: Images, options: Options): Promise<Fitted>;
}
