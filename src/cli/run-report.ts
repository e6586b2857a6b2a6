/** The report of a run, for `report`, and for `cluster` when it is done. */
import { dirname, join } from "node:path";
import { makeFolder, writeFileAtomically } from "../files/atomic.ts";
import type { Dataset } from "../images/dataset.ts";
import { distinctImages } from "../images/duplicates/stacks.ts";
import type { ReportOptions } from "../report/make-report.ts";
import { hasDecisions, readDecided } from "../runs/decisions/decided-run.ts";
import { readStacks } from "../runs/duplicates-file.ts";
import { loadRun, readAssignments } from "../runs/run-folder.ts";
import { given } from "./options.ts";
import { reproducingCommand } from "./reproduction.ts";
import { trueClasses } from "./true-classes.ts";

export interface RunReportOptions extends Omit<ReportOptions, "command"> {
  /** Default: report.html in the folder of the run. */
  readonly out?: string;
  /** "folders", "none" or a file. Default: the labels that the run was made with. */
  readonly labels?: string;
  /** Where the images are now. Default: where they were when the run was made. */
  readonly images?: string;
  /** The model's own clusters, as if nobody had decided anything. Default: false. */
  readonly model?: boolean;
}

/** Writes it, and returns where. */
export async function writeRunReport(
  folder: string,
  dataset: Dataset,
  { out = join(folder, "report.html"), labels, images, model = false, ...options }: RunReportOptions,
): Promise<string> {
  // Now, and not after a minute of work, it turns out that nothing can be written there.
  makeFolder(dirname(out));
  const run = loadRun(folder);
  const rows = readAssignments(folder);
  const { decided } =
    model || !hasDecisions(folder) ? {} : await readDecided(folder, { ...given({ images }), signal: options.signal });
  const classes = trueClasses({ images: dataset.name, rows, skipped: run.record.dataset.skipped }, labels);
  const stacks = readStacks(
    folder,
    rows.map(({ item }) => item),
  );
  const command = reproducingCommand(run.record, rows, distinctImages(dataset, stacks));
  const { makeReport } = await import("../report/make-report.ts");
  const page = await makeReport(
    { ...run, assignments: rows, stacks, ...given({ decided }) },
    { ...dataset, labels: classes },
    { ...options, ...given({ command }) },
  );
  writeFileAtomically(out, page);
  return out;
}
