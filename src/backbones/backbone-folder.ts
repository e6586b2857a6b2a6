/**
 * The folder of a backbone, in Hugging Face's layout: `onnx/model.onnx`, `preprocessor_config.json` for what is done to
 * an image before, and `config.json` for what the network is.
 */
import { randomBytes } from "node:crypto";
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Program } from "../engine/program.ts";
import { makeFolder, writeFileAtomically } from "../files/atomic.ts";
import { codeOf, fileError } from "../files/errors.ts";
import { writeJson } from "../files/json.ts";
import type { CatalogueEntry } from "./catalogue.ts";
import { imageSide } from "./layers.ts";

/** Where a backbone of this name is, or would be. `cacheFolder` is that of `openDataset`. */
export const backboneFolder = (name: string, cacheFolder: string): string => join(cacheFolder, "backbones", name);

/**
 * The folder of one that was added; undefined where there is none. What is left of an addition that was broken off ends
 * in `.tmp`, and is none.
 */
export function addedBackbone(name: string, cacheFolder: string): string | undefined {
  if (!isBackboneName(name)) return undefined;
  const folder = backboneFolder(name, cacheFolder);
  return isBackboneFolder(folder) ? folder : undefined;
}

/** Whether a backbone may be called so; a path, with its slashes or its leading dot, is no name. */
export const isBackboneName = (text: string): boolean => /^[\w-]+(\.[\w-]+)*$/.test(text) && !text.endsWith(".tmp");

/** Whether it is there whole. */
export const isBackboneFolder = (folder: string): boolean =>
  existsSync(join(folder, "config.json")) && existsSync(join(folder, "onnx", "model.onnx"));

/** Photographs as networks that were trained on ImageNet saw them when they were tested. */
const preprocessing = {
  do_resize: true,
  size: { shortest_edge: 256 },
  // Pillow's number for bilinear.
  resample: 2,
  do_center_crop: true,
  crop_size: { height: imageSide, width: imageSide },
  do_rescale: true,
  rescale_factor: 1 / 255,
  // The model does it itself.
  do_normalize: false,
};

/** Writes the folder under another name beside it, and renames it when it is whole. */
export function writeBackboneFolder(folder: string, entry: CatalogueEntry, { model }: Program): void {
  const temporary = `${folder}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    makeFolder(join(temporary, "onnx"));
    writeFileAtomically(join(temporary, "onnx", "model.onnx"), model);
    writeJson(join(temporary, "preprocessor_config.json"), preprocessing);
    writeJson(join(temporary, "config.json"), configOf(entry));
    moveInto(folder, temporary);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

const configOf = ({ architecture, features, weights, licence, package: source }: CatalogueEntry) => ({
  architectures: [architecture],
  hidden_size: features,
  image_size: imageSide,
  weights,
  licence,
  source: { package: source.name, version: source.version, integrity: source.integrity },
});

/** What is there is half a folder, or another process has just made the same one: either is replaced. */
function moveInto(folder: string, temporary: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
    renameSync(temporary, folder);
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST"].includes(codeOf(error)) || !isBackboneFolder(folder))
      throw fileError("write", folder, error);
  }
}
