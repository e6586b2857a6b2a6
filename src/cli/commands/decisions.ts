/** `boostcluster decisions`: what people have decided about the clusters of a run. */

import { counted } from "../../numeric/format.ts";
import { constraintsOf, describeContradiction } from "../../runs/decisions/constraints.ts";
import { hasDecisions, readDecided, renewAssignments } from "../../runs/decisions/decided-run.ts";
import { DecisionLog } from "../../runs/decisions/decision-log.ts";
import { exportDecisions } from "../../runs/decisions/decisions-file.ts";
import { describeDecisions } from "../../runs/decisions/describe-decision.ts";
import { importDecisions } from "../../runs/decisions/import-decisions.ts";
import { readModelClusters } from "../../runs/decisions/model-clusters.ts";
import { decisionsThatHold, isActionDecision } from "../../runs/decisions/undo-stack.ts";
import { readAssignments } from "../../runs/run-folder.ts";
import type { RunImagesOptions } from "../../runs/run-images.ts";
import { readRecord } from "../../runs/run-record.ts";
import type { Command } from "../command.ts";
import { folderOptions } from "../data-options.ts";
import { given, type OptionSpecs, onlyPositional, parseOptions } from "../options.ts";
import { sayConflicts } from "../run-decisions.ts";

const options = {
  export: { kind: "text", value: "FILE", help: "Write them to a .json, or where each image is now to a .csv." },
  import: {
    kind: "text",
    value: "FILE",
    help: "Apply those of a .json, of another run's .jsonl, or of a .csv with the columns item and cluster, or item, other and answer (same or different).",
  },
  images: { kind: "text", value: "SOURCE", help: "Where the images are, if they have moved." },
  ...folderOptions,
} as const satisfies OptionSpecs;

export const decisionsCommand: Command = {
  name: "decisions",
  usage: "<run>",
  summary: "List what people have decided about the clusters of a run, or take it from one run to another.",
  examples: [
    "decisions runs/flowers",
    "decisions runs/flowers --export flowers.json",
    "decisions runs/more-flowers --import runs/flowers/decisions.jsonl",
    "decisions runs/flowers --import clusters-by-hand.csv",
    "decisions runs/flowers --import same-or-different.csv",
  ],
  options,
  interruptible: true,
  run: async (args, { print, say, signal }) => {
    const { options: values, positionals } = parseOptions(args, options);
    const run = onlyPositional(positionals, "decisions takes the folder of one run");
    const { images, "data-folder": dataFolder, "cache-folder": cacheFolder } = values;
    const places = { ...given({ images, dataFolder, cacheFolder }), signal };
    if (values.import !== undefined) {
      const { applied, known, conflicts } = await importDecisions(run, values.import, places);
      await renewAssignments(run, places);
      print(`${counted(applied, "decision")} applied${known === 0 ? "" : `, ${known} were here already`}`);
      sayConflicts(conflicts, say);
    }
    if (values.export !== undefined) {
      exportDecisions(values.export, await readDecided(run, places));
      print(`written to ${values.export}`);
    }
    if (values.import === undefined && values.export === undefined) await list(run, print, places);
  },
};

/** One line a decision, in the words of when it was made; `assignments.csv` is brought up to date by the way. */
async function list(run: string, print: (line: string) => void, places: RunImagesOptions): Promise<void> {
  const { k } = readRecord(run);
  if (!hasDecisions(run)) return print(`${run}: nothing has been decided`);
  const { decisions } = await DecisionLog.open(run, places);
  const held = new Set(decisionsThatHold(decisions).map(({ number }) => number));
  const words = describeDecisions(decisions, k);
  decisions.forEach((decision, index) => {
    const { number, at, conflict } = decision;
    const note =
      conflict !== undefined
        ? ` (not applied: ${conflict})`
        : isActionDecision(decision) && !held.has(number)
          ? " (undone)"
          : "";
    print(`${String(number).padStart(4)}  ${at.slice(0, 16).replace("T", " ")}  ${words[index]}${note}`);
  });
  const { contradictions } = constraintsOf(decisions, await readModelClusters(run, places));
  if (contradictions.length > 0) {
    const items = readAssignments(run).map(({ item }) => item);
    print(`${counted(contradictions.length, "contradiction")}:`);
    for (const one of contradictions) print(`  ${describeContradiction(one, (image) => items[image])}`);
  }
  await renewAssignments(run, places);
}
