/** The folder that `organize` puts each image into. */
import { clusterLevel, cutAtLevel } from "../clustering/cluster-tree.ts";
import { InputError } from "../files/errors.ts";
import type { AssignmentRow } from "../runs/assignments.ts";
import { readRecord } from "../runs/run-record.ts";
import { readTree } from "../runs/tree-file.ts";

/** Where images go that belong nowhere; clusters and groups have numbers. */
const noneFolder = "none";

/** Clusters, or as many coarser or finer groups as `level` says. */
export function folderNames(run: string, rows: readonly AssignmentRow[], level: number | undefined): string[] {
  const groups = level === undefined ? rows.map(({ cluster }) => String(cluster)) : groupNames(run, rows.length, level);
  return rows.map(({ none }, image) => (none ? noneFolder : groups[image]));
}

function groupNames(run: string, count: number, level: number): string[] {
  const tree = readTree(run);
  if (tree?.groups.length !== count)
    throw new InputError(
      `${run}: it has no tree.json of its images, so that --level cannot be used; make the run again`,
    );
  // Clusters that have lost all their images are clusters of the run, but not of the tree.
  const clusters = readRecord(run).k;
  const { names, groups } = cutAtLevel(tree, level === clusters ? clusterLevel(tree) : level);
  return Array.from(groups, (group) => names[group]);
}
