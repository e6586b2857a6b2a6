/** A finished run, for tests of its exports. */

import { type RunContents, readRunContents } from "../src/export/run-contents.ts";
import type { Dataset } from "../src/images/dataset.ts";
import { fitKms } from "../src/methods/baselines/kms.ts";
import { saveRun } from "../src/runs/run-folder.ts";

/** Saves a run of the fastest method in a folder. */
export async function savedRun(folder: string, dataset: Dataset): Promise<RunContents> {
  saveRun(folder, await fitKms(dataset, { k: 4, restarts: 1 }), dataset);
  return readRunContents(folder, dataset);
}
