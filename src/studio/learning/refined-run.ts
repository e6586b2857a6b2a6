/** What a run that has learned says otherwise than the clusters as they were decided. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { clusterNumbers } from "../../methods/dbc/refined-clusters.ts";
import { assignmentsHash } from "../../runs/decisions/assignments-hash.ts";
import { constraintsOf } from "../../runs/decisions/constraints.ts";
import type { Decision } from "../../runs/decisions/decision.ts";
import { type Decided, type ModelClusters, sayers } from "../../runs/decisions/fold-decisions.ts";
import { readAssignments } from "../../runs/run-folder.ts";
import { readRecord } from "../../runs/run-record.ts";
import type { LearnedChange } from "../api.ts";

export interface RefinedRun {
  /** By this a decision says which run it accepts. */
  readonly hash: string;
  /** Of each image, the cluster that it is in there, by the number that it has here. */
  readonly clusters: Int32Array;
  readonly scores: Float32Array;
}

export interface RefinedFrom {
  /** The log of the run that was refined; it may have grown since. */
  readonly decisions: readonly Decision[];
  readonly model: ModelClusters;
  readonly items: readonly string[];
}

/** Undefined where there is none that is finished, or it is not of these images. */
export function readRefined(folder: string, { decisions, model, items }: RefinedFrom): RefinedRun | undefined {
  if (!existsSync(join(folder, "run.json"))) return undefined;
  const rows = readAssignments(folder);
  const { decisions: learned } = readRecord(folder).settings;
  if (typeof learned !== "number" || rows.length !== items.length) return undefined;
  if (rows.some(({ item }, image) => item !== items[image])) return undefined;
  const { decided } = constraintsOf(decisions.slice(0, learned), model);
  const here = new Map([...clusterNumbers(decided)].map(([cluster, number]) => [number, cluster]));
  return {
    hash: assignmentsHash(folder),
    clusters: Int32Array.from(rows, ({ cluster }) => here.get(cluster) ?? -1),
    scores: Float32Array.from(rows, ({ score }) => score),
  };
}

/** The most images first; of each, the most certain first. What people have said stays, and no cluster comes back. */
export function changesOf({ clusters, scores }: RefinedRun, decided: Decided): LearnedChange[] {
  const present = new Set(decided.clusters.map(({ cluster }) => cluster));
  const isPresent = (cluster: number): boolean => present.has(cluster) || decided.goesTo[cluster] === cluster;
  const changes = new Map<string, { from: number; to: number; images: number[] }>();
  clusters.forEach((to, image) => {
    const from = decided.cluster[image];
    const said = decided.by[image] === sayers.person || decided.confirmed[image] === 1;
    if (from < 0 || to < 0 || from === to || said || !isPresent(to)) return;
    const change = changes.get(`${from} ${to}`) ?? { from, to, images: [] };
    changes.set(`${from} ${to}`, change);
    change.images.push(image);
  });
  const all = [...changes.values()].sort((a, b) => b.images.length - a.images.length || a.from - b.from || a.to - b.to);
  for (const { images } of all) images.sort((a, b) => scores[b] - scores[a] || a - b);
  return all;
}
