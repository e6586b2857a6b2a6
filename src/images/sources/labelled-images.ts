/** The images of a source, with what is known about them. */
import { InputError } from "../../files/errors.ts";
import type { Labels, SkippedFile } from "../dataset.ts";
import { labelsFromFile } from "./labels.ts";
import type { PixelRecords } from "./pixel-records.ts";
import type { PixelFacts } from "./pixel-store.ts";

export interface LabelledImages {
  readonly records: PixelRecords;
  readonly labels?: Labels | undefined;
  /** The file of each image, if they are files; the name of each vector, if they have names. */
  readonly files?: readonly string[];
  readonly skipped?: readonly SkippedFile[];
  /** Facts about the pixels, if they are already known. */
  readonly facts?: PixelFacts;
}

/** Those that the option of this name asks for; by default the source's own, if it has any. */
export function chosenLabels(images: LabelledImages, labels: string | undefined, source: string): Labels | undefined {
  const { count } = images.records;
  if (labels === "none") return undefined;
  if (labels === "folders")
    throw new InputError(
      `labels: ${source} is not a folder and has no sub-folders; give "none" or the path of a file`,
      {
        option: "labels",
      },
    );
  if (labels !== undefined) {
    const all = Array.from({ length: count }, (_, index) => images.files?.[index] ?? String(index));
    return labelsFromFile(labels, { all, used: all });
  }
  if (images.labels !== undefined && images.labels.values.length !== count)
    throw new InputError(
      `${source}: has ${images.labels.values.length} labels for ${count} images; set labels to "none"`,
      { option: "labels" },
    );
  return images.labels;
}
