/** `boostcluster refine`: a run learns what people have decided about its clusters, and the other images follow. */
import { resolve } from "node:path";
import { InputError } from "../../files/errors.ts";
import { type Dataset, withoutLabels } from "../../images/dataset.ts";
import type { Stack } from "../../images/duplicates/stacks.ts";
import { refine } from "../../methods/dbc/refine.ts";
import { clusterNumbers } from "../../methods/dbc/refined-clusters.ts";
import { counted } from "../../numeric/format.ts";
import type { AssignmentRow } from "../../runs/assignments.ts";
import { type DecidedConstraints, describeContradiction } from "../../runs/decisions/constraints.ts";
import { hasDecisions, renewAssignments } from "../../runs/decisions/decided-run.ts";
import { DecisionLog } from "../../runs/decisions/decision-log.ts";
import { imageKeys } from "../../runs/decisions/image-keys.ts";
import { restatedDecisions } from "../../runs/decisions/restate-decisions.ts";
import { readStacks } from "../../runs/duplicates-file.ts";
import type { Fitted } from "../../runs/fitted.ts";
import { type LoadedRun, loadRun, saveRun } from "../../runs/run-folder.ts";
import type { RunImagesOptions } from "../../runs/run-images.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import type { Command, CommandContext } from "../command.ts";
import { folderOptions } from "../data-options.ts";
import { evaluate, reportOn, structureUnlessItFails, withQuality } from "../finished-run.ts";
import { noneSetting } from "../none-option.ts";
import { given, type OptionSpecs, type OptionValues, onlyPositional, parseOptions } from "../options.ts";
import { displaying, displayOptions, progressOption } from "../progress.ts";
import type { ProgressDisplay } from "../progress-display.ts";
import { takeFolder } from "../run-folder.ts";
import { describeRun, runSummary } from "../run-summary.ts";
import { readTaught, withSeenImages } from "../taught-run.ts";
import type { Seen } from "../vectors.ts";

const options = {
  out: { kind: "text", value: "DIR", help: "Folder of the refined run.", defaults: "<run>-refined" },
  epochs: { kind: "number", help: "Epochs to learn for.", defaults: "6" },
  seed: { kind: "number", help: "Seed of everything random.", defaults: "that of the run" },
  threads: { kind: "number", help: "Threads to compute with.", defaults: "as many as the run was made with" },
  images: { kind: "text", value: "SOURCE", help: "Where the images are, if they have moved." },
  ...folderOptions,
  "no-report": { kind: "flag", basic: false, help: "Write no report.html." },
  json: { kind: "flag", basic: false, help: "Print one JSON object." },
  ...displayOptions,
  ...progressOption,
} as const satisfies OptionSpecs;

type Options = OptionValues<typeof options>;

export const refineCommand: Command = {
  name: "refine",
  usage: "<run>",
  summary: "Learn from what people have decided about the clusters of a run: the other images follow, in a new run.",
  examples: ["refine runs/flowers", "refine runs/flowers --out runs/flowers-2"],
  options,
  interruptible: true,
  run,
};

async function run(args: readonly string[], context: CommandContext): Promise<void> {
  const { options: values, positionals } = parseOptions(args, options);
  const folder = onlyPositional(positionals, "refine takes the folder of one run");
  loadRun(folder);
  if (!hasDecisions(folder))
    throw new InputError(
      `${folder}: nothing has been decided that could be learned; decide in "boostcluster studio", or with "boostcluster decisions --import"`,
    );
  const out = values.out ?? `${folder.replace(/[/\\]+$/, "")}-refined`;
  const lock = takeFolder(out, { force: false, resume: false });
  try {
    await displaying(values, (display) => refineRun(folder, out, values, context, display));
  } finally {
    lock.release();
  }
}

async function refineRun(
  folder: string,
  out: string,
  values: Options,
  context: CommandContext,
  display: ProgressDisplay,
): Promise<void> {
  const folders = given({
    images: values.images,
    dataFolder: values["data-folder"],
    cacheFolder: values["cache-folder"],
  });
  const places = { ...folders, ...given({ threads: values.threads }), signal: context.signal };
  const taught = await readTaught(folder, places);
  const { run, rows, decisions, constraints } = taught;
  tellConstraints(constraints, (image) => rows[image].item, display);
  const started = performance.now();
  await withSeenImages(taught, places, context, display, async ({ seen, pictures }) => {
    const reading = (performance.now() - started) / 1000;
    const learned = await learn(run, seen.dataset, constraints, values, context, display);
    // By these it is known which command made the run, and from how many lines of the log.
    const settings = { ...learned.settings, refines: resolve(run.folder), decisions: decisions.length };
    const fitted = { ...learned, settings };
    const seconds = { reading, clustering: (performance.now() - started) / 1000 - reading };
    const record = await save(out, { run, rows, seen, fitted, seconds }, context);
    await restate(out, fitted, constraints, places);
    const report = values["no-report"] ? undefined : await reportOn(out, pictures, context, display);
    display.end();
    const stacks = stacksOf(run, rows);
    context.print(
      values.json ? JSON.stringify(runSummary(record, out, report, stacks)) : describeRun(record, out, report, stacks),
    );
  });
}

async function learn(
  run: LoadedRun,
  dataset: Dataset,
  constraints: DecidedConstraints,
  { epochs, seed = numberIn(run, "seed"), threads = numberIn(run, "threads") }: Options,
  { signal }: CommandContext,
  display: ProgressDisplay,
): Promise<Fitted> {
  const fitted = await refine(withoutLabels(dataset), { ...run.record, ...run }, constraints, {
    ...given({ epochs, seed, threads }),
    signal,
    onProgress: (event) => display.show(event),
    evaluate: (assignments, images) => ({ ...evaluate(dataset, assignments, images) }),
  });
  display.end();
  return fitted;
}

interface Refined {
  readonly run: LoadedRun;
  readonly rows: readonly AssignmentRow[];
  readonly seen: Seen;
  readonly fitted: Fitted;
  readonly seconds: Readonly<Record<string, number>>;
}

async function save(
  out: string,
  { run, rows, seen: { dataset, backbone }, fitted, seconds }: Refined,
  context: CommandContext,
): Promise<RunRecord> {
  const none = noneSetting(String(run.record.settings.none ?? "auto"));
  const interrupted = "interrupted; nothing was saved";
  const structure = await structureUnlessItFails(fitted, dataset, { none, interrupted }, context);
  const metrics = evaluate(dataset, fitted.assignments);
  const stacks = stacksOf(run, rows);
  return withQuality(
    out,
    saveRun(out, fitted, dataset, { ...given({ metrics, stacks, backbone, structure }), seconds }),
    fitted,
  );
}

/** Undefined where every file counted. */
const stacksOf = ({ folder, record }: LoadedRun, rows: readonly AssignmentRow[]): readonly Stack[] | undefined =>
  record.settings.duplicates === "stack"
    ? readStacks(
        folder,
        rows.map(({ item }) => item),
      )
    : undefined;

function tellConstraints(
  { known, together, apart, contradictions }: DecidedConstraints,
  itemOf: (image: number) => string,
  display: ProgressDisplay,
): void {
  const images = known.reduce((count, cluster) => count + Number(cluster >= 0), 0);
  if (images + together.length + apart.length === 0)
    throw new InputError(
      "what was decided says nothing of images: move, confirm, merge or split, or say which belong together, then refine",
    );
  display.line(
    `learning from ${counted(images, "image")} whose cluster is known, ${counted(together.length, "pair")} together and ${counted(apart.length, "pair")} apart`,
  );
  for (const one of contradictions.slice(0, mostListed)) display.line(`  ${describeContradiction(one, itemOf)}`);
  const more = contradictions.length - mostListed;
  if (more > 0) display.line(`  and ${more} more contradictions; boostcluster decisions lists all`);
}

const mostListed = 10;

function numberIn({ record: { settings } }: LoadedRun, name: string): number | undefined {
  const value = settings[name];
  return typeof value === "number" ? value : undefined;
}

/** The new run keeps what clusters are called, and what was said of single images. */
async function restate(
  out: string,
  { assignments, scores, k }: Fitted,
  constraints: DecidedConstraints,
  places: RunImagesOptions,
): Promise<void> {
  const actions = restatedDecisions(constraints, {
    numbers: clusterNumbers(constraints.decided),
    keys: await imageKeys(out, places),
    assignments,
    scores: Float32Array.from(assignments, (cluster, image) => scores[image * k + cluster]),
  });
  if (actions.length === 0) return;
  const log = await DecisionLog.open(out, { ...places, write: true });
  try {
    log.appendAll(actions);
  } finally {
    log.close();
  }
  await renewAssignments(out, places);
}
