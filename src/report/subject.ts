/** The subject of a report: a run and its images. */

import type { Certain } from "../figures/ranking.ts";
import { InputError } from "../files/errors.ts";
import type { Dataset, Labels } from "../images/dataset.ts";
import type { Stack } from "../images/duplicates/stacks.ts";
import type { AssignmentRow } from "../runs/assignments.ts";
import { clusterNames } from "../runs/decisions/decided-run.ts";
import type { Decided } from "../runs/decisions/fold-decisions.ts";
import type { LoadedRun } from "../runs/run-folder.ts";
import type { RunRecord } from "../runs/run-record.ts";

/** A run as `loadRun` and `readAssignments` return it. */
export interface ReportedRun extends LoadedRun {
  readonly assignments: readonly AssignmentRow[];
  /** The copies among the images, the best of each stack first. Default: none. */
  readonly stacks?: readonly Stack[];
  /** What people have decided, as `readDecided` returns it. Default: the report shows the model's own clusters. */
  readonly decided?: Decided;
}

/** Clusters as they are shown: as decided, with what was put aside as the last one. */
export interface ShownClusters extends Certain {
  /** What each is called: its name, or its number. */
  readonly names: readonly string[];
  /** The titles of their cards. */
  readonly titles: readonly string[];
}

export interface Subject {
  readonly run: ReportedRun;
  readonly record: RunRecord;
  readonly dataset: Dataset;
  readonly labels: Labels | undefined;
  /** The model's cluster of each image, and its score. */
  readonly certain: Certain;
  readonly shown: ShownClusters;
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
  const shown = shownClusters(certain, run.decided);
  return { run, record, dataset, labels: dataset.labels, certain, shown, stacks: run.stacks ?? [] };
}

function shownClusters(certain: Certain, decided: Decided | undefined): ShownClusters {
  if (decided === undefined) return { ...certain, ...called(certain.k, new Map()) };
  const { nextCluster, aside } = decided;
  const k = aside === 0 ? nextCluster : nextCluster + 1;
  return {
    k,
    assignments: decided.cluster.map((cluster) => (cluster < 0 ? nextCluster : cluster)),
    certainty: certain.certainty,
    ...called(k, new Map([...clusterNames(decided), [nextCluster, "put aside"]])),
  };
}

function called(k: number, given: ReadonlyMap<number, string>): Pick<ShownClusters, "names" | "titles"> {
  const numbers = Array.from({ length: k }, (_, cluster) => cluster);
  return {
    names: numbers.map((cluster) => given.get(cluster) ?? String(cluster)),
    titles: numbers.map((cluster) => given.get(cluster) ?? `Cluster ${cluster}`),
  };
}

/** The dataset's name, without its folders. */
export const titleOf = ({ dataset }: RunRecord): string =>
  dataset.name.split(/[\\/]/).filter(Boolean).at(-1) ?? "images";

/** The file name of an image, or its number within an array. */
export const imageName = ({ dataset }: Subject, image: number): string =>
  dataset.origin.fit === undefined ? `image ${dataset.itemName(image)}` : dataset.itemName(image);

/** The name of an image's label, if labels are known. */
export const labelOf = ({ labels }: Subject, image: number): string | undefined => labels?.names[labels.values[image]];
