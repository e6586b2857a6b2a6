/** A finite sequence of equally sized images that is read in batches and need not fit in memory. */
import type { ImageSize } from "./image.ts";

export interface Labels {
  /** What each label is called. */
  readonly names: readonly string[];
  /** The label of each image, an index into `names`. */
  readonly values: Int32Array;
}

/** A file that could not be used, and why. */
export interface SkippedFile {
  readonly file: string;
  readonly reason: string;
}

export interface DatasetOrigin {
  /** An absolute path, or the name of a set. */
  readonly source: string;
  /** How images of other proportions were brought to the common size, where they are files. */
  readonly fit?: "cover" | "contain" | "fill";
}

/** All that methods know. */
export interface Images {
  /** For messages and records: a named set's name, or the path as given. */
  readonly name: string;
  readonly count: number;
  readonly image: ImageSize;
  /** Where it came from, to find and read such images again. */
  readonly origin: DatasetOrigin;
  /** Files that were left out. */
  readonly skipped: readonly SkippedFile[];
  /** Changes when the pixels do: SHA-256, in hexadecimal. */
  readonly fingerprint: string;
  /** The file of an image relative to the folder, or its index. */
  itemName(index: number): string;
  /**
   * Copies images into `target`, one after another, each channel by channel and row by row, as numbers from 0 to 1.
   * Synchronous: what is not in memory comes from a cache file of equally sized records, which the system reads ahead.
   */
  read(indices: ArrayLike<number>, target: Float32Array): void;
  close(): void;
}

/** Images, and perhaps their true classes: to measure clusters by, never to find them. */
export interface Dataset extends Images {
  readonly labels: Labels | undefined;
}
