/** What a finished run knows of its images, together with the images themselves. */

import { join } from "node:path";
import { readBytes } from "../files/bytes.ts";
import { InputError } from "../files/errors.ts";
import { openNpy } from "../files/npy.ts";
import type { Dataset } from "../images/dataset.ts";
import { featureSize } from "../network/shapes.ts";
import type { AssignmentRow } from "../runs/assignments.ts";
import { type ReadDecidedOptions, readDecided } from "../runs/decisions/decided-run.ts";
import { readAssignments } from "../runs/run-folder.ts";
import { expectRunImages } from "../runs/run-images.ts";
import { type RunRecord, readRecord } from "../runs/run-record.ts";

export { openRunImages, type RunImagesOptions } from "../runs/run-images.ts";

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

/** Reads a run to go with its images, and refuses others. Its rows are the model's own. */
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

/** The same as people have decided; where they have not, or the model's own clusters are wanted, as the model says. */
export async function readDecidedContents(
  folder: string,
  images: Dataset,
  options: ReadDecidedOptions = {},
): Promise<RunContents> {
  const contents = readRunContents(folder, images);
  const { rows, decided } = await readDecided(folder, options);
  return decided === undefined ? contents : { ...contents, rows };
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
