/** The input of metrics that need no true labels: samples and their clusters. */
import { InputError } from "../files/errors.ts";
import type { Matrix } from "../numeric/matrix.ts";
import { type CompactLabels, compactLabels } from "./labels.ts";

/** Expects one label per row and 2 to rows − 1 clusters: otherwise the metric is undefined, as in scikit-learn. */
export function expectPartition(samples: Matrix, labels: ArrayLike<number>, metric: string): CompactLabels {
  if (labels.length !== samples.rows)
    throw new InputError(`${metric}: ${labels.length} labels for ${samples.rows} samples; give one for each`);
  const partition = compactLabels(labels, metric);
  const clusters = partition.names.length;
  if (clusters < 2 || clusters >= samples.rows)
    throw new InputError(
      `${metric}: ${samples.rows} samples in ${clusters} clusters; it needs 2 clusters and more samples than clusters`,
    );
  return partition;
}
