/** Metrics from mutual information, in nats. */
import type { ContingencyTable } from "./contingency.ts";

/** H = Σ_i a_i/n log(n/a_i). */
const entropy = (sizes: Uint32Array, total: number): number =>
  sizes.reduce((sum, size) => sum + (size / total) * Math.log(total / size), 0);

/** I = Σ_ij n_ij/n log(n n_ij / (a_i b_j)). The products are whole numbers, so that independence gives 0 exactly. */
function mutualInformation({ clusters, counts, classSizes, clusterSizes, total }: ContingencyTable): number {
  let sum = 0;
  counts.forEach((count, index) => {
    if (count === 0) return;
    const expected = classSizes[Math.floor(index / clusters.length)] * clusterSizes[index % clusters.length];
    sum += (count / total) * Math.log((total * count) / expected);
  });
  return Math.max(sum, 0);
}

/** I over an entropy that bounds it; 1 where that is zero, as in scikit-learn. */
const share = (information: number, bound: number): number => (bound === 0 ? 1 : Math.min(information / bound, 1));

function normalized(table: ContingencyTable, bound: (classes: number, clusters: number) => number): number {
  const { classSizes, clusterSizes, total } = table;
  return share(mutualInformation(table), bound(entropy(classSizes, total), entropy(clusterSizes, total)));
}

/** The paper's NMI: mutual information over the larger of the two entropies. */
export const nmiOf = (table: ContingencyTable): number => normalized(table, Math.max);

/** Mutual information over the mean of the two entropies, also known as the V-measure. */
export const nmiArithmeticOf = (table: ContingencyTable): number =>
  normalized(table, (classes, clusters) => (classes + clusters) / 2);

/** 1 where each cluster holds items of one class only. */
export const homogeneityOf = (table: ContingencyTable): number => normalized(table, (classes) => classes);

/** 1 where each class is in one cluster only. */
export const completenessOf = (table: ContingencyTable): number => normalized(table, (_, clusters) => clusters);
