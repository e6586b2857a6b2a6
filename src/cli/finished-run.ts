/** What is done with clusters once they are found, whatever found them: the run is saved, and nothing may lose it again. */
import type { NoneSetting } from "../clustering/belonging.ts";
import { InterruptedError, reasonOf } from "../files/errors.ts";
import { quoted } from "../files/shell-word.ts";
import type { Dataset } from "../images/dataset.ts";
import { evaluateClustering } from "../metrics/external.ts";
import type { Fitted } from "../runs/fitted.ts";
import { type RunRecord, writeRecord } from "../runs/run-record.ts";
import { type Structure, structureOf } from "../runs/structure.ts";
import type { CommandContext } from "./command.ts";
import type { ProgressDisplay } from "./progress-display.ts";
import { qualityOf } from "./quality.ts";
import { writeRunReport } from "./run-report.ts";

/** What there is to say beyond the clusters. Without it they are saved all the same; `interrupted`: what is said then. */
export async function structureUnlessItFails(
  fitted: Fitted,
  dataset: Dataset,
  { none, interrupted }: { readonly none: NoneSetting; readonly interrupted: string },
  { signal, say }: CommandContext,
): Promise<Structure | undefined> {
  try {
    return await structureOf(fitted, dataset, { none, ...threadsOf(fitted), signal });
  } catch (error) {
    if (signal.aborted) throw new InterruptedError(interrupted);
    say(`coarser and finer groups could not be found (${reasonOf(error)}); the clusters are saved without`);
    return undefined;
  }
}

/** The run's own number: another could change the last bits. */
const threadsOf = ({ settings: { threads } }: Fitted) => (typeof threads === "number" ? { threads } : {});

/** The run is saved by now: it stays, whatever its clusters look like. */
export function withQuality(out: string, saved: RunRecord, fitted: Fitted): RunRecord {
  const quality = qualityOf(fitted);
  if (quality === undefined) return saved;
  const record = { ...saved, quality };
  writeRecord(out, record);
  return record;
}

/** Returns where the report is. The run is saved by now: whatever happens, it stays. */
export const reportOn = (
  out: string,
  dataset: Dataset,
  context: CommandContext,
  display: ProgressDisplay,
): Promise<string | undefined> =>
  unlessReportFails(out, context, display, () =>
    writeRunReport(out, dataset, {
      signal: context.signal,
      onProgress: (step, done, total) => display.step(`report: ${step}`, done, total),
    }),
  );

/** `make`: whatever a report needs. Where it fails, how to make the report is said. */
export async function unlessReportFails<T>(
  out: string,
  { signal, say }: CommandContext,
  display: ProgressDisplay,
  make: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await make();
  } catch (error) {
    display.end();
    const again = `make it with: boostcluster report ${quoted(out)}`;
    if (signal.aborted)
      throw new InterruptedError(`interrupted; the run is saved in ${out}, without its report: ${again}`);
    say(`the report could not be made (${reasonOf(error)}); the run is saved, ${again}`);
    return undefined;
  }
}

/** Against true classes, where there are any; `images` says whose assignments they are, where not of all. */
export function evaluate(
  { labels }: Dataset,
  assignments: Int32Array,
  images?: Uint32Array,
): Readonly<Record<string, number>> | undefined {
  if (labels === undefined) return undefined;
  const classes = images === undefined ? labels.values : Int32Array.from(images, (image) => labels.values[image]);
  return { ...evaluateClustering(classes, assignments) };
}
