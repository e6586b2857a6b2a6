/** The images of a source, with what is known about them. */
import type { Labels, SkippedFile } from "../dataset.ts";
import type { PixelRecords } from "./pixel-records.ts";
import type { PixelFacts } from "./pixel-store.ts";

export interface LabelledImages {
  readonly records: PixelRecords;
  readonly labels?: Labels | undefined;
  /** The file of each image, if they are files. */
  readonly files?: readonly string[];
  readonly skipped?: readonly SkippedFile[];
  /** Facts about the pixels, if they are already known. */
  readonly facts?: PixelFacts;
}
