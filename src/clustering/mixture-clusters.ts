/**
 * Clusters of vectors: those of the neighbour graph where clusters hardly touch there; else what many Gaussian mixtures
 * agree on, each from its own start and with its own number of principal components. A few hundred vectors have many
 * clusterings that are equally good by any measure of their own, and right about different things.
 */
import { pause } from "../engine/pause.ts";
import type { Matrix } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { type ClusterOptions, type Clusters, kMeansClusters } from "./clusters.ts";
import { CoAssociation } from "./co-association.ts";
import { logVolume, mixtureFrom, mixtureFromRandom } from "./gaussian-mixture.ts";
import { chooseLandmarks, clusterMeans, graphClusters, landmarksOf, normalizedCutOf } from "./graph-clusters.ts";
import { cutTree } from "./tree-cut.ts";

/** Clusters that touch less than this, by their mean normalized cut, are told apart by links alone. */
const apart = 0.1;

/** Samples whose agreement is computed, since it grows with their square. */
const mostCompared = 2000;

/** Fewer for each cluster have nothing to agree on. */
const fewestPerCluster = 4;

/** Mixtures: as many as these multiplications allow, within limits. */
const work = { multiplications: 4e9, fewest: 30, most: 120 };

/** Principal components that a mixture looks at, for each cluster that is wanted. */
const componentsPerCluster = { least: 1, most: 3 };

/** A group that was agreed on is a cluster if it has at least this share of the average cluster. */
const smallestAgreed = 1 / 20;

/** The columns of `features` are principal components, by decreasing variance. */
export async function mixtureClusters(features: Matrix, options: ClusterOptions): Promise<Clusters> {
  const { k } = options;
  const byLinks = await graphClusters(features, options);
  // Mixtures know nothing of what was said.
  if (options.constraints !== undefined) return byLinks;
  if (Math.min(features.rows, mostCompared) < fewestPerCluster * k) return byLinks;
  if ((await normalizedCutOf(features, byLinks.labels, options)) < apart) return byLinks;
  const agreed = await agreedClusters(features, options);
  const labels = features.rows > mostCompared ? await likelier(features, agreed, options) : agreed;
  return { labels, centres: clusterMeans(features, labels, k).values };
}

/** What many clusterings agree on: the cluster of each sample. */
export async function agreedClusters(features: Matrix, { k, seed = 0, signal }: ClusterOptions): Promise<Int32Array> {
  const chosen = chooseLandmarks(features.rows, mostCompared, seed);
  const compared = landmarksOf(features, chosen);
  const agreement = await agreementOf(compared, { k, random: new Random(seed, "agreement"), signal });
  const tree = agreement.linkage();
  const smallest = Math.max(2, (smallestAgreed * compared.rows) / k);
  const agreed = cutTree(tree, { k, smallest }) ?? cutTree(tree, { k, smallest: 1 });
  if (agreed === undefined) throw new Error(`${compared.rows} samples cannot be cut into ${k} groups`);
  const labels = new Int32Array(features.rows).fill(-1);
  agreed.labels.forEach((label, place) => {
    labels[chosen[place]] = label;
  });
  const { responsibilities } = mixtureFrom(features, labels, { k, columns: columnsFor(features, 2 * k), rounds: 1 });
  return labels.map((label, row) => (label < 0 ? likeliest(responsibilities, k, row) : label));
}

/**
 * Where only a sample was asked to agree, k-means of all samples has its say: of the mixtures that the two lead to, the
 * likelier one, whose components are narrower. With so many samples that is no accident.
 */
async function likelier(features: Matrix, agreed: Int32Array, options: ClusterOptions): Promise<Int32Array> {
  const { k } = options;
  const { labels: byDistance } = await kMeansClusters(features, options);
  const [first, second] = [agreed, byDistance].map((labels) =>
    mixtureFrom(features, labels, { k, columns: columnsFor(features, 2 * k) }),
  );
  const { responsibilities } = logVolume(second) < logVolume(first) ? second : first;
  return Int32Array.from({ length: features.rows }, (_, row) => likeliest(responsibilities, k, row));
}

interface AgreementOptions {
  readonly k: number;
  readonly random: Random;
  readonly signal: AbortSignal | undefined;
}

async function agreementOf(compared: Matrix, { k, random, signal }: AgreementOptions): Promise<CoAssociation> {
  const agreement = new CoAssociation(compared.rows);
  const [least, most] = [componentsPerCluster.least, componentsPerCluster.most].map((one) =>
    columnsFor(compared, one * k),
  );
  for (let left = mixturesFor(compared, k); left > 0; left--) {
    await pause();
    signal?.throwIfAborted();
    const columns = least + random.integer(most - least + 1);
    agreement.add(mixtureFromRandom(compared, random, { k, columns }).responsibilities, k);
  }
  return agreement;
}

const columnsFor = ({ columns }: Matrix, wanted: number): number => Math.max(1, Math.min(columns, wanted));

const mixturesFor = ({ rows }: Matrix, k: number): number =>
  Math.round(Math.max(work.fewest, Math.min(work.most, work.multiplications / (200 * rows * k * k))));

function likeliest(responsibilities: Float32Array, k: number, row: number): number {
  let best = 0;
  for (let j = 1; j < k; j++) if (responsibilities[row * k + j] > responsibilities[row * k + best]) best = j;
  return best;
}
