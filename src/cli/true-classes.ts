/** The true classes of a run's images, where someone knows them. */

import type { Labels } from "../images/dataset.ts";
import { labelsFromFile, labelsFromFolders, labelsOf } from "../images/sources/labels.ts";
import { sortNaturally } from "../images/sources/natural-order.ts";
import type { AssignmentRow } from "../runs/assignments.ts";

export interface LabelledRun {
  /** The folder of its images, or what they are called. */
  readonly images: string;
  readonly rows: readonly AssignmentRow[];
  /** The files that were left out. */
  readonly skipped: readonly string[];
}

/** `labels`: "folders", "none" or the path of a file. Default: those that the run was made with, if any. */
export function trueClasses({ images, rows, skipped }: LabelledRun, labels?: string): Labels | undefined {
  const used = rows.map(({ item }) => item);
  if (labels === "none") return undefined;
  if (labels === "folders") return labelsFromFolders(used, images);
  if (labels !== undefined) {
    const all = skipped.length === 0 ? used : sortNaturally([...used, ...skipped], (name) => name);
    return labelsFromFile(labels, { all, used });
  }
  const known = rows.flatMap(({ label }) => label ?? []);
  return known.length === rows.length ? labelsOf(known) : undefined;
}
