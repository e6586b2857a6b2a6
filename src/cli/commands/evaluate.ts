/** `boostcluster evaluate`: a finished run against true classes. */
import { labelsFromFile, labelsFromFolders, labelsOf } from "../../data/labels.ts";
import { sortNaturally } from "../../data/natural-order.ts";
import { InputError } from "../../errors.ts";
import { evaluateClustering } from "../../metrics/external.ts";
import { readAssignments, readRecord } from "../../model/run-folder.ts";
import type { AssignmentRow } from "../../model/table.ts";
import type { Command } from "../command.ts";
import { type OptionSpecs, parseOptions } from "../options.ts";
import { onlyPositional } from "../positionals.ts";

const options = {
  labels: { kind: "text", value: "folders|FILE", help: "the true classes (default: those that the run was made with)" },
  json: { kind: "flag", help: "print one JSON object" },
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
    for (const [name, value] of Object.entries(numbers)) print(`${name.padEnd(16)}${value.toFixed(4)}`);
  },
};

/** Against the labels that there are; without any, what can be said without. */
function measure(run: string, labels: string | undefined): Readonly<Record<string, number>> {
  const { quality, dataset } = readRecord(run);
  const rows = readAssignments(run);
  const truth = trueClasses(run, rows, dataset.skipped, labels);
  if (truth !== undefined) {
    const clusters = rows.map(({ cluster }) => cluster);
    return { ...evaluateClustering(truth, clusters) };
  }
  if (quality === undefined) throw new InputError(`${run}: it was made without labels; give some with --labels`);
  return quality;
}

function trueClasses(
  run: string,
  rows: readonly AssignmentRow[],
  skipped: readonly string[],
  labels: string | undefined,
): Int32Array | undefined {
  const used = rows.map(({ item }) => item);
  if (labels === "folders") return labelsFromFolders(used, run).values;
  if (labels !== undefined) {
    const all = skipped.length === 0 ? used : sortNaturally([...used, ...skipped], (name) => name);
    return labelsFromFile(labels, { all, used }).values;
  }
  const known = rows.flatMap(({ label }) => label ?? []);
  return known.length === rows.length ? labelsOf(known).values : undefined;
}
