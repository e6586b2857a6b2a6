/** A folder of images. */

import { InputError } from "../../files/errors.ts";
import type { Labels } from "../dataset.ts";
import { type DecodeOptions, decodeFiles } from "./decoded-files.ts";
import { type ImageFile, imageFile, listImageFiles } from "./image-files.ts";
import type { LabelledImages } from "./labelled-images.ts";
import { type LabelledItems, labelsFromFile, labelsFromFolders } from "./labels.ts";

/** Which files of a folder. Default: all images in it. */
export interface FileChoice {
  /** These, relative to the folder, which need not be in it. */
  readonly files?: readonly string[] | undefined;
  /** All but these. */
  readonly except?: ReadonlySet<string> | undefined;
}

export interface FolderOptions extends DecodeOptions, FileChoice {
  /** "folders", "none", or the path of a file. */
  readonly labels: string;
}

export async function openFolder(folder: string, options: FolderOptions): Promise<LabelledImages> {
  const listed = chosenFiles(folder, options);
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

const chosenFiles = (folder: string, { files, except }: FileChoice): ImageFile[] =>
  files?.map((path) => imageFile(folder, path)) ?? listImageFiles(folder).filter(({ path }) => !except?.has(path));

function readLabels(folder: string, items: LabelledItems, labels: string): Labels | undefined {
  if (labels === "none") return undefined;
  return labels === "folders" ? labelsFromFolders(items.used, folder) : labelsFromFile(labels, items);
}
