/** The subject of a report: a run and its images. */

import type { Certain } from "../figures/ranking.ts";
import { InputError } from "../files/errors.ts";
import type { Dataset, Labels } from "../images/dataset.ts";
import type { Stack } from "../images/duplicates/stacks.ts";
import type { AssignmentRow } from "../runs/assignments.ts";
import type { LoadedRun } from "../runs/run-folder.ts";
import type { RunRecord } from "../runs/run-record.ts";

/** A run as `loadRun` and `readAssignments` return it. */
export interface ReportedRun extends LoadedRun {
  readonly assignments: readonly AssignmentRow[];
  /** The copies among the images, the best of each stack first. Default: none. */
  readonly stacks?: readonly Stack[];
}

export interface Subject {
  readonly run: ReportedRun;
  readonly record: RunRecord;
  readonly dataset: Dataset;
  readonly labels: Labels | undefined;
  /** The cluster of each image, and its score. */
  readonly certain: Certain;
  /** The copies among the images, the best of each stack first. */
  readonly stacks: readonly Stack[];
}

export function subjectOf(run: ReportedRun, dataset: Dataset): Subject {
  const { record, assignments } = run;
  if (dataset.fingerprint !== record.dataset.fingerprint || dataset.count !== assignments.length)
    throw new InputError(`${dataset.name}: these are not the images that ${run.folder} was made of; give those`, {
      option: "images",
    });
  const certain = {
    k: record.k,
    assignments: Int32Array.from(assignments, ({ cluster }) => cluster),
    certainty: Float32Array.from(assignments, ({ score }) => score),
  };
  return { run, record, dataset, labels: dataset.labels, certain, stacks: run.stacks ?? [] };
}

/** The dataset's name, without its folders. */
export const titleOf = ({ dataset }: RunRecord): string =>
  dataset.name.split(/[\\/]/).filter(Boolean).at(-1) ?? "images";

/** The file name of an image, or its number within an array. */
export const imageName = ({ dataset }: Subject, image: number): string =>
  dataset.origin.fit === undefined ? `image ${dataset.itemName(image)}` : dataset.itemName(image);

/** The name of an image's label, if labels are known. */
export const labelOf = ({ labels }: Subject, image: number): string | undefined => labels?.names[labels.values[image]];
