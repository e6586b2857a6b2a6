/** Images whose true classes are known: what can be measured against. */

import { InputError } from "../files/errors.ts";
import type { Dataset, Labels } from "../images/dataset.ts";

export type LabelledDataset = Dataset & { readonly labels: Labels };

/** The dataset, or a word on what it lacks; it is closed then. */
export function expectLabelled(dataset: Dataset, name: string): LabelledDataset {
  if (isLabelled(dataset)) return dataset;
  dataset.close();
  throw new InputError(
    `${name}: this needs the true classes, to measure against; set labels to "folders" or to the path of a file`,
    { option: "labels" },
  );
}

const isLabelled = (dataset: Dataset): dataset is LabelledDataset => dataset.labels !== undefined;
