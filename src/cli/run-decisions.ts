/** Decisions about a run that was just made: those of the run that was there before, and those that are given. */

import { reasonOf } from "../files/errors.ts";
import { LockedError } from "../files/lock-file.ts";
import { quoted } from "../files/shell-word.ts";
import { counted } from "../numeric/format.ts";
import { hasDecisions, renewAssignments } from "../runs/decisions/decided-run.ts";
import type { Decision } from "../runs/decisions/decision.ts";
import { DecisionLog } from "../runs/decisions/decision-log.ts";
import type { DecisionsFile } from "../runs/decisions/decisions-file.ts";
import { describeDecision } from "../runs/decisions/describe-decision.ts";
import { imageKeys } from "../runs/decisions/image-keys.ts";
import { importDecisions } from "../runs/decisions/import-decisions.ts";
import type { RunImagesOptions } from "../runs/run-images.ts";

/** Says what could not be applied. The run is saved by now: whatever happens, it stays. */
export async function keepDecisions(
  run: string,
  given: DecisionsFile | undefined,
  say: (line: string) => void,
  options: RunImagesOptions = {},
): Promise<void> {
  try {
    await imageKeys(run, options);
    if (hasDecisions(run)) sayConflicts(await carried(run, options), say);
    if (given !== undefined) sayConflicts((await importDecisions(run, given, options)).conflicts, say);
    if (hasDecisions(run)) await renewAssignments(run, options);
  } catch (error) {
    // Keys are computed by whoever needs them next.
    if (given !== undefined || hasDecisions(run))
      say(notApplied(run, error, given === undefined ? "" : " --import FILE"));
  }
}

/** The same where new images have joined a run, whose `assignments.csv` is as it was decided. */
export async function keepDecisionsOfAll(
  run: string,
  say: (line: string) => void,
  options: RunImagesOptions = {},
): Promise<void> {
  if (!hasDecisions(run)) return;
  try {
    sayConflicts(await carried(run, options), say);
  } catch (error) {
    say(notApplied(run, error));
  }
}

const notApplied = (run: string, error: unknown, flags = ""): string =>
  `decisions could not be applied (${reasonOf(error)}); the run is saved, apply them with: boostcluster decisions ${quoted(run)}${flags}`;

/** Whoever decides at the moment has the log; it is carried over when it is opened next. */
async function carried(run: string, options: RunImagesOptions): Promise<readonly Decision[]> {
  try {
    const log = await DecisionLog.open(run, { ...options, write: true });
    log.close();
    return inConflict(log.decisions);
  } catch (error) {
    if (error instanceof LockedError) return [];
    throw error;
  }
}

const inConflict = (decisions: readonly Decision[]): readonly Decision[] =>
  decisions.filter(({ conflict }) => conflict !== undefined);

export function sayConflicts(conflicts: readonly Decision[], say: (line: string) => void): void {
  if (conflicts.length === 0) return;
  say(`${counted(conflicts.length, "decision")} could not be applied:`);
  for (const decision of conflicts) say(`  ${describeDecision(decision)}: ${decision.conflict}`);
}
