/** Clusters of features by how their neighbourhoods hang together, where k-means goes by distance alone. */
import { linkGraph } from "../manifold/graph-linkage.ts";
import { type NeighbourGraph, neighbourGraph } from "../manifold/neighbour-graph.ts";
import { nearestNeighbours } from "../manifold/neighbours.ts";
import { normalizedCut } from "../manifold/normalized-cut.ts";
import { settleOpenGroups } from "../manifold/open-groups.ts";
import { cutTree } from "../manifold/tree-cut.ts";
import { type Matrix, matrix, rowOf } from "../matrix.ts";
import { Random } from "../random.ts";
import { clusterFeatures, type FeatureClusters } from "./feature-clusters.ts";
import type { FindingOptions } from "./method.ts";
import { sessionOptions } from "./settings.ts";

/** A fifteenth of the images that a cluster has on average, so that neighbours are mostly of one cluster; 5 to 15. */
export const neighboursFor = (count: number, k: number): number =>
  Math.min(count - 1, Math.max(5, Math.min(15, Math.round(count / k / 15))));

/** A group is a cluster from this share of the average cluster on. */
export const smallestShare = 1 / 4;

/** A group that is linked to two clusters, to the one at least this many times as strongly as to the other, is open. */
const rivalry = 0.3;

/** An open group of at least this share of the smallest cluster, with so much of its links to itself, is an island. */
const island = { share: 1 / 5, isolation: 0.85 };

/** Of more images, so many are linked, chosen at random: work grows with their square. */
export const mostLandmarks = 100_000;

export interface GraphClusterOptions extends FindingOptions {
  /** The most images that are linked. Default: 100,000. */
  readonly landmarks?: number;
}

/**
 * The clusters of the neighbourhood graph, or those of k-means where they run into each other less in that same graph:
 * a few noisy images may have no neighbourhoods to speak of. Images that are no landmarks, and groups that might
 * belong to either of two clusters, have the label −1.
 */
export async function graphClusters(
  features: Float32Array,
  size: number,
  options: GraphClusterOptions,
): Promise<FeatureClusters> {
  const { k, seed = 0, landmarks = mostLandmarks } = options;
  const samples = matrix(features, size, "features");
  const chosen = chooseLandmarks(samples.rows, landmarks, seed);
  const graph = await graphOf(rowsOf(samples, chosen), options);
  const tree = linkGraph(graph);
  const cut = { k, smallest: (smallestShare * chosen.length) / k };
  const [linked, certain] = [cutTree(tree, cut), cutTree(tree, { ...cut, rivalry })];
  const byDistance = await clusterFeatures(features, size, {
    ...options,
    restarts: restartsFor(samples.rows, options),
  });
  const ofChosen = Int32Array.from(chosen, (row) => byDistance.labels[row]);
  if (linked === undefined || certain === undefined) return byDistance;
  if (normalizedCut(graph, ofChosen, k) < normalizedCut(graph, linked.labels, k)) return byDistance;
  const settled = settleOpenGroups(graph, certain, {
    k,
    smallest: island.share * cut.smallest,
    isolation: island.isolation,
  });
  const labels = new Int32Array(samples.rows).fill(-1);
  chosen.forEach((row, place) => {
    labels[row] = settled[place];
  });
  return { labels, centres: clusterMeans(samples, labels, k).values };
}

/** k-means is here to compare with: where there are many images, which take long and differ less, it starts less often. */
const restartsFor = (count: number, { restarts = 20 }: FindingOptions): number =>
  Math.min(restarts, Math.max(3, Math.round(30_000 / count)));

/** So many of the rows, in order; all where there are no more. */
export function chooseLandmarks(rows: number, most: number, seed: number): Uint32Array {
  const order = new Random(seed, "landmarks").permutation(rows);
  return order.subarray(0, Math.min(rows, most)).sort();
}

/** How much the clusters of features run into each other: what several trials are compared by. */
export async function looseness(
  features: Float32Array,
  size: number,
  clusters: Int32Array,
  { k, seed = 0, landmarks = mostLandmarks, ...options }: GraphClusterOptions,
): Promise<number> {
  const samples = matrix(features, size, "features");
  const chosen = chooseLandmarks(samples.rows, landmarks, seed);
  const graph = await graphOf(rowsOf(samples, chosen), { k, ...options });
  return normalizedCut(
    graph,
    Int32Array.from(chosen, (row) => clusters[row]),
    k,
  );
}

async function graphOf(samples: Matrix, { k, signal, ...options }: FindingOptions): Promise<NeighbourGraph> {
  const neighbours = neighboursFor(samples.rows, k);
  return neighbourGraph(await nearestNeighbours(samples, { neighbours, signal, ...sessionOptions(options) }));
}

/** Those rows alone, in that order. */
export function rowsOf(samples: Matrix, rows: Uint32Array): Matrix {
  if (rows.length === samples.rows) return samples;
  const values = new Float32Array(rows.length * samples.columns);
  rows.forEach((row, place) => {
    values.set(rowOf(samples, row), place * samples.columns);
  });
  return matrix(values, samples.columns);
}

/** The mean of each cluster's samples [k, d], zero where it has none; samples with the label −1 are in none. */
export function clusterMeans(samples: Matrix, labels: Int32Array, k: number): Matrix {
  const { columns } = samples;
  const sums = new Float64Array(k * columns);
  const counts = new Uint32Array(k);
  labels.forEach((label, row) => {
    if (label < 0) return;
    counts[label]++;
    const values = rowOf(samples, row);
    for (let d = 0; d < columns; d++) sums[label * columns + d] += values[d];
  });
  const means = new Float32Array(sums.length);
  for (let place = 0; place < means.length; place++)
    means[place] = sums[place] / Math.max(1, counts[Math.floor(place / columns)]);
  return matrix(means, columns, "means");
}
