/** `boostcluster add`: new images join a run, without training. */

import { InputError, InterruptedError } from "../../files/errors.ts";
import { counted } from "../../numeric/format.ts";
import { type AddedToRun, addImages } from "../../runs/add-images.ts";
import { jsonLine } from "../../runs/assignments.ts";
import { openRunImages } from "../../runs/run-images.ts";
import { readRecord } from "../../runs/run-record.ts";
import type { Command, CommandContext } from "../command.ts";
import { folderOptions } from "../data-options.ts";
import { reportOn, unlessReportFails } from "../finished-run.ts";
import { given, type OptionSpecs, type OptionValues, parseOptions } from "../options.ts";
import { displaying, displayOptions } from "../progress.ts";
import type { ProgressDisplay } from "../progress-display.ts";
import { keepDecisionsOfAll } from "../run-decisions.ts";

const options = {
  images: { kind: "text", value: "SOURCE", help: "Where the run's own images are, if they have moved." },
  "no-report": { kind: "flag", help: "Leave the report as it is." },
  json: { kind: "flag", help: "Print one JSON object." },
  threads: { kind: "number", help: "Threads to compute with.", defaults: "all cores" },
  ...folderOptions,
  ...displayOptions,
} as const satisfies OptionSpecs;

export const addCommand: Command = {
  name: "add",
  usage: "<run> <images…>",
  summary: "Let new images join a run, without training: files and folders, or arrays; those that it has are left out.",
  examples: ["add runs/flowers new-flowers", "add runs/flowers rose.jpg tulip.png", "add runs/digits more.npy --json"],
  options,
  interruptible: true,
  run: async (args, context) => {
    const { options: values, positionals } = parseOptions(args, options);
    const [folder, ...sources] = positionals;
    if (folder === undefined || sources.length === 0)
      throw new InputError("add takes the folder of a run, then images or folders of them; --help has examples");
    await displaying(values, (display) => add(folder, sources, values, context, display));
  },
};

type Values = OptionValues<typeof options>;

async function add(
  folder: string,
  sources: readonly string[],
  values: Values,
  context: CommandContext,
  display: ProgressDisplay,
): Promise<void> {
  const { signal } = context;
  const { images, threads, "data-folder": dataFolder, "cache-folder": cacheFolder } = values;
  const places = { ...given({ images, dataFolder, cacheFolder }), signal };
  const added = await addImages(folder, sources, {
    ...places,
    ...given({ threads }),
    onProgress: (done, total) => display.step("looking at new images", done, total),
  }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    throw new InterruptedError("interrupted; the run is as it was");
  });
  display.end();
  if (!values.quiet) for (const line of leftOut(added)) context.say(line);
  if (added.rows.length + added.known.length === 0)
    throw new InputError(`${sources.join(", ")}: there is no image that can be read`);
  const report = added.rows.length === 0 ? undefined : await renewed(folder, values, places, context, display);
  context.print(values.json ? JSON.stringify(summary(folder, added, report)) : describe(folder, added, report));
}

/** The run is whole by now: whatever happens, it stays. */
async function renewed(
  folder: string,
  values: Values,
  places: { readonly signal: AbortSignal },
  context: CommandContext,
  display: ProgressDisplay,
): Promise<string | undefined> {
  await keepDecisionsOfAll(folder, context.say, places);
  if (values["no-report"]) return undefined;
  const dataset = await unlessReportFails(folder, context, display, () => openRunImages(readRecord(folder), places));
  if (dataset === undefined) return undefined;
  try {
    return await reportOn(folder, dataset, context, display);
  } finally {
    display.end();
    dataset.close();
  }
}

function* leftOut({ known, skipped }: AddedToRun): Generator<string> {
  for (const { file, reason } of skipped) yield `left out: ${file}: ${reason}`;
  for (const image of known) yield `left out: ${image}: the run has it already`;
}

const summary = (run: string, { record, rows, known, skipped }: AddedToRun, report: string | undefined) => ({
  run,
  count: record.dataset.count,
  sizes: record.sizes,
  // With numbers as short as they are in the run.
  added: rows.map((row): unknown => JSON.parse(jsonLine(row))),
  known,
  skipped,
  ...given({ report }),
});

function describe(run: string, { record, rows, known }: AddedToRun, report: string | undefined): string {
  const there = known.length === 0 ? "" : `; ${known.length} ${known.length === 1 ? "was" : "were"} there already`;
  const lines = [`${counted(rows.length, "image")} joined ${run}, which has ${record.dataset.count} now${there}`];
  if (report !== undefined) lines.push(`report: ${report} (open it in a browser)`);
  return lines.join("\n");
}
