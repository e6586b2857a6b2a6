/**
 * Clusters of vectors: those of the neighbour graph where clusters hardly touch there; else what many clusterings agree
 * on, half of them Gaussian mixtures and half k-means, each from its own start. A few hundred vectors have many
 * clusterings that are equally good by any measure of their own, and right about different things.
 */
import { lengthOne, type Matrix, selectRows } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import type { ClusterOptions, Clusters } from "./clusters.ts";
import { CoAssociation } from "./co-association.ts";
import { mixtureFrom, mixtureFromRandom } from "./gaussian-mixture.ts";
import { chooseLandmarks, clusterMeans, graphClusters, normalizedCutOf } from "./graph-clusters.ts";
import { simpleKMeans } from "./simple-k-means.ts";
import { cutTree } from "./tree-cut.ts";

/** Clusters that touch less than this, by their mean normalized cut, are told apart by links alone. */
const apart = 0.1;

/** Samples whose agreement is computed, since it grows with their square; the rest follow a mixture of theirs. */
const mostLandmarks = 2000;

/** Pairs of a mixture and a k-means: as many as these multiplications allow, within limits. */
const work = { multiplications: 2e9, fewest: 15, most: 60 };

/** Principal components that a mixture looks at, and clusters that k-means makes, for each cluster that is wanted. */
const ofMixtures = { least: 1, most: 3 };
const ofKMeans = { least: 1, most: 2, components: 64 };

/** A group is a cluster if it has at least this share of the average cluster. */
const smallestShare = 1 / 20;

/** The columns of `features` are principal components, by decreasing variance. */
export async function mixtureClusters(features: Matrix, options: ClusterOptions): Promise<Clusters> {
  const { k } = options;
  const byLinks = await graphClusters(features, options);
  if ((await normalizedCutOf(features, byLinks.labels, options)) < apart) return byLinks;
  const labels = agreedClusters(features, options);
  return { labels, centres: clusterMeans(features, labels, k).values };
}

/** The cluster of each sample. */
export function agreedClusters(features: Matrix, { k, seed = 0, signal }: ClusterOptions): Int32Array {
  const chosen = chooseLandmarks(features.rows, mostLandmarks, seed);
  const landmarks = chosen.length === features.rows ? features : selectRows(features, chosen);
  const agreement = agreementOf(landmarks, { k, random: new Random(seed, "agreement"), signal });
  const smallest = Math.max(2, (smallestShare * landmarks.rows) / k);
  const tree = agreement.linkage();
  const agreed = cutTree(tree, { k, smallest }) ?? cutTree(tree, { k, smallest: 1 });
  const labels = new Int32Array(features.rows).fill(-1);
  agreed?.labels.forEach((label, place) => {
    labels[chosen[place]] = label;
  });
  const { responsibilities } = mixtureFrom(features, labels, { k, columns: columnsFor(features, 2 * k), rounds: 1 });
  return labels.map((label, row) => (label < 0 ? likeliest(responsibilities, k, row) : label));
}

interface AgreementOptions {
  readonly k: number;
  readonly random: Random;
  readonly signal: AbortSignal | undefined;
}

function agreementOf(landmarks: Matrix, { k, random, signal }: AgreementOptions): CoAssociation {
  const agreement = new CoAssociation(landmarks.rows);
  const between = (least: number, most: number): number => least + random.integer(most - least + 1);
  const directions = lengthOne(landmarks, columnsFor(landmarks, ofKMeans.components));
  const columns = [ofMixtures.least * k, ofMixtures.most * k].map((count) => columnsFor(landmarks, count));
  for (let pair = pairsFor(landmarks, k); pair > 0; pair--) {
    signal?.throwIfAborted();
    const mixture = mixtureFromRandom(landmarks, random, { k, columns: between(columns[0], columns[1]) });
    agreement.add(mixture.responsibilities, k);
    const groups = Math.min(landmarks.rows, between(ofKMeans.least * k, ofKMeans.most * k));
    agreement.addLabels(simpleKMeans(directions, { k: groups, random }));
  }
  return agreement;
}

const columnsFor = ({ columns }: Matrix, wanted: number): number => Math.max(1, Math.min(columns, wanted));

const pairsFor = ({ rows }: Matrix, k: number): number =>
  Math.round(Math.max(work.fewest, Math.min(work.most, work.multiplications / (200 * rows * k * k))));

function likeliest(responsibilities: Float32Array, k: number, row: number): number {
  let best = 0;
  for (let j = 1; j < k; j++) if (responsibilities[row * k + j] > responsibilities[row * k + best]) best = j;
  return best;
}
