/** A finite sequence of equally sized images that is read in batches and need not fit in memory. */
import type { ImageSize } from "./image.ts";

export interface Labels {
  /** The name of each label. */
  readonly names: readonly string[];
  /** The label of each image, an index into `names`. */
  readonly values: Int32Array;
}

/** A file that was left out, and why. */
export interface SkippedFile {
  readonly file: string;
  readonly reason: string;
}

/**
 * Images that joined others later: files, relative to the folder of those, and what that folder held besides and is left
 * out; or an array or a named set, without the images at some of its places.
 */
export type AddedImages =
  | { readonly files: readonly string[]; readonly leftOut?: readonly string[] }
  | { readonly source: string; readonly leftOut: readonly number[] };

export interface DatasetOrigin {
  /** An absolute path, or the name of a set. */
  readonly source: string;
  /** How files of other proportions were fitted to the common size. */
  readonly fit?: "cover" | "contain" | "fill";
  /** What follows the images of the source. */
  readonly added?: readonly AddedImages[];
  /** The file of the vectors that were clustered in place of the images. */
  readonly features?: string;
  /** The backbone that made vectors of the images, as it was asked for; "none" where photographs went without. */
  readonly backbone?: string;
  /** Which of its outputs, where that was asked for. */
  readonly backboneOutput?: string;
}

/** All that methods know: images without labels. */
export interface Images {
  /** For messages and records: a named set's name, or the path as given. */
  readonly name: string;
  readonly count: number;
  readonly image: ImageSize;
  /** The source, from which the images can be read again. */
  readonly origin: DatasetOrigin;
  /** Files that were left out. */
  readonly skipped: readonly SkippedFile[];
  /** Changes when the pixels do: SHA-256, in hexadecimal. */
  readonly fingerprint: string;
  /** The file of an image relative to the folder, or its index. */
  itemName(index: number): string;
  /**
   * Copies images into `target`, one after another, each channel by channel and row by row, as numbers from 0 to 1;
   * vectors, which are images of 1x1, as they are.
   * Synchronous: images that are not in memory come from a cache file of equal records, which the system reads ahead.
   */
  read(indices: ArrayLike<number>, target: Float32Array): void;
  close(): void;
}

/** Images, and their true classes if these are known: to evaluate clusters, never to find them. */
export interface Dataset extends Images {
  readonly labels: Labels | undefined;
  /** Where these are vectors of images (of 1x1, with a channel for each number): the images, to be looked at. */
  readonly pictures?: Dataset;
}

/** The images alone, as methods get them: not even at run time do they have a label. */
export function withoutLabels({ labels: _, pictures: __, ...images }: Dataset): Images {
  return images;
}

/** What becomes of a dataset of which only the images at these places are left, numbered anew. */
export const selectImages = (
  dataset: Images,
  places: ArrayLike<number>,
): Pick<Images, "count" | "itemName" | "read"> => ({
  count: places.length,
  itemName: (index) => dataset.itemName(places[index]),
  read: (indices, target) =>
    dataset.read(
      Array.from(indices, (index) => places[index]),
      target,
    ),
});
