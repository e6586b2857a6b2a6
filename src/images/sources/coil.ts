/**
 * COIL-20 and COIL-100 in the usual layouts: files `objN__M.png` all together, as in the original archives, or in one
 * folder per object, at any depth.
 */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { ImageSize } from "../image.ts";
import { type DecodeOptions, decodeFiles } from "./decoded-files.ts";
import { type ImageFile, listImageFiles } from "./image-files.ts";
import type { LabelledImages } from "./labelled-images.ts";
import { labelsOf } from "./labels.ts";
import { sortNaturally } from "./natural-order.ts";

export const findCoil = (dataFolder: string, objects: number): string | undefined =>
  [`coil-${objects}`, `coil${objects}`]
    .map((name) => join(dataFolder, name))
    .find((folder) => existsSync(folder) && listPoses(folder).length > 0);

/** The images ordered by object and then by angle. The files are 128x128, so nothing is resized. */
export async function openCoil(folder: string, image: ImageSize, options: DecodeOptions): Promise<LabelledImages> {
  const size = [image.height, image.width] as const;
  const channels = image.channels === 1 ? 1 : 3;
  const images = await decodeFiles(folder, listPoses(folder), { ...options, size, channels, fit: "fill" });
  return { ...images, labels: labelsOf(images.files.map((file) => basename(file).replace(/__.*/, ""))) };
}

function listPoses(folder: string): ImageFile[] {
  const poses = listImageFiles(folder).filter(
    // The unprocessed COIL-20 has the same names.
    ({ path }) => /^obj\d+__\d+\.png$/i.test(basename(path)) && !path.includes("unproc"),
  );
  return sortNaturally(poses, ({ path }) => basename(path));
}
