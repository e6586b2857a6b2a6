/** The report of a run, as one page. */
import { availableParallelism } from "node:os";
import { InputError } from "../files/errors.ts";
import type { Dataset } from "../images/dataset.ts";
import { contentsOf } from "./contents.ts";
import { renderPage } from "./page.ts";
import { type ReportedRun, subjectOf } from "./subject.ts";
import { mostPoints, tsneEmbed } from "./t-sne-map.ts";

export interface ReportOptions {
  /** The most points of the map, up to 10,000, spread evenly over the images. Default: 5000. */
  readonly points?: number;
  /** The seed of the map. Default: 0. */
  readonly seed?: number;
  /** Default: those of the run. */
  readonly threads?: number;
  /** The command that reproduces the run. Default: the report shows none. */
  readonly command?: string;
  readonly signal?: AbortSignal;
  /** Called while maps are computed, which takes most of the time. */
  readonly onProgress?: (step: string, done: number, total: number) => void;
}

/**
 * The report of a run. `dataset` holds the images that the run was made from; if it has labels, the report measures the
 * clusters against them. The HTML file needs no other file; the same run gives the same bytes.
 */
export async function makeReport(run: ReportedRun, dataset: Dataset, options: ReportOptions = {}): Promise<string> {
  const { points = 5000, command, signal } = options;
  if (!Number.isInteger(points) || points < 1 || points > mostPoints)
    throw new InputError(`points must be a whole number from 1 to ${mostPoints}, not ${points}`);
  signal?.throwIfAborted();
  const threads = options.threads ?? threadsOf(run);
  const context = { points, command, embed: tsneEmbed({ ...options, threads }) };
  const contents = await contentsOf(subjectOf(run, dataset), context, { threads });
  signal?.throwIfAborted();
  return renderPage(contents);
}

/** The run's own number: another could change the last bits. */
function threadsOf({ record }: ReportedRun): number {
  const { threads } = record.settings;
  return typeof threads === "number" ? threads : availableParallelism();
}
