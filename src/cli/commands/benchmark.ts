/** `boostcluster benchmark`: methods side by side on datasets with known classes, beside the paper's numbers. */
import { existsSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { type CellRecord, cellName } from "../../benchmark/cell.ts";
import { listCells } from "../../benchmark/cell-states.ts";
import { type BenchmarkRequest, datasetName, planBenchmark } from "../../benchmark/plan.ts";
import type { BenchmarkReport } from "../../benchmark/report.ts";
import { writeReport } from "../../benchmark/report-files.ts";
import { type BenchmarkEvent, runBenchmark } from "../../benchmark/run-benchmark.ts";
import { efforts } from "../../benchmark/schedules.ts";
import { tableText, terminalTable } from "../../benchmark/table-text.ts";
import { InputError } from "../../files/errors.ts";
import { quoted } from "../../files/shell-word.ts";
import { type OpenOptions, openDataset } from "../../images/sources/open.ts";
import { formatSeconds } from "../../numeric/format.ts";
import { clicksBenchmark } from "../clicks-benchmark.ts";
import type { Command, CommandContext } from "../command.ts";
import { dataOptions, openOptions } from "../data-options.ts";
import { untilInterrupted } from "../interruption.ts";
import { given, type OptionSpecs, type OptionValues, parseOptions } from "../options.ts";
import { displaying, displayOptions } from "../progress.ts";
import type { ProgressDisplay } from "../progress-display.ts";
import { inShellWords } from "../shell-words.ts";

const options = {
  methods: {
    kind: "text",
    value: "A,B,…",
    help: "Methods to compare.",
    defaults: "those that the paper tried on the dataset, else all",
  },
  seeds: {
    kind: "text",
    value: "N|A-B|A,B,…",
    help: "Number of seeds, or which: a range (4-4 is seed 4 alone) or a list.",
    defaults: "0, then 1 and 2 where 0 took less than five minutes; with --clicks 0, 1 and 2",
  },
  effort: {
    kind: "choice",
    choices: efforts,
    help: "How long to train: as long as the authors do, or less.",
    defaults: "paper",
  },
  out: {
    kind: "text",
    value: "DIR",
    help: "Folder where results are kept and found again.",
    defaults: "runs/benchmark; with --clicks runs/clicks",
  },
  clicks: {
    kind: "flag",
    help: "Measure instead what the answers of a simulated person teach: see docs/teaching.md.",
  },
  answers: {
    kind: "text",
    value: "A,B,…",
    help: "With --clicks: after how many answers to measure.",
    defaults: "0,10,20,50,100,200,500",
  },
  force: { kind: "flag", help: "Run again what was made with other settings." },
  list: { kind: "flag", help: "List what is done and what remains to be run, and run nothing." },
  labels: { kind: "text", value: "folders|FILE", help: "True classes to measure against.", defaults: "the set's own" },
  ...dataOptions,
  threads: { kind: "number", help: "Threads to compute with.", defaults: "all cores" },
  json: { kind: "flag", help: "Print JSON." },
  ...displayOptions,
} as const satisfies OptionSpecs;

type Options = OptionValues<typeof options>;

export const benchmarkCommand: Command = {
  name: "benchmark",
  usage: "[folder|file|name …] [options]",
  summary: "Compare methods with each other and with the paper. If interrupted, it continues when called again.",
  examples: [
    "benchmark --list",
    "benchmark usps --effort quick",
    "benchmark mnist-test --methods kms,dbc --seeds 3",
    "benchmark flowers --labels folders --out runs/flowers-benchmark",
    "benchmark --clicks usps --seeds 1",
  ],
  options,
  interruptible: true,
  run,
};

async function run(args: readonly string[], context: CommandContext): Promise<void> {
  const { options: values, positionals } = parseOptions(args, options);
  const out = values.out ?? join("runs", values.clicks ? "clicks" : "benchmark");
  expectFolder(out);
  if (values.clicks) return measureClicks(out, values, positionals, context);
  if (values.answers !== undefined) throw new InputError("--answers goes with --clicks");
  const plan = planBenchmark(requestOf(values, positionals));
  if (values.list) return context.print(listText(listCells(plan, out), values));
  const failures: string[] = [];
  await displaying(values, (display) =>
    untilInterrupted(out, context, () =>
      runBenchmark(plan, {
        out,
        force: values.force,
        command: commandText(values, positionals),
        open: (source) => openDataset(source, readingOptions(values, context, display)),
        signal: context.signal,
        onEvent: (event) => {
          showEvent(event, display);
          if (event.kind === "failed") failures.push(failureText(event));
        },
        ...given({ threads: values.threads }),
      }),
    ),
  );
  const report = writeReport(out);
  if (report.tables.length > 0) context.print(reportText(report, out, values));
  if (failures.length > 0) throw new InputError(failures.join("\n"));
}

async function measureClicks(
  out: string,
  values: Options,
  sets: readonly string[],
  context: CommandContext,
): Promise<void> {
  const foreign = (["methods", "effort", "force", "list"] as const).find((name) => values[name]);
  if (foreign !== undefined) throw new InputError(`--clicks takes no --${foreign}: leave one of them out`);
  const { seeds, answers, threads, json } = values;
  await clicksBenchmark(context, {
    out,
    json,
    display: values,
    optionSpecs: options,
    command: commandText(values, sets),
    open: (source, display) => openDataset(source, readingOptions(values, context, display)),
    ...given({
      sets: sets.length === 0 ? undefined : sets,
      seeds: seeds === undefined ? undefined : parseSeeds(seeds),
      answers: answers?.split(",").map(Number),
      threads,
    }),
  });
}

function expectFolder(out: string): void {
  if (existsSync(out) && !statSync(out).isDirectory())
    throw new InputError(`${out}: this is a file; choose a folder with --out`);
}

function requestOf({ methods, seeds, effort }: Options, datasets: readonly string[]): BenchmarkRequest {
  return given({
    datasets: datasets.length === 0 ? undefined : datasets,
    methods: methods?.split(",").map((name) => name.trim()),
    seeds: seeds === undefined ? undefined : parseSeeds(seeds),
    effort,
  });
}

/** "3" is the first three, "4-6" is those three, "4,7" those two. */
function parseSeeds(text: string): number[] {
  const [, from, to] = /^\s*(\d+)\s*-\s*(\d+)\s*$/.exec(text)?.map(Number) ?? [];
  if (from <= to) return seedsFrom(from, to);
  const numbers = text.split(",").map((part) => (/^\s*\d+\s*$/.test(part) ? Number(part) : Number.NaN));
  const [count] = numbers;
  if (numbers.some(Number.isNaN) || (numbers.length === 1 && count < 1))
    throw new InputError(`--seeds takes how many (3) or which (4-6 or 0,4,7), not "${text}"`);
  return numbers.length > 1 ? numbers : seedsFrom(0, count - 1);
}

const seedsFrom = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

function readingOptions(values: Options, { signal }: CommandContext, display: ProgressDisplay): OpenOptions {
  const onProgress = (done: number, total: number): void => display.step("reading images", done, total);
  return { ...openOptions(values), ...given({ labels: values.labels }), signal, onProgress };
}

/** What decides the results, without the folders of this machine. */
function commandText(values: Options, sources: readonly string[]): string {
  const { clicks, answers, methods, seeds, effort, labels, size, channels, fit } = values;
  const named = {
    answers,
    methods,
    seeds,
    effort,
    labels: labels === undefined ? undefined : basename(labels),
    size,
    channels,
    fit,
  };
  const pairs = Object.entries(given(named)).flatMap(([name, value]) => [`--${name}`, value]);
  const words = [...(clicks ? ["--clicks"] : []), ...sources.map(datasetName), ...pairs];
  return ["boostcluster benchmark", ...words.map(quoted)].join(" ");
}

/** Stages and the time left are those of a cell. */
function showEvent(event: BenchmarkEvent, display: ProgressDisplay): void {
  if (event.kind === "progress") display.show(event.event);
  else {
    if (event.kind === "failed") display.stop();
    else display.end();
    display.line(eventLine(event));
  }
}

const failureText = ({ failure, option }: Extract<BenchmarkEvent, { kind: "failed" }>): string =>
  inShellWords(failure, option, options);

function eventLine(event: Exclude<BenchmarkEvent, { kind: "progress" }>): string {
  if (event.kind === "failed") return `failed: ${failureText(event)}`;
  if (event.kind === "done") return doneLine(event.record);
  const name = cellName(event.cell);
  if (event.kind === "start") return `${name}: ${event.resumed ? "goes on" : "begins"}`;
  if (event.difference === undefined) return `${name}: done before`;
  return `${name}: kept, though it was made ${event.difference}; --force runs it anew`;
}

const doneLine = (record: CellRecord): string =>
  `${cellName({ ...record, dataset: record.dataset.name })}: ACC ${record.metrics.acc.toFixed(3)}, ` +
  `NMI ${record.metrics.nmi.toFixed(3)}, in ${formatSeconds(record.seconds)}`;

function listText(cells: ReturnType<typeof listCells>, { json }: Options): string {
  if (json) return JSON.stringify(cells.map(({ cell, state }) => ({ ...cell, state })));
  const width = Math.max(...cells.map(({ cell }) => cellName(cell).length)) + 2;
  const lines = cells.map(({ cell, state }) => cellName(cell).padEnd(width) + state);
  const undecided = cells.some(({ state }) => state === "perhaps");
  return [...lines, ...(undecided ? ["perhaps: where seed 0 takes less than five minutes"] : [])].join("\n");
}

function reportText(report: BenchmarkReport, out: string, { json }: Options): string {
  if (json) return JSON.stringify(report);
  const tables = report.tables.map((table) => terminalTable(tableText(table)));
  return [...tables, `results: ${out} (benchmark.md, benchmark.csv, benchmark.json)`].join("\n\n");
}
