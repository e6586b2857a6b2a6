/** Clusters of features by the links between their neighbourhoods, where k-means knows distances alone. */
import { type SharedOptions, sharedOptions } from "../engine/ranks/collective.ts";
import { type Matrix, matrix, rowOf, selectRows } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { assignAmbiguousGroups } from "./ambiguous-groups.ts";
import { type ClusterOptions, type Clusters, kMeansClusters } from "./clusters.ts";
import { linkGraph } from "./graph-linkage.ts";
import { NeighbourCells } from "./neighbour-cells.ts";
import { type NeighbourGraph, neighbourGraph } from "./neighbour-graph.ts";
import { type Neighbours, nearestNeighbours, nearestOf } from "./neighbours.ts";
import { meanNormalizedCut } from "./normalized-cut.ts";
import { linkPairs } from "./pair-links.ts";
import { inPairs } from "./sample-constraints.ts";
import { cutTree } from "./tree-cut.ts";

/** A fifteenth of the average cluster, so that neighbours are mostly of the same cluster; 5 to 15. */
export const neighboursFor = (count: number, k: number): number =>
  Math.min(count - 1, Math.max(5, Math.min(15, Math.round(count / k / 15))));

/** A group is a cluster if it has at least this share of the average cluster. */
export const smallestShare = 1 / 4;

/** A group that is linked to a second cluster at least this many times as strongly as to its own is ambiguous. */
const ambiguity = 0.3;

/** An ambiguous group with at least this share of the smallest cluster's size is assigned by sizes as well as by links. */
const sizedShare = 1 / 5;

/** Clusters take the place of the usual graph's if their cut is below this share of it: smaller differences say little. */
const clearlyBetter = 0.9;

/** The most images that are linked, since work grows with their square; of more, a random sample: the landmarks. */
export const mostLandmarks = 100_000;

/**
 * The clusters of the neighbour graph; or those of one with fewer or more neighbours, or of k-means, where these have a
 * clearly lower mean normalized cut in the first one: how many neighbours serve best differs from set to set, and a few
 * noisy images may have no neighbourhoods to speak of. k-means labels every sample. A graph leaves the label −1 to
 * groups that were too small for a cluster when the tree was cut, and to ambiguous groups without a link to any cluster.
 */
export async function graphClusters(features: Matrix, options: ClusterOptions): Promise<Clusters> {
  const { k, constraints } = options;
  const [usual, ...others] = await graphsOf(features, options);
  const byGraph = [usual, ...others].flatMap((graph) => clustersIn(graph, options) ?? []);
  const byDistance = await kMeansClusters(features, { ...options, restarts: restartsFor(features.rows, options) });
  // k-means knows nothing of what was said.
  const found = constraints === undefined || byGraph.length === 0 ? [...byGraph, byDistance.labels] : byGraph;
  // The first, which is the usual graph's if it has clusters, unless another is clearly better.
  const cuts = found.map((labels, place) => meanNormalizedCut(usual, labels, k) * (place === 0 ? clearlyBetter : 1));
  const labels = found[cuts.indexOf(Math.min(...cuts))];
  return labels === byDistance.labels ? byDistance : { labels, centres: clusterMeans(features, labels, k).values };
}

/** The label of each sample by one graph; undefined where it never has k groups of some size. */
function clustersIn(graph: NeighbourGraph, { k, constraints }: ClusterOptions): Int32Array | undefined {
  const linked = constraints === undefined ? graph : linkPairs(graph, inPairs(constraints));
  const smallest = (smallestShare * graph.count) / k;
  const cut = cutTree(linkGraph(linked, constraints), { k, smallest, ambiguity });
  return cut && assignAmbiguousGroups(linked, cut, { k, smallestSized: sizedShare * smallest });
}

/** With as many neighbours as usual, with two thirds of them and with half as many again. */
async function graphsOf(features: Matrix, options: ClusterOptions): Promise<readonly NeighbourGraph[]> {
  const usual = neighboursFor(features.rows, options.k);
  const most = Math.min(features.rows - 1, Math.floor((3 / 2) * usual));
  const near = await neighboursOf(features, most, options);
  const counts = [usual, Math.ceil((2 / 3) * usual), most];
  return counts.map((count) => neighbourGraph(nearestOf(near, count)));
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

/** The mean normalized cut of clusters in the neighbour graph of their features, by which trials are compared. */
export async function normalizedCutOf(
  features: Matrix,
  clusters: Int32Array,
  options: ClusterOptions,
): Promise<number> {
  return meanNormalizedCut(await neighbourGraphOf(features, options), clusters, options.k);
}

/** With as many neighbours as so many samples in k clusters have. */
export const neighbourGraphOf = async (samples: Matrix, options: GraphOptions): Promise<NeighbourGraph> =>
  neighbourGraph(await neighboursOf(samples, neighboursFor(samples.rows, options.k), options));

type GraphOptions = Pick<ClusterOptions, "k" | "seed" | "signal"> & SharedOptions;

async function neighboursOf(
  samples: Matrix,
  neighbours: number,
  { seed = 0, signal, ...options }: GraphOptions,
): Promise<Neighbours> {
  const wanted = { neighbours, signal, ...sharedOptions(options) };
  if (samples.rows <= mostLandmarks) return nearestNeighbours(samples, wanted);
  // Somebody wants more landmarks, whose exact neighbours take time by the square of their number.
  return (await NeighbourCells.around(samples, { ...wanted, seed })).ofPoints(wanted);
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
