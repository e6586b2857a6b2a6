/**
 * The parts of one cluster, by graph degree linkage of its samples. Of the linkage tree only joins of two groups of some
 * size count, as in the condensed tree of HDBSCAN (Campello, Moulavi, Sander, 2013): samples that join late one by one
 * are no parts.
 */
import { type SessionOptions, sessionOptions } from "../engine/session.ts";
import type { Matrix } from "../numeric/matrix.ts";
import { rowOf, selectRows } from "../numeric/matrix.ts";
import { averageLinkage } from "./average-linkage.ts";
import { chooseLandmarks, clusterMeans, neighboursFor } from "./graph-clusters.ts";
import { type LinkageTree, linkGraph } from "./graph-linkage.ts";
import { neighbourGraph } from "./neighbour-graph.ts";
import { nearestNeighbours } from "./neighbours.ts";

export interface SubclusterOptions extends SessionOptions {
  /** A part has at least this many samples. */
  readonly smallest: number;
  /** The seed of the samples that are linked where there are very many. */
  readonly seed: number;
  readonly signal?: AbortSignal | undefined;
}

/** Part `from` joins part `into`, and what has joined them before. */
export interface PartJoin {
  readonly into: number;
  readonly from: number;
  /** Of graph degree linkage; where no link connects the two, less than 0 by their squared distance. */
  readonly affinity: number;
}

export interface Subclusters {
  /** The part of each sample. */
  readonly parts: Int32Array;
  readonly partCount: number;
  /** Until all are one. */
  readonly joins: readonly PartJoin[];
}

/** Of more samples some are linked; the others belong to the part with the nearest mean. */
const mostLinked = 20_000;

/** Neighbourhoods are as wide as for so many parts. */
const expectedParts = 4;

export async function subclusters(samples: Matrix, options: SubclusterOptions): Promise<Subclusters> {
  const { smallest, seed, signal } = options;
  if (samples.rows < 2 * smallest) return { parts: new Int32Array(samples.rows), partCount: 1, joins: [] };
  const linked = chooseLandmarks(samples.rows, mostLinked, seed);
  const chosen = selectRows(samples, linked);
  const neighbours = neighboursFor(chosen.rows, expectedParts);
  const found = await nearestNeighbours(chosen, { neighbours, signal, ...sessionOptions(options) });
  const linkedShare = chosen.rows / samples.rows;
  const { parts, partCount, joins } = condense(linkGraph(neighbourGraph(found)), smallest * linkedShare);
  if (partCount < 2) return { parts: new Int32Array(samples.rows), partCount: 1, joins: [] };
  const all = new Int32Array(samples.rows).fill(-1);
  linked.forEach((row, place) => {
    all[row] = parts[place];
  });
  const assigned = withNearest(samples, all, partCount);
  return { parts: assigned, partCount, joins: [...joins, ...joinsOfApart(samples, assigned, partCount, joins)] };
}

/** What no link connects joins by distance. */
function joinsOfApart(samples: Matrix, parts: Int32Array, partCount: number, joins: readonly PartJoin[]): PartJoin[] {
  const roots = Int32Array.from({ length: partCount }, (_, part) => part);
  for (const { into, from } of joins.toReversed()) roots[from] = roots[into];
  const apart = [...new Set(roots)];
  const components = parts.map((part) => apart.indexOf(roots[part]));
  const sizes = apart.map((_, component) => components.filter((one) => one === component).length);
  const means = clusterMeans(samples, components, apart.length);
  return averageLinkage(means, sizes).map(({ into, from, distance }) => ({
    into: apart[into],
    from: apart[from],
    affinity: -distance,
  }));
}

/** The joins of linked groups that both have at least `smallest` samples; the part is −1 of samples that join such groups. */
export function condense({ groups, groupCount, joins }: LinkageTree, smallest: number): Subclusters {
  const sizes = new Uint32Array(groupCount);
  for (const group of groups) sizes[group]++;
  const partOf = new Int32Array(groupCount).fill(-1);
  /** The part that stands for each group and what has joined it; −1 while it is too small. */
  const standing = new Int32Array(groupCount).fill(-1);
  const collected = Array.from({ length: groupCount }, (_, group) => [group]);
  let partCount = 0;
  const become = (group: number): void => {
    standing[group] = partCount++;
    for (const one of collected[group]) partOf[one] = standing[group];
  };
  const found: PartJoin[] = [];
  for (let group = 0; group < groupCount; group++) if (sizes[group] >= smallest) become(group);
  for (const { into, from, affinity } of joins) {
    sizes[into] += sizes[from];
    if (standing[into] >= 0 && standing[from] >= 0)
      found.push({ into: standing[into], from: standing[from], affinity });
    else if (standing[from] >= 0) standing[into] = standing[from];
    else if (standing[into] < 0) {
      collected[into].push(...collected[from]);
      if (sizes[into] >= smallest) become(into);
    }
    standing[from] = -1;
  }
  return { parts: groups.map((group) => partOf[group]), partCount, joins: found };
}

/** Samples without a part belong to the one with the nearest mean. */
function withNearest(samples: Matrix, parts: Int32Array, partCount: number): Int32Array {
  const means = clusterMeans(samples, parts, partCount);
  return parts.map((part, row) => (part >= 0 ? part : nearestRow(means, rowOf(samples, row))));
}

function nearestRow(means: Matrix, sample: Float32Array): number {
  let [nearest, least] = [0, Number.POSITIVE_INFINITY];
  for (let row = 0; row < means.rows; row++) {
    const distance = rowOf(means, row).reduce((sum, value, d) => sum + (value - sample[d]) ** 2, 0);
    if (distance < least) [nearest, least] = [row, distance];
  }
  return nearest;
}
