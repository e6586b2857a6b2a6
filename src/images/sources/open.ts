/** Every source of images behind one interface: a folder, a file with an array of images, a named set. */
import { type Stats, statSync } from "node:fs";
import { resolve } from "node:path";
import { defaultMemoryLimit } from "../../files/bytes.ts";
import { InputError, reasonOf } from "../../files/errors.ts";
import { userCacheFolder, userDataFolder } from "../../files/user-folders.ts";
import type { Dataset } from "../dataset.ts";
import { formatImageSize, type ImageSize } from "../image.ts";
import { openArrayFile } from "./array-file.ts";
import { expectChannels, requestedSides } from "./common-size.ts";
import { type Fit, fits } from "./decode.ts";
import { defaultCacheLimit } from "./decoded-cache.ts";
import { type FileChoice, openFolder } from "./folder.ts";
import { chosenLabels, type LabelledImages } from "./labelled-images.ts";
import { isNamedSet, namedSetNames, openNamedSet } from "./named-sets.ts";
import { examinePixels, type PixelFacts, PixelStore } from "./pixel-store.ts";

export interface OpenOptions extends FileChoice {
  /**
   * "folders": the name of the first sub-folder of each image's path. "none". Otherwise the path of a file: IDX, .npy,
   * text with one label per line in the order of the images (of a folder, including those that cannot be read), or
   * `file,label` lines, with an index as the file of an array's image. Default: the source's own labels (`y` or
   * `labels` of an .npz, the slices of a .mat, those of a named set), else "none".
   */
  readonly labels?: "folders" | "none" | (string & {}) | undefined;
  /**
   * Both sides of the images of a folder, or [height, width]. Default: the medians of the heights and of the widths of
   * up to 200 images, shrunk by a common factor if the larger one is over 128, and at least 8. Images of other sources
   * keep their size; giving another one is an error.
   */
  readonly size?: number | readonly [height: number, width: number] | undefined;
  /** 1: grey, 3: colour; for folders, like `size`. Default: 3 if one image in twenty, of up to 200, has colour. */
  readonly channels?: 1 | 3 | undefined;
  /**
   * How an image of other proportions is fitted to `size`. Default: "cover", which crops the longer side evenly at both
   * ends: a network would sort by bars ("contain") and stretched shapes ("fill").
   */
  readonly fit?: Fit | undefined;
  /** The folder of named sets. Default: the environment's BOOSTCLUSTER_DATA, else `data` in the user's cache folder. */
  readonly dataFolder?: string | undefined;
  /** The folder of decoded images. Default: `boostcluster` in the system's folder for caches. */
  readonly cacheFolder?: string | undefined;
  /**
   * The most bytes of decoded folders that are kept: those used longest ago are removed first, never the one that is
   * opened. Default: 4 GiB.
   */
  readonly cacheLimit?: number | undefined;
  /** Larger files, in bytes, are not read into memory but batch by batch. Default: 256 MB. */
  readonly memoryLimit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called while a folder's images are decoded; not if they are in the cache. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Opens a named set (`mnist`, `mnist-test`, `fashion-mnist`, `fashion-mnist-test`, `usps`, `coil-20`, `coil-100`,
 * `cifar-10`, `cifar-10-test`), a folder of images, or an IDX, .npy, .npz or .mat file. A set's name always means the set; a folder of that name is `./usps`.
 *
 * Bytes are divided by 255. Floats stay as they are if all are from 0 to 1, and are divided by 255 if all are from 0 to
 * 255; double precision becomes single. Files larger than the memory limit are read twice: once here, to check them and
 * compute the fingerprint, and then batch by batch.
 */
export async function openDataset(source: string, options: OpenOptions = {}): Promise<Dataset> {
  expectOptions(options);
  options.signal?.throwIfAborted();
  const images = await openSource(source, options);
  try {
    expectSize(images.records.image, options, source);
    const facts = images.facts ?? examinePixels(images.records, source);
    options.signal?.throwIfAborted();
    return asDataset(source, options.fit ?? "cover", images, facts);
  } catch (error) {
    images.records.bytes.close();
    throw error;
  }
}

async function openSource(source: string, options: OpenOptions): Promise<LabelledImages> {
  const { cacheFolder = userCacheFolder(), dataFolder = userDataFolder(), memoryLimit = defaultMemoryLimit } = options;
  const { size, channels, fit = "cover", labels, cacheLimit = defaultCacheLimit, signal, onProgress } = options;
  const { files, except } = options;
  const settings = { size, channels, fit, cacheFolder, cacheLimit, memoryLimit, signal, onProgress };
  if (!isNamedSet(source) && isFolder(source))
    return openFolder(source, { ...settings, files, except, labels: labels ?? "none" });
  const images = isNamedSet(source)
    ? await openNamedSet(source, { ...settings, dataFolder })
    : openArrayFile(source, memoryLimit);
  try {
    return { ...images, labels: chosenLabels(images, labels, source) };
  } catch (error) {
    images.records.bytes.close();
    throw error;
  }
}

function isFolder(source: string): boolean {
  const status = statusOf(source);
  if (status === undefined)
    throw new InputError(
      `${source}: there is no such file or folder, nor a set of this name (${namedSetNames.join(", ")})`,
    );
  return status.isDirectory();
}

function statusOf(source: string): Stats | undefined {
  try {
    return statSync(source, { throwIfNoEntry: false });
  } catch (error) {
    throw new InputError(`${source}: cannot be opened (${reasonOf(error)}); check the path`);
  }
}

function asDataset(source: string, fit: Fit, images: LabelledImages, { fingerprint, largest }: PixelFacts): Dataset {
  const { records, labels, files, skipped = [] } = images;
  const store = new PixelStore(records, largest);
  return {
    name: source,
    origin: isNamedSet(source) ? { source } : { source: resolve(source), ...(files === undefined ? {} : { fit }) },
    count: records.count,
    image: records.image,
    labels,
    skipped,
    fingerprint,
    itemName: (index) => (files === undefined ? String(index) : files[index]),
    read: (indices, target) => store.read(indices, target),
    close: () => store.close(),
  };
}

function expectOptions({ size, channels, fit, memoryLimit, cacheLimit, labels }: OpenOptions): void {
  requestedSides(size);
  expectChannels(channels);
  if (fit !== undefined && !fits.includes(fit))
    throw new InputError(`fit must be one of ${fits.join(", ")}, not ${fit}`, { option: "fit" });
  for (const [option, limit] of Object.entries({ memoryLimit, cacheLimit }))
    if (limit !== undefined && !(limit >= 0))
      throw new InputError(`${option} must be a number of bytes, not ${limit}`, { option });
  if (labels === "")
    throw new InputError('labels must be "folders", "none" or the path of a file, not empty', { option: "labels" });
}

/** Images of folders have the requested size; those of other sources are never resized. */
function expectSize(image: ImageSize, { size, channels }: OpenOptions, source: string): void {
  const [height, width] = requestedSides(size) ?? [image.height, image.width];
  if (height === image.height && width === image.width && (channels ?? image.channels) === image.channels) return;
  throw new InputError(
    `${source}: its images are ${formatImageSize(image)}; size and channels are for folders, leave them out`,
    { option: "size" },
  );
}
