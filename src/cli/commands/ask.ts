/** `boostcluster ask`: which images to show a person, so that each answer teaches most. */
import { existsSync } from "node:fs";
import { extname } from "node:path";
import { writeFileAtomically } from "../../files/atomic.ts";
import { csvLine } from "../../files/csv.ts";
import { InputError } from "../../files/errors.ts";
import { withoutLabels } from "../../images/dataset.ts";
import { ask, type Question } from "../../methods/dbc/ask.ts";
import { counted } from "../../numeric/format.ts";
import { clusterNames } from "../../runs/decisions/decided-run.ts";
import type { Command, CommandContext } from "../command.ts";
import { folderOptions } from "../data-options.ts";
import { given, type OptionSpecs, onlyPositional, parseOptions } from "../options.ts";
import { displaying, displayOptions } from "../progress.ts";
import { readTaught, type TaughtRun, withSeenImages } from "../taught-run.ts";

const options = {
  count: { kind: "number", help: "How many questions to ask.", defaults: "20" },
  table: {
    kind: "text",
    value: "FILE.csv",
    help: "Table to write the questions into: fill in the column cluster, then decisions <run> --import FILE.csv.",
  },
  threads: { kind: "number", help: "Threads to compute with.", defaults: "all cores" },
  images: { kind: "text", value: "SOURCE", help: "Where the images are, if they have moved." },
  ...folderOptions,
  json: { kind: "flag", help: "Print one JSON object." },
  ...displayOptions,
} as const satisfies OptionSpecs;

export const askCommand: Command = {
  name: "ask",
  usage: "<run>",
  summary: "List images between clusters, whose right cluster would teach most; answer, then refine.",
  examples: ["ask runs/flowers", "ask runs/flowers --table answers.csv", "ask runs/flowers --count 50 --json"],
  options,
  interruptible: true,
  run,
};

async function run(args: readonly string[], context: CommandContext): Promise<void> {
  const { options: values, positionals } = parseOptions(args, options);
  const folder = onlyPositional(positionals, "ask takes the folder of one run");
  const { count = 20, images, threads } = values;
  if (!Number.isInteger(count) || count < 1) throw new InputError(`--count takes a whole number from 1, not ${count}`);
  if (values.table !== undefined) expectNewTable(values.table);
  const { print, signal } = context;
  const folders = given({ images, dataFolder: values["data-folder"], cacheFolder: values["cache-folder"] });
  const places = { ...folders, ...given({ threads }), signal };
  const taught = await readTaught(folder, places);
  const questions = await displaying(values, (display) =>
    withSeenImages(taught, places, context, display, ({ seen }) =>
      ask(withoutLabels(seen.dataset), { ...taught.run.record, ...taught.run }, taught.constraints, {
        count,
        signal,
        ...given({ threads }),
      }),
    ),
  );
  const words = wordsFor(taught);
  if (values.table !== undefined) writeTable(values.table, questions.map(words));
  if (values.json)
    return print(JSON.stringify({ run: folder, questions: questions.map((one) => ({ ...one, ...words(one) })) }));
  if (questions.length === 0) return print(`${folder}: nothing is in doubt`);
  for (const question of questions) {
    const { asks, why } = words(question);
    print(`${asks} ${why}`);
  }
}

/** Answers that somebody has filled in are not overwritten. */
function expectNewTable(path: string): void {
  if (extname(path).toLowerCase() !== ".csv")
    throw new InputError(`--table ${path}: the table is a .csv file; choose such a name`);
  if (existsSync(path)) throw new InputError(`--table ${path}: it exists already; import it, or choose another name`);
}

/** Of images; whether two clusters are one is no row of it. */
function writeTable(path: string, questions: readonly Words[]): void {
  const rows = questions.flatMap(({ item, likely = "" }) =>
    item === undefined ? [] : [csvLine([item, "", 1, likely])],
  );
  writeFileAtomically(path, `${["item,cluster,asked,likely", ...rows].join("\n")}\n`);
}

interface Words {
  /** Of a question about an image: its name, and those of likely clusters. */
  readonly item?: string;
  readonly likely?: string;
  readonly asks: string;
  readonly why: string;
}

/** `image` of a question is its place among the run's assignments, from 0. */
function wordsFor({ rows, constraints: { decided } }: TaughtRun) {
  const names = clusterNames(decided);
  const called = (cluster: number): string => names.get(cluster) ?? String(cluster);
  return (question: Question): Words => {
    if (question.kind === "clusters") {
      const [first, second] = question.clusters.map(called);
      return {
        asks: `${first} and ${second}: are they the same?`,
        why: "images of the second were put into the first, and none was left",
      };
    }
    const { image, candidates, speaksFor } = question;
    const likely = candidates.map(called).join(", ");
    const others = speaksFor < 2 ? "" : `; speaks for ${counted(speaksFor - 1, "other image")} like it`;
    return {
      item: rows[image].item,
      likely,
      asks: `${rows[image].item}: ${likely}?`,
      why: `between ${candidates.slice(0, 2).map(called).join(" and ")}${others}`,
    };
  };
}
