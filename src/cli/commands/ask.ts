/** `boostcluster ask`: which images to show a person, so that each answer teaches most. */
import { neighboursFor } from "../../clustering/graph-clusters.ts";
import { neighbourGraph } from "../../clustering/neighbour-graph.ts";
import { nearestNeighbours } from "../../clustering/neighbours.ts";
import { chooseQuestions, type Question } from "../../clustering/questions.ts";
import { InputError } from "../../files/errors.ts";
import { featureSize } from "../../network/shapes.ts";
import { matrix } from "../../numeric/matrix.ts";
import { type DecidedRow, readDecided } from "../../runs/decisions/decided-run.ts";
import { readFeatures } from "../../runs/run-folder.ts";
import { readRecord } from "../../runs/run-record.ts";
import type { Command, CommandContext } from "../command.ts";
import { folderOptions } from "../data-options.ts";
import { given, type OptionSpecs, onlyPositional, parseOptions } from "../options.ts";

const options = {
  count: { kind: "number", help: "How many images to ask about.", defaults: "20" },
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
  const { rows } = await readDecided(folder, { ...places, signal });
  const questions = await questionsAbout(folder, rows, { count, signal, ...given({ threads }) });
  if (values.json) return print(JSON.stringify({ run: folder, questions: questions.map((one) => asJson(one, rows)) }));
  if (questions.length === 0) return print(`${folder}: nothing is in doubt`);
  for (const question of questions) print(asText(question, rows));
}

interface AskOptions {
  readonly count: number;
  readonly threads?: number;
  readonly signal: AbortSignal;
}

/** Of images that nobody has decided about. */
async function questionsAbout(
  folder: string,
  rows: readonly DecidedRow[],
  { count, ...options }: AskOptions,
): Promise<readonly Question[]> {
  const { k, architecture } = readRecord(folder);
  if (rows.length < 2 || k < 2) return [];
  const features = matrix(readFeatures(folder, [...rows.keys()]), featureSize(architecture), "features");
  const neighbours = neighboursFor(rows.length, k);
  const graph = neighbourGraph(await nearestNeighbours(features, { neighbours, ...options }));
  const doubts = rows.map(({ modelCluster, secondCluster = modelCluster, margin }) => ({
    cluster: modelCluster,
    second: secondCluster,
    margin,
  }));
  const isKnown = (image: number): boolean => rows[image].by === "person" || rows[image].confirmed;
  return chooseQuestions(graph, doubts, { count, isKnown });
}

/** `image`: its place among the run's assignments, from 0. */
const asJson = ({ sample: image, alike }: Question, rows: readonly DecidedRow[]) => {
  const { item, modelCluster: cluster, secondCluster, margin } = rows[image];
  return { image, item, cluster, secondCluster, margin, alike };
};

function asText({ sample, alike }: Question, rows: readonly DecidedRow[]): string {
  const { item, modelCluster, secondCluster, margin } = rows[sample];
  const others = alike === 0 ? "" : `, as ${alike} of the images most like it`;
  return `${item}: ${modelCluster} or ${secondCluster}? between the two (margin ${margin.toFixed(2)})${others}`;
}
