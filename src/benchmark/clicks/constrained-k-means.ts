/**
 * Constrained k-means (Basu, Banerjee & Mooney, 2002): centres begin at the means of the samples that are known, and
 * these never leave their cluster.
 */
import { clusterMeans } from "../../clustering/graph-clusters.ts";
import { type Matrix, rowOf } from "../../numeric/matrix.ts";

const maxIterations = 100;

/**
 * `known`: the cluster of each sample, or −1; a cluster of which nothing is known begins at the mean of what `start` has
 * in it.
 */
export function constrainedKMeans(
  samples: Matrix,
  known: Int32Array,
  start: Int32Array,
  { k }: { readonly k: number },
): Int32Array {
  const seeded = new Set(known);
  let centres = chosenMeans(clusterMeans(samples, known, k), clusterMeans(samples, start, k), (j) => seeded.has(j));
  let labels = start;
  for (let iteration = 0; iteration < maxIterations; iteration++) {
    const before = labels;
    labels = known.map((cluster, row) => (cluster >= 0 ? cluster : nearest(rowOf(samples, row), centres)));
    if (iteration > 0 && labels.every((label, row) => label === before[row])) break;
    const filled = new Set(labels);
    centres = chosenMeans(clusterMeans(samples, labels, k), centres, (j) => filled.has(j));
  }
  return labels;
}

/** The rows of the first where it has what is wanted, else those of the second. */
function chosenMeans(first: Matrix, second: Matrix, isWanted: (row: number) => boolean): Matrix {
  const values = second.values.slice();
  for (let row = 0; row < first.rows; row++) if (isWanted(row)) values.set(rowOf(first, row), row * first.columns);
  return { ...second, values };
}

function nearest(sample: Float32Array, centres: Matrix): number {
  let [best, least] = [-1, Number.POSITIVE_INFINITY];
  for (let j = 0; j < centres.rows; j++) {
    const centre = rowOf(centres, j);
    let distance = 0;
    for (let d = 0; d < sample.length; d++) distance += (sample[d] - centre[d]) ** 2;
    if (distance < least) [best, least] = [j, distance];
  }
  return best;
}
