/** `tree.json` of a run: coarser and finer groups than its clusters. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ClusterTree } from "../clustering/cluster-tree.ts";
import { writeFileAtomically } from "../files/atomic.ts";
import { InputError } from "../files/errors.ts";
import { readJson } from "../files/json.ts";
import { shortest } from "./assignments.ts";

const treeFormat = "boostcluster tree 1";

interface TreeFile {
  readonly format: string;
  /** The finest group of each image. */
  readonly groups: readonly number[];
  /** The cluster of each finest group. */
  readonly clusters: readonly number[];
  /** [into, from, strength], from the finest groups to one. */
  readonly merges: readonly (readonly [number, number, number])[];
}

const pathIn = (folder: string): string => join(folder, "tree.json");

export function writeTree(folder: string, { groups, clusters, merges }: ClusterTree): void {
  const file: TreeFile = {
    format: treeFormat,
    groups: [...groups],
    clusters: [...clusters],
    merges: merges.map(({ into, from, strength }) => [into, from, shortest(strength)]),
  };
  writeFileAtomically(pathIn(folder), `${JSON.stringify(file)}\n`);
}

/** Undefined where the run has none: earlier versions wrote none. */
export function readTree(folder: string): ClusterTree | undefined {
  const path = pathIn(folder);
  if (!existsSync(path)) return undefined;
  const { groups, clusters, merges } = readJson<TreeFile>(path, [treeFormat], "delete it, and the run does without it");
  if (![groups, clusters, merges].every(Array.isArray) || merges.length !== clusters.length - 1)
    throw new InputError(`${path}: it is no tree of clusters; delete it, and the run does without it`);
  return {
    groups: Int32Array.from(groups),
    clusters: Int32Array.from(clusters),
    merges: merges.map(([into, from, strength]) => ({ into, from, strength })),
  };
}
