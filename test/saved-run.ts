/** A finished run, for tests of what is made of one. */
import type { Dataset } from "../src/dataset.ts";
import { type RunContents, readRunContents } from "../src/export/run-contents.ts";
import { fitKms } from "../src/methods/kms.ts";
import { saveRun } from "../src/model/run-folder.ts";

/** The quickest method's, into a folder. */
export async function savedRun(folder: string, dataset: Dataset): Promise<RunContents> {
  saveRun(folder, await fitKms(dataset, { k: 4, restarts: 1 }), dataset);
  return readRunContents(folder, dataset);
}
