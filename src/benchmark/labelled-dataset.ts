/** Images whose true classes are known, so that clusters can be measured against them. */

import { InputError } from "../files/errors.ts";
import type { Dataset, Labels } from "../images/dataset.ts";

export type LabelledDataset = Dataset & { readonly labels: Labels };

/** The dataset, if it has labels; otherwise closes it and throws. */
export function expectLabelled(dataset: Dataset, name: string): LabelledDataset {
  if (isLabelled(dataset)) return dataset;
  dataset.close();
  throw new InputError(
    `${name}: this needs the true classes, to measure against; set labels to "folders" or to the path of a file`,
    { option: "labels" },
  );
}

const isLabelled = (dataset: Dataset): dataset is LabelledDataset => dataset.labels !== undefined;
