/** `boostcluster evaluate`: a finished run against true classes. */

import { InputError } from "../../files/errors.ts";
import { evaluateClustering } from "../../metrics/external.ts";
import { readAssignments } from "../../runs/run-folder.ts";
import { readRecord } from "../../runs/run-record.ts";
import type { Command } from "../command.ts";
import { type OptionSpecs, onlyPositional, parseOptions } from "../options.ts";
import { trueClasses } from "../true-classes.ts";

const options = {
  labels: {
    kind: "text",
    value: "folders|FILE",
    help: "True classes to measure against: the images' folders, or a file.",
    defaults: "those that the run was made with",
  },
  json: { kind: "flag", help: "Print one JSON object." },
} as const satisfies OptionSpecs;

export const evaluateCommand: Command = {
  name: "evaluate",
  usage: "<run> --labels folders|FILE",
  summary: "Measure a run: ACC, NMI, ARI and more against true classes; without any, how clear the clusters are.",
  examples: ["evaluate runs/flowers --labels folders", "evaluate runs/digits --labels labels.csv --json"],
  options,
  interruptible: false,
  run: async (args, { print }) => {
    const { options: values, positionals } = parseOptions(args, options);
    const run = onlyPositional(positionals, "evaluate takes the folder of one run");
    const numbers = measure(run, values.labels);
    if (values.json) return print(JSON.stringify(numbers));
    for (const [name, value] of Object.entries(numbers)) print(`${name.padEnd(18)}${value.toFixed(4)}`);
  },
};

/** Against the labels that there are; without any, what can be said without. */
function measure(run: string, labels: string | undefined): Readonly<Record<string, number>> {
  const { quality, dataset } = readRecord(run);
  const rows = readAssignments(run);
  const truth = trueClasses({ images: dataset.name, rows, skipped: dataset.skipped }, labels);
  if (truth !== undefined) {
    const clusters = rows.map(({ cluster }) => cluster);
    return { ...evaluateClustering(truth.values, clusters) };
  }
  if (quality === undefined) throw new InputError(`${run}: it was made without labels; give some with --labels`);
  return quality;
}
