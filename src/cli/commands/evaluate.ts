/** `boostcluster evaluate`: a finished run against true classes. */
import { labelsFromFile, labelsFromFolders, labelsOf } from "../../data/labels.ts";
import { InputError } from "../../errors.ts";
import { evaluateClustering } from "../../metrics/external.ts";
import { readAssignments } from "../../model/run-folder.ts";
import type { AssignmentRow } from "../../model/table.ts";
import type { Command } from "../command.ts";
import { type OptionSpecs, parseOptions } from "../options.ts";
import { onlyPositional } from "../positionals.ts";

const options = {
  labels: { kind: "text", value: "folders|FILE", help: "the true classes (default: those that the run was made with)" },
  json: { kind: "flag", help: "print one JSON object" },
  help: { kind: "flag", short: "h", help: "this text" },
} as const satisfies OptionSpecs;

export const evaluateCommand: Command = {
  name: "evaluate",
  usage: "<run> --labels folders|FILE",
  summary: "Measure a run against true classes: ACC, NMI, ARI and more.",
  examples: ["evaluate runs/flowers --labels folders", "evaluate runs/digits --labels labels.csv --json"],
  options,
  run: async (args, { print }) => {
    const { options: values, positionals } = parseOptions(args, options);
    const run = onlyPositional(positionals, "evaluate takes the folder of one run");
    const rows = readAssignments(run);
    const clusters = rows.map(({ cluster }) => cluster);
    const numbers = evaluateClustering(trueClasses(run, rows, values.labels), clusters);
    if (values.json) return print(JSON.stringify(numbers));
    for (const [name, value] of Object.entries(numbers)) print(`${name.padEnd(16)}${value.toFixed(4)}`);
  },
};

function trueClasses(run: string, rows: readonly AssignmentRow[], labels: string | undefined): Int32Array {
  const items = rows.map(({ item }) => item);
  if (labels === "folders") return labelsFromFolders(items, run).values;
  if (labels !== undefined) return labelsFromFile(labels, { all: items, used: items }).values;
  return labelsOf(
    rows.map(({ label }) => {
      if (label === undefined) throw new InputError(`${run}: it was made without labels; give some with --labels`);
      return label;
    }),
  ).values;
}
