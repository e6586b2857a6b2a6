/** A folder of images. */

import { InputError } from "../../files/errors.ts";
import type { Labels } from "../dataset.ts";
import { type DecodeOptions, decodeFiles } from "./decoded-files.ts";
import { listImageFiles } from "./image-files.ts";
import type { LabelledImages } from "./labelled-images.ts";
import { type LabelledItems, labelsFromFile, labelsFromFolders } from "./labels.ts";

export interface FolderOptions extends DecodeOptions {
  /** "folders", "none", or the path of a file. */
  readonly labels: string;
}

export async function openFolder(folder: string, options: FolderOptions): Promise<LabelledImages> {
  const listed = listImageFiles(folder);
  if (listed.length === 0)
    throw new InputError(`${folder}: holds no images; put PNG, JPEG, WebP, GIF, TIFF, AVIF or RAW files into it`);
  const images = await decodeFiles(folder, listed, options);
  try {
    const all = listed.map(({ path }) => path);
    return { ...images, labels: readLabels(folder, { all, used: images.files }, options.labels) };
  } catch (error) {
    images.records.bytes.close();
    throw error;
  }
}

function readLabels(folder: string, items: LabelledItems, labels: string): Labels | undefined {
  if (labels === "none") return undefined;
  return labels === "folders" ? labelsFromFolders(items.used, folder) : labelsFromFile(labels, items);
}
