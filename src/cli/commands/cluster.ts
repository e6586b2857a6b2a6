/** `boostcluster cluster`: images in, clusters, a model and numbers out. */

import { basename, join, resolve } from "node:path";
import type { NoneSetting } from "../../clustering/belonging.ts";
import { InterruptedError } from "../../files/errors.ts";
import { type Dataset, withoutLabels } from "../../images/dataset.ts";
import { distinctImages } from "../../images/duplicates/stacks.ts";
import { formatImageSize } from "../../images/image.ts";
import { methodNames, methods } from "../../methods/methods.ts";
import { noCheckpoints } from "../../runs/checkpoint.ts";
import { type DecisionsFile, readDecisionsFile } from "../../runs/decisions/decisions-file.ts";
import type { Fitted } from "../../runs/fitted.ts";
import { commandNote } from "../../runs/noted-command.ts";
import { restoreDuplicates, restoredSnapshots } from "../../runs/restore-duplicates.ts";
import { runCheckpoints } from "../../runs/run-checkpoints.ts";
import { removeRun, saveRun } from "../../runs/run-folder.ts";
import { runSnapshots, type SnapshotRecorder } from "../../runs/snapshots.ts";
import { timedCheckpoints } from "../../runs/timed-checkpoints.ts";
import { versions } from "../../runs/versions.ts";
import type { Command, CommandContext } from "../command.ts";
import { dataOptions } from "../data-options.ts";
import { duplicatesOption, expectDistinct, stacksIn } from "../duplicates.ts";
import { evaluate, reportOn, structureUnlessItFails, withQuality } from "../finished-run.ts";
import { savedWork } from "../interruption.ts";
import { expectTaken, methodOptionSpecs, methodOptions } from "../method-options.ts";
import { noneOption, noneSetting } from "../none-option.ts";
import {
  type EstimatedClusters,
  estimateClusters,
  estimateOptions,
  evidenceNote,
  keptEstimate,
  wantedClusters,
} from "../number-of-clusters.ts";
import { given, type OptionSpecs, type OptionValues, onlyPositional, parseOptions } from "../options.ts";
import { displaying, displayOptions, progressOption } from "../progress.ts";
import type { ProgressDisplay } from "../progress-display.ts";
import { byFirst, collectively, expectSame, firstHere } from "../ranks.ts";
import { keepDecisions } from "../run-decisions.ts";
import { takeFolder } from "../run-folder.ts";
import { describeRun, runSummary } from "../run-summary.ts";
import { openPictures, seenBy, seenNotes, vectorOptions } from "../vectors.ts";

const options = {
  k: {
    kind: "text",
    short: "k",
    value: "N|auto",
    help: 'Number of clusters, or auto: as many as "boostcluster k" estimates.',
  },
  method: {
    kind: "choice",
    choices: methodNames,
    help: 'Method to cluster with; "boostcluster methods" tells what each is good for.',
    defaults: "dbc",
  },
  labels: {
    kind: "text",
    value: "folders|none|FILE",
    help: "True classes to measure against, never used to cluster: the images' folders, or a file.",
    defaults: "none, or a named set's own",
  },
  ...noneOption,
  out: { kind: "text", value: "DIR", help: "Folder of the run.", defaults: "runs/NAME" },
  decisions: {
    kind: "text",
    value: "FILE",
    help: "Apply what people have decided about another run: its decisions.jsonl, an exported .json, or a .csv.",
  },
  force: { kind: "flag", help: "Replace a run that is there already." },
  resume: { kind: "flag", help: "Go on with an interrupted run; give the same options." },
  ...vectorOptions,
  ...dataOptions,
  ...duplicatesOption,
  ...methodOptionSpecs,
  "no-report": { kind: "flag", basic: false, help: "Write no report.html." },
  json: { kind: "flag", basic: false, help: "Print one JSON object." },
  ...displayOptions,
  ...progressOption,
} as const satisfies OptionSpecs;

type Options = OptionValues<typeof options>;

export const clusterCommand: Command = {
  name: "cluster",
  usage: "<folder|file|name> -k N|auto [options]",
  summary: "Sort images into k clusters.",
  examples: [
    "cluster holiday-photos -k 12",
    "cluster flowers -k 5 --labels folders --out runs/flowers",
    "cluster mnist-test -k 10",
    "cluster things -k auto",
    "cluster photos -k 20 --backbone resnet-50",
    "cluster --features texts.npy -k 8",
    "cluster --resume --out runs/flowers flowers -k 5 --labels folders",
  ],
  options,
  interruptible: true,
  sharedByRanks: true,
  run,
};

async function run(args: readonly string[], context: CommandContext): Promise<void> {
  const { collective } = context;
  const { request, values } = await collectively(collective, async () => requestOf(args));
  await expectSame(collective, { ...versions(), ...decidingOptions(values) });
  const lock = await collectively(collective, async () =>
    collective.rank === 0 ? takeFolder(request.out, values) : { release: () => undefined },
  );
  try {
    await displaying(collective.rank === 0 ? values : silent, (display) =>
      clusterSource(request, values, context, display),
    );
  } finally {
    lock.release();
  }
}

function requestOf(args: readonly string[]): { readonly request: Request; readonly values: Options } {
  const { options: values, positionals } = parseOptions(args, options);
  const source =
    positionals.length === 0 && values.features !== undefined
      ? undefined
      : onlyPositional(positionals, "cluster takes one folder, file or name of a set");
  const wanted = wantedClusters(values.k);
  expectTaken(values, values.method ?? "dbc");
  const none = noneSetting(values.none);
  const out = values.out ?? join("runs", runName(source ?? values.features ?? "vectors"));
  const decisions = values.decisions === undefined ? undefined : readDecisionsFile(values.decisions);
  return { request: { args, source, wanted, none, out, decisions }, values };
}

/** Where things are on a machine, and how many cores it has. */
const ofMachine = ["threads", "features", "labels", "data-folder", "cache-folder"];

/** Those that all ranks must have alike. */
const decidingOptions = (values: Options): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => !ofMachine.includes(name))
      .map(([name, value]) => [`--${name}`, value]),
  );

/** Of a folder its own name, of a file the name without its extension. */
const runName = (source: string): string => basename(resolve(source)).replace(/\.(npy|npz|csv|parquet)$/i, "");

interface Request {
  /** As the shell gave them. */
  readonly args: readonly string[];
  readonly source: string | undefined;
  readonly wanted: number | "auto";
  readonly none: NoneSetting;
  readonly out: string;
  readonly decisions: DecisionsFile | undefined;
}

const interrupted = "interrupted after the last epoch; go on with the same command and --resume";

async function clusterSource(
  { args, source, wanted, none, out, decisions }: Request,
  values: Options,
  context: CommandContext,
  display: ProgressDisplay,
): Promise<void> {
  const started = performance.now();
  const { collective } = context;
  const pictures = await firstHere(collective, () => openPictures(source, values, context, display));
  let last = pictures;
  try {
    const opened = performance.now();
    if (source !== undefined) display.images(pictures);
    const stacks = (await byFirst(collective, () => stacksIn(pictures, values, context, display))) ?? undefined;
    const automatic = (values.method ?? "dbc") === "dbc" && methodOptions(values, "dbc").preset !== "paper";
    const seen = await firstHere(collective, () => seenBy(pictures, values, { automatic }, context, display));
    const { dataset, backbone } = seen;
    last = dataset;
    const distinct = distinctImages(dataset, stacks ?? []);
    await expectSame(collective, {
      "the number of images": distinct.count,
      "their size": formatImageSize(distinct.image),
      "the hash of their pixels": distinct.fingerprint,
    });
    expectDistinct(wanted, dataset, distinct);
    const estimate = wanted === "auto" ? await estimated(distinct, values, out, context, display) : undefined;
    const chosen = { k: Number(wanted), ...estimate, seconds: (performance.now() - opened) / 1000 };
    const snapshots = restoredSnapshots(toldSnapshots(runSnapshots(out), display), stacks ?? [], dataset.count);
    const task = { dataset: distinct, notes: seenNotes({ ...seen, dataset: distinct }), args, out, snapshots };
    const { fitted: found, seconds } = await cluster(task, values, chosen, context, display);
    // From here on rank 0 is by itself.
    collective.close();
    if (collective.rank > 0) return;
    const fitted = restoreDuplicates(found, stacks ?? [], dataset.count);
    const metrics = evaluate(dataset, fitted.assignments);
    const structure = await structureUnlessItFails(fitted, dataset, { none, interrupted }, context);
    const saved = saveRun(out, fitted, dataset, {
      ...given({ metrics, evidence: estimate?.evidence, stacks, backbone, structure }),
      seconds: { reading: (opened - started) / 1000, clustering: seconds },
    });
    const record = withQuality(out, saved, found);
    await keepDecisions(out, decisions, context.say, {
      ...given({ dataFolder: values["data-folder"], cacheFolder: values["cache-folder"] }),
      signal: context.signal,
    });
    const report = values["no-report"] ? undefined : await reportOn(out, pictures, context, display);
    display.end();
    context.print(
      values.json ? JSON.stringify(runSummary(record, out, report, stacks)) : describeRun(record, out, report, stacks),
    );
  } finally {
    // Vectors close their pictures as well.
    last.close();
  }
}

/** Whoever watches sees the clusters that are recorded. */
const toldSnapshots = (recorder: SnapshotRecorder, display: ProgressDisplay): SnapshotRecorder => ({
  wantsFeatures: (epoch) => recorder.wantsFeatures(epoch),
  record: (epoch, source) => {
    display.clusters(epoch, source);
    recorder.record(epoch, source);
  },
});

/** Nothing is shown of a rank other than 0. */
const silent = { quiet: true, output: { write: () => true } };

/** How many clusters; an interrupted run that is gone on with has found it out already. */
async function estimated(
  dataset: Dataset,
  values: Options,
  out: string,
  { signal, collective }: CommandContext,
  display: ProgressDisplay,
): Promise<EstimatedClusters> {
  const { method = "dbc" } = values;
  const wanted = { ...estimateOptions(methodOptions(values, method), method), collective };
  const kept = await byFirst(collective, async () => (values.resume ? keptEstimate(out) : undefined));
  display.followedBy("clustering");
  const estimate =
    kept ?? (await estimateClusters(dataset, { ...wanted, signal, onProgress: (event) => display.show(event) }));
  display.end();
  display.line(`${dataset.name}: ${estimate.k} clusters, by estimate`);
  return estimate;
}

interface Chosen extends Partial<EstimatedClusters> {
  readonly k: number;
  /** That it took to choose. */
  readonly seconds: number;
}

interface Task {
  readonly dataset: Dataset;
  /** What tells it from others. */
  readonly notes: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly out: string;
  readonly snapshots: SnapshotRecorder;
}

/** Clusters, and the seconds that it took, those of earlier processes included. */
async function cluster(
  { dataset, notes, args, out, snapshots }: Task,
  values: Options,
  { k, evidence, pretrained, seconds }: Chosen,
  { signal, collective }: CommandContext,
  display: ProgressDisplay,
): Promise<{ readonly fitted: Fitted; readonly seconds: number }> {
  const { method: name = "dbc" } = values;
  const method = methods[name];
  const first = collective.rank === 0;
  const wanted = { k, ...methodOptions(values, name), collective };
  const own = await collectively(collective, async () => method.settings(dataset, wanted));
  const settings = { ...notes, method: name, ...own };
  if (values.force && first) removeRun(out);
  const kept = runCheckpoints(out, settings, {
    command: commandNote(args, dataset.origin.source),
    ...(collective.size === 1 ? {} : { ranks: collective.size }),
    ...(evidence === undefined ? {} : { evidence: evidenceNote(evidence) }),
  });
  // Rank 0 tells the others what is in it.
  const stored = first ? kept : noCheckpoints;
  const checkpoints = await collectively(collective, async () => timedCheckpoints(stored, () => performance.now()));
  if (values.resume && stored.load() === undefined) display.line(`${out}: nothing to go on with; starting anew`);
  checkpoints.add(seconds);
  display.followedBy(values["no-report"] ? undefined : "the report");
  try {
    const fitted = await method.fit(withoutLabels(dataset), {
      ...wanted,
      ...given({ pretrained }),
      signal,
      checkpoints,
      snapshots: first ? snapshots : { ...snapshots, record: () => undefined },
      onProgress: (event) => display.show(event),
      evaluate: (assignments, images) => ({ ...evaluate(dataset, assignments, images) }),
    });
    display.end();
    return { fitted, seconds: checkpoints.seconds() };
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new InterruptedError(
      kept.last === undefined
        ? "interrupted before the first checkpoint; nothing was saved"
        : `interrupted; saved in ${out}: ${savedWork(kept.last)}; go on with the same command and --resume`,
    );
  }
}
