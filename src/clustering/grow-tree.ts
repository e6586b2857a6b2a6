/**
 * A tree that has given clusters at one level: below it each cluster falls into its own parts, the least linked first;
 * above it whole clusters merge, by average linkage of their means.
 */
import type { SessionOptions } from "../engine/session.ts";
import { InputError } from "../files/errors.ts";
import { type Matrix, selectRows } from "../numeric/matrix.ts";
import { averageLinkage } from "./average-linkage.ts";
import type { ClusterTree, Merge } from "./cluster-tree.ts";
import { clusterMeans, graphRules } from "./graph-clusters.ts";
import { type Subclusters, subclusters } from "./subclusters.ts";

export interface ClusterTreeOptions extends SessionOptions {
  /** Number of clusters. */
  readonly k: number;
  /** The most groups at the finest level. Default: four per cluster, at least 64. */
  readonly finest?: number;
  /** The seed of the images that are linked in clusters of more than 20,000. Default: 0. */
  readonly seed?: number;
  readonly signal?: AbortSignal | undefined;
}

/** No group has fewer images, unless a cluster does. */
const fewest = 3;

/** The tree of clusters, where `assignments` has the cluster of each row. */
export async function clusterTree(
  features: Matrix,
  assignments: Int32Array,
  { k, finest = Math.max(4 * k, 64), seed = 0, ...options }: ClusterTreeOptions,
): Promise<ClusterTree> {
  if (assignments.length !== features.rows)
    throw new InputError(`${assignments.length} assignments and ${features.rows} features: give both for each image`);
  const smallest = Math.max(fewest, Math.floor((graphRules.smallestShare * features.rows) / finest));
  const roots: Node[] = [];
  for (const { cluster, rows } of membersOf(assignments, k)) {
    options.signal?.throwIfAborted();
    const found = await subclusters(selectRows(features, rows), { ...options, smallest, seed });
    roots.push(rootOf(found, cluster, rows));
  }
  const { groups, splits } = splitLeastLinked(roots, finest);
  return numbered(groups, [...splits.reverse(), ...mergeNearest(roots, clusterMeans(features, assignments, k))]);
}

/** A group of the tree. */
interface Node {
  readonly cluster: number;
  readonly rows: readonly number[];
  /** The two parts that it joins, the larger first, and how strongly. */
  readonly split?: { readonly parts: readonly [Node, Node]; readonly affinity: number };
}

/** Two groups that are one from here on. */
interface NodeMerge {
  readonly into: Node;
  readonly from: Node;
  readonly whole: Node;
  readonly strength: number;
}

function membersOf(assignments: Int32Array, k: number): { readonly cluster: number; readonly rows: number[] }[] {
  const members = Array.from({ length: k }, (_, cluster) => ({ cluster, rows: [] as number[] }));
  assignments.forEach((cluster, row) => {
    members[cluster].rows.push(row);
  });
  return members.filter(({ rows }) => rows.length > 0);
}

function rootOf({ parts, partCount, joins }: Subclusters, cluster: number, rows: readonly number[]): Node {
  const members = Array.from({ length: partCount }, (): number[] => []);
  rows.forEach((row, place) => {
    members[parts[place]].push(row);
  });
  const nodes: Node[] = members.map((own) => ({ cluster, rows: own }));
  let root = nodes[0];
  for (const { into, from, affinity } of joins) {
    root = joined(nodes[into], nodes[from], affinity);
    nodes[into] = root;
  }
  return root;
}

function joined(a: Node, b: Node, affinity: number): Node {
  const parts: readonly [Node, Node] = a.rows.length >= b.rows.length ? [a, b] : [b, a];
  return { cluster: a.cluster, rows: [...a.rows, ...b.rows], split: { parts, affinity } };
}

/** From the clusters down: always that group is split next whose parts are linked least. */
function splitLeastLinked(roots: readonly Node[], finest: number): { groups: Node[]; splits: NodeMerge[] } {
  const groups = [...roots];
  const splits: NodeMerge[] = [];
  while (groups.length < finest) {
    const place = leastLinked(groups);
    const whole = groups[place];
    if (whole?.split === undefined) break;
    const [into, from] = whole.split.parts;
    groups.splice(place, 1, into, from);
    splits.push({ into, from, whole, strength: Math.max(0, whole.split.affinity) });
  }
  return { groups, splits };
}

/** Where the group is whose parts have the smallest affinity; of equal ones the first. −1 if none has parts. */
function leastLinked(groups: readonly Node[]): number {
  let [place, least] = [-1, Number.POSITIVE_INFINITY];
  groups.forEach(({ split }, index) => {
    if (split !== undefined && split.affinity < least) [place, least] = [index, split.affinity];
  });
  return place;
}

/** Whole clusters, from the nearest on. */
function mergeNearest(roots: readonly Node[], means: Matrix): NodeMerge[] {
  const points = selectRows(
    means,
    roots.map(({ cluster }) => cluster),
  );
  const joins = averageLinkage(
    points,
    roots.map(({ rows }) => rows.length),
  );
  const usual = joins.reduce((sum, { distance }) => sum + distance, 0) / joins.length || 1;
  const nodes = [...roots];
  return joins.map((join) => {
    const [a, b] = [nodes[join.into], nodes[join.from]];
    const [into, from] = a.rows.length >= b.rows.length ? [a, b] : [b, a];
    const whole: Node = { cluster: into.cluster, rows: [...a.rows, ...b.rows] };
    nodes[join.into] = whole;
    return { into, from, whole, strength: Math.exp(-join.distance / usual) };
  });
}

/** With numbers for nodes: a whole has that of its larger part. */
function numbered(finest: readonly Node[], merges: readonly NodeMerge[]): ClusterTree {
  const numbers = new Map(finest.map((node, number) => [node, number]));
  const numberOf = (node: Node): number => numbers.get(node) ?? 0;
  const groups = new Int32Array(finest.reduce((sum, { rows }) => sum + rows.length, 0));
  finest.forEach(({ rows }, number) => {
    for (const row of rows) groups[row] = number;
  });
  const list = merges.map(({ into, from, whole, strength }): Merge => {
    numbers.set(whole, numberOf(into));
    return { into: numberOf(into), from: numberOf(from), strength };
  });
  return { groups, clusters: Int32Array.from(finest, ({ cluster }) => cluster), merges: list };
}
