/** What a finished run knows of its images, together with the images themselves. */

import { statSync } from "node:fs";
import { join } from "node:path";
import { readBytes } from "../files/bytes.ts";
import { InputError } from "../files/errors.ts";
import { openNpy } from "../files/npy.ts";
import type { Dataset } from "../images/dataset.ts";
import { isNamedSet } from "../images/sources/named-sets.ts";
import { type OpenOptions, openDataset } from "../images/sources/open.ts";
import { openVectors } from "../images/sources/vectors-file.ts";
import { vectorPictures } from "../images/vector-pictures.ts";
import { featureSize } from "../network/shapes.ts";
import type { AssignmentRow } from "../runs/assignments.ts";
import { readAssignments } from "../runs/run-folder.ts";
import { isOfVectorsAlone, type RunRecord, readRecord, runFit } from "../runs/run-record.ts";

export interface RunContents {
  readonly record: RunRecord;
  /** One an image. */
  readonly rows: readonly AssignmentRow[];
  /** [images, featureSize]. */
  readonly features: Float32Array;
  readonly featureSize: number;
  readonly images: Dataset;
}

/** What every export of images takes. */
export interface ExportOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface RunImagesOptions extends Pick<OpenOptions, "dataFolder" | "cacheFolder" | "cacheLimit" | "signal"> {
  /** Where the images are now. Default: where they were when the run was made. */
  readonly images?: string;
}

/** Opens the images that a run was made of, as it saw them; what could not be read then is left out again. */
export async function openRunImages(record: RunRecord, options: RunImagesOptions = {}): Promise<Dataset> {
  const { images = String(record.settings.source), ...places } = options;
  const dataset = isOfVectorsAlone(record)
    ? vectorPictures(await openVectors(images, { labels: "none", signal: places.signal }))
    : await openDataset(images, { ...places, labels: "none", ...decodingOf(record, images) });
  try {
    expectRunImages(dataset, record);
    return dataset;
  } catch (error) {
    dataset.close();
    throw error;
  }
}

/** How the files of a folder became images of one size; other sources have theirs. */
function decodingOf({ dataset, settings }: RunRecord, images: string): OpenOptions {
  if (isNamedSet(images)) return {};
  const status = statSync(images, { throwIfNoEntry: false });
  if (status === undefined)
    throw new InputError(`${images}: the images are not there; set images to where they are`, { option: "images" });
  if (!status.isDirectory()) return {};
  const { channels, height, width } = dataset.image;
  return { size: [height, width], channels: channels === 1 ? 1 : 3, fit: runFit(settings) };
}

function expectRunImages({ name, fingerprint }: Dataset, record: RunRecord): void {
  if (fingerprint !== record.dataset.fingerprint)
    throw new InputError(
      `${name}: these are not the images that the run was made of, or they have changed; set images to where those are`,
      { option: "images" },
    );
}

/** Reads a run to go with its images, and refuses others. */
export function readRunContents(folder: string, images: Dataset): RunContents {
  const record = readRecord(folder);
  expectRunImages(images, record);
  const rows = readAssignments(folder);
  const size = featureSize(record.architecture);
  const features = readFeatures(join(folder, "features.npy"), [images.count, size]);
  if (rows.length !== images.count)
    throw new InputError(
      `${folder}: it has ${rows.length} assignments for ${images.count} images; it must be made again`,
    );
  return { record, rows, features, featureSize: size, images };
}

function readFeatures(file: string, expected: readonly [count: number, size: number]): Float32Array {
  const { bytes, offset, type, shape } = openNpy(file);
  try {
    if (type !== "float32" || shape.join() !== expected.join())
      throw new InputError(
        `${file}: it holds ${type} of ${shape.join(" x ")}, not float32 of ${expected.join(" x ")}; the run must be made again`,
      );
    return new Float32Array(new Uint8Array(readBytes(bytes, offset)).buffer);
  } finally {
    bytes.close();
  }
}
