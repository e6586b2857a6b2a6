/** Opens images to look at. */
import { statSync } from "node:fs";
import { InputError } from "../../files/errors.ts";
import { listImageFiles } from "../../images/sources/image-files.ts";
import { isNamedSet } from "../../images/sources/named-sets.ts";
import { openDataset } from "../../images/sources/open.ts";
import { openRunImages, type RunImagesOptions } from "../../runs/run-images.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { datasetPictures, folderPictures, type Pictures } from "./pictures.ts";

export type PicturesOptions = Pick<RunImagesOptions, "dataFolder" | "cacheFolder">;

export const isFolder = (source: string): boolean =>
  !isNamedSet(source) && statSync(source, { throwIfNoEntry: false })?.isDirectory() === true;

/** Images that are to be clustered. */
export async function openPictures(source: string, options: PicturesOptions = {}): Promise<Pictures> {
  if (!isFolder(source)) return datasetPictures(await openDataset(source, { ...options, labels: "none" }));
  const files = listImageFiles(source).map(({ path }) => path);
  if (files.length === 0) throw new InputError(`${source}: holds no images; give a run, or a folder of images`);
  return folderPictures(source, files);
}

/** The images of a run. Those of a folder are only looked for when they are asked for. */
export async function openRunPictures(
  record: RunRecord,
  items: readonly string[],
  options: RunImagesOptions = {},
): Promise<Pictures> {
  const source = options.images ?? String(record.settings.source);
  return isFolder(source) ? folderPictures(source, items) : datasetPictures(await openRunImages(record, options));
}
