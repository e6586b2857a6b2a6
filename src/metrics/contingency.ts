/** The contingency table of classes and clusters, from which all external metrics follow. */
import { InputError } from "../files/errors.ts";
import { compactLabels } from "./labels.ts";

export interface ContingencyTable {
  /** The label of each row, ascending. */
  readonly classes: readonly number[];
  /** The label of each column, ascending. */
  readonly clusters: readonly number[];
  /** [classes, clusters]: how many items of the class are in the cluster. */
  readonly counts: Uint32Array;
  readonly classSizes: Uint32Array;
  readonly clusterSizes: Uint32Array;
  /** The number of items. */
  readonly total: number;
}

/** The most entries of a table. Larger ones come from numbers that are not labels, such as indices of items. */
const largestTable = 2 ** 26;

export function contingencyTable(truth: ArrayLike<number>, predicted: ArrayLike<number>): ContingencyTable {
  if (truth.length !== predicted.length)
    throw new InputError(`${truth.length} true labels and ${predicted.length} predicted ones: give both for each item`);
  const rows = compactLabels(truth, "true labels");
  const columns = compactLabels(predicted, "predicted labels");
  const width = columns.names.length;
  if (rows.names.length * width > largestTable)
    throw new InputError(`${rows.names.length} classes and ${width} clusters are too many to compare: give labels`);
  const counts = new Uint32Array(rows.names.length * width);
  rows.indices.forEach((row, item) => {
    counts[row * width + columns.indices[item]]++;
  });
  return {
    classes: rows.names,
    clusters: columns.names,
    counts,
    classSizes: rows.sizes,
    clusterSizes: columns.sizes,
    total: truth.length,
  };
}
