/** `boostcluster report`: a run as one page to read. */

import { openRunImages } from "../../export/run-contents.ts";
import { readRecord } from "../../runs/run-record.ts";
import type { Command, CommandContext } from "../command.ts";
import { folderOptions } from "../data-options.ts";
import { modelOption } from "../model-option.ts";
import { given, type OptionSpecs, type OptionValues, onlyPositional, parseOptions } from "../options.ts";
import { displaying, displayOptions } from "../progress.ts";
import type { ProgressDisplay } from "../progress-display.ts";
import { writeRunReport } from "../run-report.ts";

const options = {
  out: { kind: "text", value: "FILE", help: "File to write.", defaults: "<run>/report.html" },
  images: { kind: "text", value: "SOURCE", help: "Where the images are, if they have moved." },
  labels: {
    kind: "text",
    value: "folders|none|FILE",
    help: "True classes to measure against: the images' folders, or a file.",
    defaults: "those that the run was made with",
  },
  points: { kind: "number", help: "Images on the map, up to 10000.", defaults: "5000" },
  threads: { kind: "number", help: "Threads to compute with.", defaults: "as many as the run was made with" },
  ...modelOption,
  ...folderOptions,
  ...displayOptions,
} as const satisfies OptionSpecs;

export const reportCommand: Command = {
  name: "report",
  usage: "<run>",
  summary: "Write a run as one page to read in a browser: its clusters, a map to explore, how training went.",
  examples: ["report runs/flowers", "report runs/flowers --images moved/flowers --points 10000"],
  options,
  interruptible: true,
  run,
};

async function run(args: readonly string[], context: CommandContext): Promise<void> {
  const { options: values, positionals } = parseOptions(args, options);
  const folder = onlyPositional(positionals, "report takes the folder of one run");
  await displaying(values, (display) => write(folder, values, context, display));
}

async function write(
  folder: string,
  values: OptionValues<typeof options>,
  { print, signal }: CommandContext,
  display: ProgressDisplay,
): Promise<void> {
  const { images, out, labels, points, threads } = values;
  const places = given({ images, dataFolder: values["data-folder"], cacheFolder: values["cache-folder"] });
  const dataset = await openRunImages(readRecord(folder), { ...places, signal });
  try {
    const written = await writeRunReport(folder, dataset, {
      ...given({ out, labels, points, threads, images }),
      model: values.model,
      signal,
      onProgress: (step, done, total) => display.step(step, done, total),
    });
    display.end();
    print(`${written}: open it in a browser`);
  } finally {
    dataset.close();
  }
}
