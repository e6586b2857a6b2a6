/** The images that a run was made of. */
import { statSync } from "node:fs";
import { InputError } from "../files/errors.ts";
import type { AddedImages, Dataset } from "../images/dataset.ts";
import { joinDatasets, withoutImages } from "../images/joined-dataset.ts";
import { isNamedSet } from "../images/sources/named-sets.ts";
import { type OpenOptions, openDataset } from "../images/sources/open.ts";
import { openVectors } from "../images/sources/vectors-file.ts";
import { vectorPictures } from "../images/vector-pictures.ts";
import { addedImages, isOfVectorsAlone, type RunRecord, runFit } from "./run-record.ts";

export interface RunImagesOptions extends Pick<OpenOptions, "dataFolder" | "cacheFolder" | "cacheLimit" | "signal"> {
  /** Where the images are now. Default: where they were when the run was made. */
  readonly images?: string;
}

/** Opens the images that a run was made of, as it saw them; what could not be read then is left out again. */
export async function openRunImages(record: RunRecord, options: RunImagesOptions = {}): Promise<Dataset> {
  const dataset = await openAll(record, options);
  try {
    expectRunImages(dataset, record);
    return dataset;
  } catch (error) {
    dataset.close();
    throw error;
  }
}

/** Those that the run was made of, and those that were added to it. */
async function openAll(record: RunRecord, options: RunImagesOptions): Promise<Dataset> {
  const { images = String(record.settings.source), ...places } = options;
  if (isOfVectorsAlone(record))
    return vectorPictures(await openVectors(images, { labels: "none", signal: places.signal }));
  const added = addedImages(record.settings);
  const settings = { ...places, labels: "none", ...decodingOf(record, images) };
  const except = new Set(added.flatMap((part) => ("files" in part ? [...part.files, ...(part.leftOut ?? [])] : [])));
  const opened: [Dataset, ...Dataset[]] = [await openDataset(images, { ...settings, except })];
  try {
    for (const part of added) opened.push(await openAdded(images, part, settings));
  } catch (error) {
    for (const dataset of opened) dataset.close();
    throw error;
  }
  const joined = joinDatasets(opened);
  return added.length === 0 ? joined : { ...joined, origin: { ...joined.origin, added } };
}

/** Files relative to the folder `images`, or some other source. */
export const openAdded = async (images: string, part: AddedImages, settings: OpenOptions): Promise<Dataset> =>
  "files" in part
    ? openDataset(images, { ...settings, files: part.files })
    : withoutImages(await openDataset(part.source, settings), part.leftOut);

/** How the files of a folder became images of one size; other sources have theirs. */
export function decodingOf({ dataset, settings }: RunRecord, images: string): OpenOptions {
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
