/** `boostcluster ask`: which images to show a person, so that each answer teaches most. */
import { InputError } from "../../files/errors.ts";
import { ask, type Question } from "../../methods/dbc/ask.ts";
import { featureSize } from "../../network/shapes.ts";
import { counted } from "../../numeric/format.ts";
import { matrix } from "../../numeric/matrix.ts";
import { constraintsOf } from "../../runs/decisions/constraints.ts";
import { clusterNames, readDecided } from "../../runs/decisions/decided-run.ts";
import { type Decided, foldDecisions } from "../../runs/decisions/fold-decisions.ts";
import { readModelClusters } from "../../runs/decisions/model-clusters.ts";
import { readAssignments, readFeatures } from "../../runs/run-folder.ts";
import type { RunImagesOptions } from "../../runs/run-images.ts";
import { readRecord } from "../../runs/run-record.ts";
import type { Command, CommandContext } from "../command.ts";
import { folderOptions } from "../data-options.ts";
import { given, type OptionSpecs, onlyPositional, parseOptions } from "../options.ts";

const options = {
  count: { kind: "number", help: "How many questions to ask.", defaults: "20" },
  threads: { kind: "number", help: "Threads to compute with.", defaults: "all cores" },
  images: { kind: "text", value: "SOURCE", help: "Where the images are, if they have moved." },
  ...folderOptions,
  json: { kind: "flag", help: "Print one JSON object." },
} as const satisfies OptionSpecs;

export const askCommand: Command = {
  name: "ask",
  usage: "<run>",
  summary: "List images between clusters, whose right cluster would teach most; answer, then refine.",
  examples: ["ask runs/flowers", "ask runs/flowers --count 50 --json"],
  options,
  interruptible: true,
  run,
};

async function run(args: readonly string[], { print, signal }: CommandContext): Promise<void> {
  const { options: values, positionals } = parseOptions(args, options);
  const folder = onlyPositional(positionals, "ask takes the folder of one run");
  const { count = 20, images, threads } = values;
  if (!Number.isInteger(count) || count < 1) throw new InputError(`--count takes a whole number from 1, not ${count}`);
  const places = given({ images, dataFolder: values["data-folder"], cacheFolder: values["cache-folder"] });
  const asked = await readAsked(folder, { ...places, signal });
  const questions = await ask(asked, { count, signal, ...given({ threads }) });
  const words = wordsFor(folder, asked.decided);
  if (values.json)
    return print(JSON.stringify({ run: folder, questions: questions.map((one) => ({ ...one, ...words(one) })) }));
  if (questions.length === 0) return print(`${folder}: nothing is in doubt`);
  for (const question of questions) {
    const { asks, why } = words(question);
    print(`${asks} ${why}`);
  }
}

/** What a run knows of its images. */
async function readAsked(folder: string, places: RunImagesOptions) {
  const { k, architecture } = readRecord(folder);
  const answers = readAssignments(folder);
  const { decisions } = await readDecided(folder, places);
  // Where nobody has decided anything, it does not matter by what images are known.
  const model =
    decisions.length === 0
      ? { k, keys: answers.map(({ item }) => item), assignments: answers.map(({ cluster }) => cluster) }
      : await readModelClusters(folder, places);
  return {
    features: matrix(readFeatures(folder, [...answers.keys()]), featureSize(architecture), "features"),
    answers,
    decided: foldDecisions(decisions, model),
    constraints: constraintsOf(decisions, model),
  };
}

/** `image` of a question is its place among the run's assignments, from 0. */
function wordsFor(folder: string, decided: Decided) {
  const items = readAssignments(folder).map(({ item }) => item);
  const names = clusterNames(decided);
  const called = (cluster: number): string => names.get(cluster) ?? String(cluster);
  return (question: Question): { readonly item?: string; readonly asks: string; readonly why: string } => {
    if (question.kind === "clusters") {
      const [first, second] = question.clusters.map(called);
      return { asks: `${first} and ${second}: are they the same?`, why: "they touch" };
    }
    const { image, candidates, speaksFor } = question;
    const others = speaksFor === 0 ? "" : `; speaks for ${counted(speaksFor, "image")} like it`;
    return {
      item: items[image],
      asks: `${items[image]}: ${candidates.map(called).join(", ")}?`,
      why: `between ${candidates.slice(0, 2).map(called).join(" and ")}${others}`,
    };
  };
}
