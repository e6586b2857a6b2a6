/** Finished runs, for tests of exports and reports. */

import { type RunContents, readRunContents } from "../src/export/run-contents.ts";
import type { Dataset } from "../src/images/dataset.ts";
import { fitKms } from "../src/methods/baselines/kms.ts";
import type { ReportedRun } from "../src/report/subject.ts";
import { loadRun, readAssignments, saveRun } from "../src/runs/run-folder.ts";
import { structureOf } from "../src/runs/structure.ts";

/** Saves a run of the fastest method in a folder. */
export async function savedRun(folder: string, dataset: Dataset): Promise<RunContents> {
  saveRun(folder, await fitKms(dataset, { k: 4, restarts: 1 }), dataset);
  return readRunContents(folder, dataset);
}

/** Saves one that knows which images belong nowhere, and coarser and finer groups. */
export async function structuredRun(folder: string, dataset: Dataset): Promise<ReportedRun> {
  const fitted = await fitKms(dataset, { k: 4, restarts: 1, threads: 1 });
  saveRun(folder, fitted, dataset, { structure: await structureOf(fitted, dataset, { threads: 1 }) });
  return { ...loadRun(folder), assignments: readAssignments(folder) };
}
