/** `boostcluster report`: a run as one page to read. */
import { openRunImages } from "../../export/run-contents.ts";
import { readRecord } from "../../model/run-folder.ts";
import type { Command, CommandContext } from "../command.ts";
import { dataOptions } from "../data-options.ts";
import { given, type OptionSpecs, parseOptions } from "../options.ts";
import { onlyPositional } from "../positionals.ts";
import { ProgressDisplay } from "../progress.ts";
import { writeRunReport } from "../run-report.ts";

const options = {
  out: { kind: "text", value: "FILE", help: "(default: <run>/report.html)" },
  images: { kind: "text", value: "SOURCE", help: "where the images are, if they have moved" },
  labels: {
    kind: "text",
    value: "folders|none|FILE",
    help: "true classes, to measure against (default: those that the run was made with)",
  },
  points: { kind: "number", help: "images on the map, up to 10000 (default: 5000)" },
  threads: { kind: "number", help: "(default: as many as the run was made with)" },
  "data-folder": dataOptions["data-folder"],
  "cache-folder": dataOptions["cache-folder"],
  quiet: { kind: "flag", short: "q", help: "no progress" },
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

async function run(args: readonly string[], { print, signal }: CommandContext): Promise<void> {
  const { options: values, positionals } = parseOptions(args, options);
  const folder = onlyPositional(positionals, "report takes the folder of one run");
  const display = new ProgressDisplay({ quiet: values.quiet });
  const { images, out, labels, points, threads } = values;
  const places = given({ images, dataFolder: values["data-folder"], cacheFolder: values["cache-folder"] });
  const dataset = await openRunImages(readRecord(folder), { ...places, signal });
  try {
    const written = await writeRunReport(folder, dataset, {
      ...given({ out, labels, points, threads }),
      signal,
      onProgress: (step, done, total) => display.step(step, done, total),
    });
    display.end();
    print(`${written}: open it in a browser`);
  } finally {
    dataset.close();
  }
}
