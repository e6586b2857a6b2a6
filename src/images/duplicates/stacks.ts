/** The copies among the files of a folder: exact and near duplicates, in stacks. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { defaultMemoryLimit, readBytes } from "../../files/bytes.ts";
import { userCacheFolder } from "../../files/user-folders.ts";
import { type Dataset, type Images, selectImages } from "../dataset.ts";
import { cachedRecords } from "../sources/cached-records.ts";
import { defaultCacheLimit } from "../sources/decoded-cache.ts";
import { listImageFiles } from "../sources/image-files.ts";
import { type CopyKind, findCopies } from "./find-copies.ts";
import { makeThumbnail, readThumbnail, type Thumbnail, thumbnailBytes, thumbnailVersion } from "./thumbnail.ts";

export interface StackMember {
  /** Which image of the dataset. */
  readonly image: number;
  /** What it is to the best: itself, the same bytes, or the same picture. */
  readonly kind: "best" | CopyKind;
  /** Of the file, in pixels. */
  readonly width: number;
  readonly height: number;
  /** The variance of the Laplacian at a common size: the more, the sharper. */
  readonly sharpness: number;
}

/** Two images or more that show the same picture. The best is first: the largest, then the sharpest, then by name. */
export type Stack = readonly StackMember[];

export interface StackOptions {
  /** The folder of thumbnails. Default: `boostcluster` in the system's folder for caches. */
  readonly cacheFolder?: string | undefined;
  /** The most bytes that are kept there. Default: 4 GiB. */
  readonly cacheLimit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Files are looked at first, unless they are in the cache, and then compared. */
  readonly onProgress?: ((step: "looking" | "comparing", done: number, total: number) => void) | undefined;
}

/**
 * The stacks of a folder's images, in the order of their best; none of other sources. They are copies that were
 * compressed, resized, brightened a little, or cropped by up to 5 % at each side.
 */
export async function findStacks(dataset: Images, options: StackOptions = {}): Promise<Stack[]> {
  const { signal, onProgress } = options;
  if (dataset.origin.fit === undefined) return [];
  const { thumbnails, close } = await openThumbnails(dataset, options);
  try {
    const [images, looks] = [[...thumbnails.keys()], [...thumbnails.values()]];
    const stacks = await findCopies(looks, {
      signal,
      onProgress: (done, total) => onProgress?.("comparing", done, total),
    });
    const memberOf = (index: number, kind: StackMember["kind"]): StackMember => {
      const { width, height, sharpness } = looks[index];
      return { image: images[index], kind, width, height, sharpness };
    };
    return stacks.map(({ best, copies }) => [
      memberOf(best, "best"),
      ...copies.map(({ picture, kind }) => memberOf(picture, kind)),
    ]);
  } finally {
    close();
  }
}

interface OpenThumbnails {
  /** By image, in order. A file that has gone meanwhile has none. */
  readonly thumbnails: ReadonlyMap<number, Thumbnail>;
  close(): void;
}

async function openThumbnails(dataset: Images, options: StackOptions): Promise<OpenThumbnails> {
  const { cacheFolder = userCacheFolder(), cacheLimit = defaultCacheLimit, signal, onProgress } = options;
  const { source } = dataset.origin;
  const images = new Map(Array.from({ length: dataset.count }, (_, image) => [dataset.itemName(image), image]));
  const files = listImageFiles(source).filter(({ path }) => images.has(path));
  if (files.length === 0) return { thumbnails: new Map(), close: () => undefined };
  const { records, files: read } = await cachedRecords(source, files, {
    cacheFolder,
    cacheLimit,
    memoryLimit: defaultMemoryLimit,
    signal,
    onProgress: (done, total) => onProgress?.("looking", done, total),
    key: { thumbnailVersion },
    recordSize: async () => ({ channels: 1, height: 1, width: thumbnailBytes }),
    makeRecord: (path) => makeThumbnail(join(source, path)),
  });
  const { bytes, offset } = records;
  const thumbnails = new Map<number, Thumbnail>();
  for (const [index, file] of read.entries()) {
    const image = images.get(file);
    const record = () => readBytes(bytes, offset + index * thumbnailBytes, thumbnailBytes);
    if (image !== undefined) thumbnails.set(image, readThumbnail(record));
  }
  return { thumbnails, close: () => bytes.close() };
}

/** How many images are copies of another one. */
export const copyCount = (stacks: readonly Stack[]): number =>
  stacks.reduce((sum, members) => sum + members.length - 1, 0);

/** For each image the place, among the distinct ones, of the one that stands for it. */
export function distinctPlaces(count: number, stacks: readonly Stack[]): Int32Array {
  const standsFor = Int32Array.from({ length: count }, (_, image) => image);
  for (const [best, ...copies] of stacks) for (const { image } of copies) standsFor[image] = best.image;
  const places = new Int32Array(count);
  let next = 0;
  for (let image = 0; image < count; image++) if (standsFor[image] === image) places[image] = next++;
  return places.map((_, image) => places[standsFor[image]]);
}

/** The dataset with one image of each stack, its best: for methods, so that a picture counts once. */
export function distinctImages(dataset: Dataset, stacks: readonly Stack[]): Dataset {
  if (stacks.length === 0) return dataset;
  const copies = new Set(stacks.flatMap(([, ...others]) => others.map(({ image }) => image)));
  const kept = Int32Array.from({ length: dataset.count }, (_, image) => image).filter((image) => !copies.has(image));
  const { labels } = dataset;
  return {
    ...dataset,
    ...selectImages(dataset, kept),
    fingerprint: createHash("sha256").update(`${dataset.fingerprint}\n${kept.join()}`).digest("hex"),
    labels: labels && { names: labels.names, values: kept.map((image) => labels.values[image]) },
  };
}
