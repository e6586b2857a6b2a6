/** The images that a run was made of. */
import { statSync } from "node:fs";
import { InputError } from "../files/errors.ts";
import type { Dataset } from "../images/dataset.ts";
import { isNamedSet } from "../images/sources/named-sets.ts";
import { type OpenOptions, openDataset } from "../images/sources/open.ts";
import { openVectors } from "../images/sources/vectors-file.ts";
import { vectorPictures } from "../images/vector-pictures.ts";
import { isOfVectorsAlone, type RunRecord, runFit } from "./run-record.ts";

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

/** Throws where these are other images than those that the run was made of. */
export function expectRunImages({ name, fingerprint }: Dataset, record: RunRecord): void {
  if (fingerprint !== record.dataset.fingerprint)
    throw new InputError(
      `${name}: these are not the images that the run was made of, or they have changed; set images to where those are`,
      { option: "images" },
    );
}
