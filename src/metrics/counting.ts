/** Metrics that count items, or pairs of items. */
import type { ContingencyTable } from "./contingency.ts";

/** Σ_j max_i n_ij / n: ACC if several clusters may be mapped to one class. */
export function purityOf({ clusters, counts, total }: ContingencyTable): number {
  const largest = new Uint32Array(clusters.length);
  counts.forEach((count, index) => {
    const column = index % clusters.length;
    largest[column] = Math.max(largest[column], count);
  });
  return largest.reduce((sum, count) => sum + count, 0) / total;
}

const sumOfSquares = (counts: Uint32Array): number => counts.reduce((sum, count) => sum + count * count, 0);

/**
 * The adjusted Rand index, from ordered pairs of items: together in both partitions, in one of them only, or apart in
 * both. 1 where no pair is together in only one of them, even if there are no pairs, as in scikit-learn.
 */
export function ariOf({ counts, classSizes, clusterSizes, total }: ContingencyTable): number {
  const squares = sumOfSquares(counts);
  const together = squares - total;
  const sameClassOnly = sumOfSquares(classSizes) - squares;
  const sameClusterOnly = sumOfSquares(clusterSizes) - squares;
  const apart = total * total - squares - sameClassOnly - sameClusterOnly;
  if (sameClassOnly === 0 && sameClusterOnly === 0) return 1;
  return (
    (2 * (together * apart - sameClassOnly * sameClusterOnly)) /
    ((together + sameClassOnly) * (sameClassOnly + apart) + (together + sameClusterOnly) * (sameClusterOnly + apart))
  );
}
