/** `boostcluster predict`: the clusters of images that the run has not seen. */

import { InputError } from "../../files/errors.ts";
import { pixelCount } from "../../images/image.ts";
import { streamImages } from "../../images/sources/stream.ts";
import { hardAssignments } from "../../methods/training/assignments.ts";
import { type AssignmentRow, assignmentRow, csvHeading, csvRow, jsonLine } from "../../runs/assignments.ts";
import { hasDecisions, readDecided } from "../../runs/decisions/decided-run.ts";
import type { Decided } from "../../runs/decisions/fold-decisions.ts";
import { type LoadedRun, loadRun } from "../../runs/run-folder.ts";
import { openRunModel, type RunModel } from "../../runs/run-model.ts";
import type { Command, CommandContext } from "../command.ts";
import { folderOptions } from "../data-options.ts";
import { modelOption } from "../model-option.ts";
import { given, type OptionSpecs, type OptionValues, parseOptions } from "../options.ts";

const options = {
  format: { kind: "choice", choices: ["jsonl", "csv"], help: "JSON lines or CSV.", defaults: "jsonl" },
  "data-folder": folderOptions["data-folder"],
  threads: { kind: "number", help: "Threads to compute with.", defaults: "all cores" },
  ...modelOption,
  quiet: { kind: "flag", short: "q", help: "Do not report which files were left out." },
} as const satisfies OptionSpecs;

/** Images of one batch: results come as soon as so many are read. */
const atOnce = 64;

export const predictCommand: Command = {
  name: "predict",
  usage: "<run> <images…>",
  summary: "Tell which clusters new images belong to: files, folders, arrays or named sets, one line per image.",
  examples: ["predict runs/flowers rose.jpg tulip.png", "predict runs/flowers new-photos --format csv > clusters.csv"],
  options,
  interruptible: true,
  run,
};

async function run(args: readonly string[], context: CommandContext): Promise<void> {
  const { options: values, positionals } = parseOptions(args, options);
  const [folder, ...sources] = positionals;
  if (folder === undefined || sources.length === 0)
    throw new InputError("predict takes the folder of a run, then images or folders of them; --help has examples");
  const loaded = loadRun(folder);
  // Without decisions nothing of the run's own images is read, however many it has.
  const { decided } = values.model || !hasDecisions(folder) ? {} : await readDecided(folder);
  const columns = { decided: decided !== undefined };
  const predictor = await openRunModel(loaded, { batch: atOnce, ...given({ threads: values.threads }) });
  try {
    let rows = 0;
    for await (const predicted of predictRows(loaded, predictor, sources, values, context)) {
      if (rows === 0 && values.format === "csv") context.print(csvHeading(columns));
      rows += predicted.length;
      const decidedRows = decided === undefined ? predicted : predicted.map((row) => withDecisions(row, decided));
      const lines = decidedRows.map((row) => (values.format === "csv" ? csvRow(row, columns) : jsonLine(row)));
      context.print(lines.join("\n"));
    }
    if (rows === 0) throw new InputError(`${sources.join(", ")}: there is no image that can be read`);
  } finally {
    await predictor.close();
  }
}

/** What the model puts into a cluster that was merged goes to where that is now. */
function withDecisions(row: AssignmentRow, { goesTo, clusters }: Decided): AssignmentRow {
  const cluster = goesTo[row.cluster];
  const name = clusters.find((one) => one.cluster === cluster)?.name;
  return { ...row, cluster, name, by: "model", modelCluster: row.cluster };
}

/** Some at a time: only so many are in memory. */
async function* predictRows(
  { record }: LoadedRun,
  predictor: RunModel,
  sources: readonly string[],
  values: OptionValues<typeof options>,
  { signal, say }: CommandContext,
): AsyncGenerator<readonly AssignmentRow[]> {
  const pixels = pixelCount(predictor.input.image);
  const batch = new Float32Array(atOnce * pixels);
  let items: string[] = [];
  const flush = async (): Promise<AssignmentRow[]> => {
    const { scores } = await predictor.predict(batch.subarray(0, items.length * pixels));
    const clusters = hardAssignments(scores, record.k);
    const rows = items.map((item, index) =>
      assignmentRow(item, scores.subarray(index * record.k, (index + 1) * record.k), clusters[index]),
    );
    items = [];
    return rows;
  };
  for await (const streamed of streamImages(sources, predictor.input, given({ dataFolder: values["data-folder"] }))) {
    signal.throwIfAborted();
    if ("reason" in streamed) {
      if (!values.quiet) say(`left out: ${streamed.item}: ${streamed.reason}`);
      continue;
    }
    batch.set(streamed.pixels, items.length * pixels);
    items.push(streamed.item);
    if (items.length === atOnce) yield await flush();
  }
  if (items.length > 0) yield await flush();
}
