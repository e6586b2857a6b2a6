/** What `run.json` says of a run. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../files/errors.ts";
import { finishReplacing } from "../files/file-set.ts";
import { readJson, writeJson } from "../files/json.ts";
import type { AddedImages } from "../images/dataset.ts";
import type { ImageSize } from "../images/image.ts";
import { type Fit, fits } from "../images/sources/decode.ts";
import type { BackboneRecord } from "../network/backbone.ts";
import type { Encoder } from "../network/ensemble.ts";
import type { HistoryEntry, Settings } from "./fitted.ts";
import { upgradedRecord } from "./upgrade.ts";
import type { Versions } from "./versions.ts";

export const runFormat = "boostcluster run 2";

/** Of version 0.1, which had other names for some settings. */
const earlierFormat = "boostcluster run 1";

export interface RunRecord {
  readonly format: string;
  readonly versions: Versions;
  readonly method: string;
  /** The images, also where vectors of them were clustered. */
  readonly dataset: {
    readonly name: string;
    readonly count: number;
    readonly image: ImageSize;
    readonly fingerprint: string;
    /** The files that were left out. */
    readonly skipped: readonly string[];
  };
  /** Every option that made the result, defaults filled in, and where the images came from. */
  readonly settings: Settings;
  readonly architecture: Encoder;
  /** What made vectors of the images, which the architecture takes. */
  readonly backbone?: BackboneRecord;
  readonly k: number;
  readonly v: number;
  readonly converged: boolean;
  /** Images in each cluster. */
  readonly sizes: readonly number[];
  /** Images that belong nowhere, where they were looked for; they count in `sizes` and metrics all the same. */
  readonly none?: number;
  /** Against the labels that the dataset came with, by name. */
  readonly metrics?: Readonly<Record<string, number>>;
  /** How compact and how far apart the clusters are, by name. */
  readonly quality?: Readonly<Record<string, number>>;
  /** What spoke for each number of clusters, where k was estimated. */
  readonly evidence?: readonly { readonly k: number; readonly gap: number }[];
  readonly history: readonly HistoryEntry[];
  /** Wall-clock seconds by stage. */
  readonly seconds: Readonly<Record<string, number>>;
}

export const recordPath = (folder: string): string => join(folder, "run.json");

/** Files of a run that are about to take their places, see `files/file-set.ts`. */
export const addingFolder = "adding";

export function readRecord(folder: string): RunRecord {
  finishReplacing(folder, addingFolder);
  const path = recordPath(folder);
  if (!existsSync(path))
    throw new InputError(
      `${folder}: there is no finished run here (no run.json); make one with "boostcluster cluster"`,
    );
  const record = readJson<RunRecord>(path, [runFormat, earlierFormat], "the run must be made again");
  return record.format === earlierFormat ? { ...upgradedRecord(record), format: runFormat } : record;
}

export const writeRecord = (folder: string, record: RunRecord): void => writeJson(recordPath(folder), record);

/** Whether there were no images, but a file of vectors. */
export const isOfVectorsAlone = ({ settings: { source, features } }: RunRecord): boolean =>
  features !== undefined && features === source;

/** The images that joined a run later. */
export const addedImages = ({ added }: Settings): readonly AddedImages[] =>
  Array.isArray(added) ? JSON.parse(JSON.stringify(added)) : [];

/** How images of other proportions were brought to the run's size. */
export const runFit = ({ fit }: Settings): Fit => fits.find((one) => one === fit) ?? "cover";
