/** A run, its images as its network takes them, and what people have decided: what `ask` and `refine` begin with. */
import type { Dataset } from "../images/dataset.ts";
import type { AssignmentRow } from "../runs/assignments.ts";
import { constraintsOf, type DecidedConstraints } from "../runs/decisions/constraints.ts";
import { hasDecisions } from "../runs/decisions/decided-run.ts";
import type { Decision } from "../runs/decisions/decision.ts";
import { DecisionLog } from "../runs/decisions/decision-log.ts";
import { readModelClusters } from "../runs/decisions/model-clusters.ts";
import { type LoadedRun, loadRun, readAssignments } from "../runs/run-folder.ts";
import { openRunImages, type RunImagesOptions } from "../runs/run-images.ts";
import type { CommandContext } from "./command.ts";
import type { ProgressDisplay } from "./progress-display.ts";
import { trueClasses } from "./true-classes.ts";
import { type Seen, seenBy } from "./vectors.ts";

export interface TaughtRun {
  readonly run: LoadedRun;
  readonly rows: readonly AssignmentRow[];
  readonly decisions: readonly Decision[];
  readonly constraints: DecidedConstraints;
}

/** Without the images, which may be far away. */
export async function readTaught(folder: string, places: RunImagesOptions): Promise<TaughtRun> {
  const run = loadRun(folder);
  const rows = readAssignments(folder);
  const { decisions } = hasDecisions(folder) ? await DecisionLog.open(folder, places) : { decisions: [] };
  // Where nobody has decided anything, it does not matter by what images are known.
  const model =
    decisions.length === 0
      ? { k: run.record.k, keys: rows.map(({ item }) => item), assignments: rows.map(({ cluster }) => cluster) }
      : await readModelClusters(folder, places);
  return { run, rows, decisions, constraints: constraintsOf(decisions, model) };
}

export interface SeenRun {
  readonly seen: Seen;
  /** The images themselves. */
  readonly pictures: Dataset;
}

/** Calls `use` with the images as the run's network takes them: pixels, or vectors of its backbone. */
export async function withSeenImages<Result>(
  { run, rows }: TaughtRun,
  places: RunImagesOptions & { readonly threads?: number },
  context: CommandContext,
  display: ProgressDisplay,
  use: (seen: SeenRun) => Promise<Result>,
): Promise<Result> {
  const opened = await openRunImages(run.record, places);
  const labels = trueClasses({ images: opened.name, rows, skipped: run.record.dataset.skipped });
  const pictures = { ...opened, labels };
  let last: Dataset = pictures;
  try {
    const seen = await seenBy(pictures, seenOptions(run, places), { automatic: false }, context, display);
    last = seen.dataset;
    return await use({ seen, pictures: opened });
  } finally {
    // Vectors close their pictures as well.
    last.close();
  }
}

/** What the run saw in place of pixels, if anything. */
function seenOptions(
  { record: { settings } }: LoadedRun,
  { dataFolder, cacheFolder, threads }: RunImagesOptions & { readonly threads?: number },
) {
  const text = (name: string): string | undefined => {
    const value = settings[name];
    return typeof value === "string" ? value : undefined;
  };
  return {
    features: text("features"),
    backbone: text("backbone"),
    "backbone-output": text("backboneOutput"),
    size: undefined,
    channels: undefined,
    fit: undefined,
    "data-folder": dataFolder,
    "cache-folder": cacheFolder,
    threads,
  };
}
