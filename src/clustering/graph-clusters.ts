/** Clusters of features by the links between their neighbourhoods, where k-means knows distances alone. */
import { type SharedOptions, sharedOptions } from "../engine/ranks/collective.ts";
import { type Matrix, matrix, rowOf, selectRows } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { assignAmbiguousGroups } from "./ambiguous-groups.ts";
import { type ClusterOptions, type Clusters, kMeansClusters } from "./clusters.ts";
import { linkGraph } from "./graph-linkage.ts";
import { meanGraph } from "./mean-graph.ts";
import { NeighbourCells } from "./neighbour-cells.ts";
import { type NeighbourGraph, neighbourGraph } from "./neighbour-graph.ts";
import { nearestNeighbours } from "./neighbours.ts";
import { meanNormalizedCut } from "./normalized-cut.ts";
import { linkPairs } from "./pair-links.ts";
import { inPairs } from "./sample-constraints.ts";
import { cutTree } from "./tree-cut.ts";

/** What decides about clusters, where somebody studies how much each of it matters. */
export interface GraphRules {
  /** Nearest neighbours that each sample is linked to. Default: a fifteenth of the average cluster, from 5 to 15. */
  readonly neighbours?: number;
  /** A group is a cluster if it has at least this share of the average cluster. Default: 1/4. */
  readonly smallestShare?: number;
  /** A group linked to a second cluster at least this many times as strongly as to its own is ambiguous. Default: 0.3. */
  readonly ambiguity?: number;
  /** An ambiguous group with at least this share of the smallest cluster goes by sizes as well as links. Default: 1/5. */
  readonly sizedShare?: number;
  /** How much sizes count for such a group, beside its links. Default: 1/2. */
  readonly sizeWeight?: number;
}

/** All but the neighbours, whose number follows from that of the samples. */
export const graphRules = {
  smallestShare: 1 / 4,
  ambiguity: 0.3,
  sizedShare: 1 / 5,
  sizeWeight: 1 / 2,
} as const satisfies GraphRules;

/** A fifteenth of the average cluster, so that neighbours are mostly of the same cluster; 5 to 15. */
export const neighboursFor = (count: number, k: number): number =>
  Math.min(count - 1, Math.max(5, Math.min(15, Math.round(count / k / 15))));

/** The most images that are linked, since work grows with their square; of more, a random sample: the landmarks. */
export const mostLandmarks = 100_000;

/**
 * The clusters of the neighbour graph, or those of k-means where these have the lower mean normalized cut in that same
 * graph: a few noisy images may have no neighbourhoods to speak of. k-means labels every sample. The graph leaves the
 * label −1 to groups that were too small for a cluster when the tree was cut, and to ambiguous groups without a link to
 * any cluster.
 */
export async function graphClusters(features: Matrix, options: ClusterOptions & GraphRules): Promise<Clusters> {
  const { k, constraints, smallestShare, ambiguity, sizedShare, sizeWeight } = { ...graphRules, ...options };
  const found = await graphOfViews(features, options);
  const graph = constraints === undefined ? found : linkPairs(found, inPairs(constraints));
  const tree = linkGraph(graph, constraints);
  const cut = { k, smallest: (smallestShare * features.rows) / k };
  const [whole, certain] = [cutTree(tree, cut), cutTree(tree, { ...cut, ambiguity })];
  const byDistance = await kMeansClusters(features, { ...options, restarts: restartsFor(features.rows, options) });
  if (whole === undefined || certain === undefined) return byDistance;
  const cutOf = ({ labels }: { readonly labels: Int32Array }): number => meanNormalizedCut(graph, labels, k);
  // k-means knows nothing of what was said.
  if (constraints === undefined && cutOf(byDistance) < cutOf(whole)) return byDistance;
  const labels = assignAmbiguousGroups(graph, certain, { k, smallestSized: sizedShare * cut.smallest, sizeWeight });
  return { labels, centres: clusterMeans(features, labels, k).values };
}

/** k-means serves for comparison: with many images it takes long and its starts differ less, so there are fewer. */
const restartsFor = (count: number, { restarts = 20 }: ClusterOptions): number =>
  Math.min(restarts, Math.max(3, Math.round(30_000 / count)));

/** At most `most` of the rows, chosen at random, in ascending order. */
export function chooseLandmarks(rows: number, most: number, seed: number): Uint32Array {
  const order = new Random(seed, "landmarks").permutation(rows);
  return order.subarray(0, Math.min(rows, most)).sort();
}

/** Without a copy where all are chosen. */
export const landmarksOf = (features: Matrix, chosen: Uint32Array): Matrix =>
  chosen.length === features.rows ? features : selectRows(features, chosen);

/** The mean normalized cut of clusters in the neighbour graph of their features. */
export async function normalizedCutOf(
  features: Matrix,
  clusters: Int32Array,
  options: ClusterOptions,
): Promise<number> {
  return meanNormalizedCut(await neighbourGraphOf(features, options), clusters, options.k);
}

/** The graph of the features; where several encoders see them, the mean of that and of each encoder's own. */
async function graphOfViews(features: Matrix, options: ClusterOptions & GraphRules): Promise<NeighbourGraph> {
  const graphs: NeighbourGraph[] = [];
  for (const view of [...(options.views ?? []), features]) graphs.push(await neighbourGraphOf(view, options));
  return meanGraph(graphs);
}

/** With as many neighbours as so many samples in k clusters have, unless it is said how many. */
export async function neighbourGraphOf(
  samples: Matrix,
  {
    k,
    neighbours = neighboursFor(samples.rows, k),
    seed = 0,
    signal,
    ...options
  }: Pick<ClusterOptions, "k" | "seed" | "signal"> & Pick<GraphRules, "neighbours"> & SharedOptions,
): Promise<NeighbourGraph> {
  const wanted = { neighbours, signal, ...sharedOptions(options) };
  if (samples.rows <= mostLandmarks) return neighbourGraph(await nearestNeighbours(samples, wanted));
  // Somebody wants more landmarks, whose exact neighbours take time by the square of their number.
  const cells = await NeighbourCells.around(samples, { ...wanted, seed });
  return neighbourGraph(await cells.ofPoints(wanted));
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
