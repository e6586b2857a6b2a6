/** How much a few answers teach: runs are made, a simulated person is asked, and what is learned is measured. */
import { join } from "node:path";
import { InputError } from "../../files/errors.ts";
import { type Dataset, type Images, withoutLabels } from "../../images/dataset.ts";
import { openDataset } from "../../images/sources/open.ts";
import { type SeenImages, seeImages } from "../../methods/dbc/learned.ts";
import type { DbcOptions } from "../../methods/dbc/options.ts";
import type { ProgressEvent } from "../../methods/training/progress.ts";
import type { Settings } from "../../runs/fitted.ts";
import { versions } from "../../runs/versions.ts";
import { expectLabelled, type LabelledDataset } from "../labelled-dataset.ts";
import { thisMachine } from "../machine.ts";
import { datasetName } from "../plan.ts";
import { type BaseRun, baseRun } from "./base-run.ts";
import {
  type ClicksCell,
  type ClicksPoint,
  type ClicksRecord,
  clicksFile,
  clicksFormat,
  readClicks,
  storeClicks,
} from "./clicks-cell.ts";
import { comparisonsIn } from "./comparisons.ts";
import { clicksAnswers, clicksSeeds, clicksSets } from "./defaults.ts";
import { Lesson, type Refine } from "./lesson.ts";
import { writeClicksReport } from "./report-files.ts";
import { type Person, SimulatedPerson } from "./simulated-person.ts";
import { randomQuestions, tellingQuestions, type VariantName, variantNames, variants } from "./variants.ts";

export type ClicksEvent =
  | { readonly kind: "run"; readonly name: string }
  | { readonly kind: "kept"; readonly cell: ClicksCell }
  | { readonly kind: "progress"; readonly event: ProgressEvent }
  | { readonly kind: "point"; readonly cell: ClicksCell; readonly point: ClicksPoint }
  /** `failure` is one line; `option` is what it is about, if anything. */
  | { readonly kind: "failed"; readonly failure: string; readonly option: string | undefined };

export interface ClicksOptions {
  /** The folder of the benchmark: runs, cells, and the report on all of them. */
  readonly out: string;
  /** Named sets, folders or files. Default: the test digits, USPS, COIL-20, the test images of Fashion-MNIST. */
  readonly sets?: readonly string[];
  /** Default: 0, 1 and 2. */
  readonly seeds?: readonly number[];
  /** After how many answers to measure, in ascending order. Default: 0, 10, 20, 50, 100, 200 and 500. */
  readonly answers?: readonly number[];
  /** Default: all. */
  readonly variants?: readonly VariantName[];
  /** How runs are made. Default: by DBC's defaults. */
  readonly dbc?: Omit<Partial<DbcOptions>, "k" | "seed">;
  /** Default: all cores. */
  readonly threads?: number;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: ClicksEvent) => void;
  /** The command that makes the results, stored with them. */
  readonly command?: string;
  /** Default: `openDataset`. */
  readonly open?: (source: string) => Promise<Dataset>;
  /** Default: our own. */
  readonly refine?: Refine;
  /** A clock in milliseconds. Default: performance.now. */
  readonly clock?: () => number;
}

/** Goes on with what is in the folder. Bad input stops its own set, but not the others. */
export async function runClicks(options: ClicksOptions): Promise<void> {
  const { sets = clicksSets, signal, onEvent } = options;
  expectAscending(options.answers ?? clicksAnswers);
  for (const source of new Set(sets)) {
    signal?.throwIfAborted();
    try {
      await clicksWith(source, options);
    } catch (error) {
      if (signal?.aborted || !(error instanceof InputError)) throw error;
      onEvent?.({ kind: "failed", failure: error.message, option: error.option });
    }
  }
}

async function clicksWith(source: string, options: ClicksOptions): Promise<void> {
  const { seeds = clicksSeeds, signal } = options;
  const open = options.open ?? ((path: string) => openDataset(path, { signal }));
  const name = datasetName(source);
  const dataset = expectLabelled(await open(source), name);
  try {
    for (const seed of new Set(seeds)) await clicksOn(dataset, name, seed, options);
  } finally {
    dataset.close();
  }
}

/** Here labels part from the images: only the person is given them. */
async function clicksOn(dataset: LabelledDataset, name: string, seed: number, options: ClicksOptions): Promise<void> {
  const images = withoutLabels(dataset);
  const { labels } = dataset;
  const { out, dbc, threads, signal, onEvent } = options;
  const folder = join(out, "runs", `${name}.seed${seed}`);
  onEvent?.({ kind: "run", name: `${name}.seed${seed}` });
  const run = await baseRun(images, {
    folder,
    dbc: { ...dbc, k: labels.names.length, seed, ...(threads === undefined ? {} : { threads }) },
    onProgress: (event) => onEvent?.({ kind: "progress", event }),
    ...(signal === undefined ? {} : { signal }),
  });
  // How the run sees its images is the same for all.
  let seen: Promise<SeenImages> | undefined;
  const see = (): Promise<SeenImages> => {
    seen ??= seeImages(images, run.learned, commonOptions(run, options));
    return seen;
  };
  for (const variant of options.variants ?? variantNames) {
    signal?.throwIfAborted();
    const { wrong } = variants[variant];
    const shown = { keys: run.model.keys, scores: run.scores };
    const person = new SimulatedPerson(labels, shown, { seed, name: variant, wrong });
    await finishCell({ dataset: name, variant, seed }, images, { ...run, see }, person, options);
    writeClicksReport(out);
  }
}

interface SeenRun extends BaseRun {
  readonly see: () => Promise<SeenImages>;
}

/** Asks and learns on from the last point that is stored. */
async function finishCell(
  cell: ClicksCell,
  images: Images,
  run: SeenRun,
  person: Person,
  options: ClicksOptions,
): Promise<void> {
  const { out, answers = clicksAnswers, onEvent } = options;
  const stored = readClicks(out, cell);
  if (stored !== undefined) expectSame(stored, images, run, answers, clicksFile(out, cell));
  const done = stored?.points ?? [];
  if (done.length >= answers.length) return onEvent?.({ kind: "kept", cell });
  const lesson = await lessonOf(cell, images, run, person, options);
  if (stored !== undefined) lesson.repeat(stored.answers, stored.refineSettings);
  const points = [...done];
  for (const count of answers.slice(done.length)) {
    options.signal?.throwIfAborted();
    const point = await lesson.point(count);
    points.push(point);
    storeClicks(out, recordOf(cell, images, run, lesson, points, options));
    onEvent?.({ kind: "point", cell, point });
  }
}

async function lessonOf(
  { variant, seed }: ClicksCell,
  images: Images,
  run: SeenRun,
  person: Person,
  options: ClicksOptions,
): Promise<Lesson> {
  const { refine, clock = () => performance.now(), onEvent } = options;
  const { questions, compared } = variants[variant];
  const seen = await run.see();
  const common = { ...commonOptions(run, options), seen };
  return new Lesson(images, run, {
    person,
    clock,
    questions: questions === "random" ? randomQuestions(images, seed) : tellingQuestions(images, run, common),
    refineOptions: { ...common, seed, onProgress: (event) => onEvent?.({ kind: "progress", event }) },
    ...(compared ? { compare: await comparisonsIn(seen, commonOptions(run, options)) } : {}),
    ...(refine === undefined ? {} : { refine }),
  });
}

const commonOptions = ({ settings: { threads } }: BaseRun, { signal }: ClicksOptions) => ({
  ...(typeof threads === "number" ? { threads } : {}),
  ...(signal === undefined ? {} : { signal }),
});

function recordOf(
  { dataset: name, variant, seed }: ClicksCell,
  { count, image, fingerprint }: Images,
  { model, settings }: BaseRun,
  { answers, refineSettings }: Lesson,
  points: readonly ClicksPoint[],
  { command }: ClicksOptions,
): ClicksRecord {
  return {
    format: clicksFormat,
    dataset: { name, count, image, fingerprint },
    variant,
    seed,
    k: model.k,
    wrong: variants[variant].wrong,
    runSettings: settings,
    refineSettings,
    points,
    answers,
    versions: versions(),
    machine: thisMachine(),
    ...(command === undefined ? {} : { command }),
  };
}

/** What was measured of another run, or after other numbers of answers, cannot be gone on with. */
function expectSame(
  { dataset, points, runSettings }: ClicksRecord,
  { fingerprint }: Images,
  { settings }: BaseRun,
  answers: readonly number[],
  file: string,
): void {
  const different = differenceOf();
  if (different !== undefined)
    throw new InputError(`${file}: it was made with other ${different}; delete it, or set out to another folder`, {
      option: "out",
    });

  function differenceOf(): string | undefined {
    if (dataset.fingerprint !== fingerprint) return "images";
    if (!sameSettings(runSettings, settings)) return "settings of the run";
    const common = Math.min(points.length, answers.length);
    return points.slice(0, common).every((point, index) => point.answers === answers[index])
      ? undefined
      : "numbers of answers";
  }
}

const sameSettings = (one: Settings, other: Settings): boolean => JSON.stringify(one) === JSON.stringify(other);

function expectAscending(answers: readonly number[]): void {
  const wrong =
    answers.length === 0 || answers.some((count, index) => !isCount(count) || count <= (answers[index - 1] ?? -1));
  if (wrong)
    throw new InputError(`answers are whole numbers in ascending order, not "${answers.join(",")}"`, {
      option: "answers",
    });
}

const isCount = (count: number): boolean => Number.isSafeInteger(count) && count >= 0;
