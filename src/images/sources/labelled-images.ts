/** What a source of images gives. */
import type { Labels, SkippedFile } from "../dataset.ts";
import type { PixelRecords } from "./pixel-records.ts";
import type { PixelFacts } from "./pixel-store.ts";

export interface LabelledImages {
  readonly records: PixelRecords;
  readonly labels?: Labels | undefined;
  /** The file of each image, where they are files. */
  readonly files?: readonly string[];
  readonly skipped?: readonly SkippedFile[];
  /** If they are known already. */
  readonly facts?: PixelFacts;
}
