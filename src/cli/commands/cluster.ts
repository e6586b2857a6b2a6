/** `boostcluster cluster`: images in, clusters, a model and numbers out. */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Dataset } from "../../data/dataset.ts";
import { openDataset } from "../../data/open.ts";
import { devices } from "../../engine/device.ts";
import { InputError, InterruptedError } from "../../errors.ts";
import { formatImageSize } from "../../image.ts";
import { type DbcOptions, fitDbc } from "../../methods/dbc.ts";
import { initializations } from "../../methods/fcae.ts";
import { fitFcaeKms } from "../../methods/fcae-kms.ts";
import { evaluateClustering } from "../../metrics/external.ts";
import type { Fitted } from "../../model/fitted.ts";
import { runCheckpoints } from "../../model/run-checkpoints.ts";
import { type RunRecord, saveRun } from "../../model/run-folder.ts";
import { activations } from "../../network/architecture.ts";
import type { OptimizerOptions } from "../../network/optimizer.ts";
import type { Command, CommandContext } from "../command.ts";
import { dataOptions, openOptions } from "../data-options.ts";
import { given, type OptionSpecs, type OptionValues, parseOptions } from "../options.ts";
import { onlyPositional } from "../positionals.ts";
import { formatSeconds, ProgressDisplay } from "../progress.ts";

const methods = { dbc: fitDbc, "fcae-kms": fitFcaeKms };

const options = {
  k: { kind: "number", short: "k", help: "number of clusters" },
  method: { kind: "choice", choices: ["dbc", "fcae-kms"], help: "(default: dbc)" },
  labels: {
    kind: "text",
    value: "folders|none|FILE",
    help: "true classes, to measure against; never used to cluster (default: none, or a named set's own)",
  },
  out: { kind: "text", value: "DIR", help: "the folder of the run (default: runs/NAME)" },
  force: { kind: "flag", help: "replace a run that is there already" },
  resume: { kind: "flag", help: "go on with an interrupted run; give the same options" },
  seed: { kind: "number", help: "of everything random (default: 0)" },
  ...dataOptions,
  "pretrain-epochs": { kind: "number", help: "epochs of stage I, the auto-encoder (default: 30)" },
  "pretrain-rate": { kind: "number", help: "learning rate of stage I, Adam (default: 0.001)" },
  initialization: { kind: "choice", choices: initializations, help: "how far stage I goes (default: trained)" },
  restarts: { kind: "number", help: "starts of k-means on the features (default: 20)" },
  epochs: { kind: "number", help: "T, the most epochs of stage II (default: 50)" },
  batches: { kind: "number", help: "B, mini-batches an epoch of stage II (default: all images once)" },
  tolerance: { kind: "number", help: "stop when at most this share changes cluster (default: 0)" },
  alpha: { kind: "number", help: "α, the boosting factor, over 1 (default: 2)" },
  v: { kind: "number", help: "degrees of freedom of the scores (default: 1)" },
  balance: { kind: "choice", choices: ["boosted", "scores", "none"], help: "n_j of the targets (default: boosted)" },
  optimizer: { kind: "choice", choices: ["sgd", "adam"], help: "of stage II (default: sgd)" },
  rate: { kind: "number", help: "learning rate of stage II (default: 0.1 for sgd, 0.001 for adam)" },
  batch: { kind: "number", help: "images a step (default: 256; 32 where they are over 64x64)" },
  activation: { kind: "choice", choices: activations, help: "of the network (default: relu)" },
  "feature-activation": { kind: "choice", choices: activations, help: "of the feature layer (default: linear)" },
  "no-feature-bn": { kind: "flag", help: "no batch normalization on the feature layer" },
  threads: { kind: "number", help: "(default: all cores)" },
  device: { kind: "choice", choices: devices, help: "(default: cpu)" },
  json: { kind: "flag", help: "print one JSON object" },
  quiet: { kind: "flag", short: "q", help: "no progress" },
  help: { kind: "flag", short: "h", help: "this text" },
} as const satisfies OptionSpecs;

type Options = OptionValues<typeof options>;

export const clusterCommand: Command = {
  name: "cluster",
  usage: "<folder|file|name> -k N [options]",
  summary: "Sort images into k clusters.",
  examples: [
    "cluster holiday-photos -k 12",
    "cluster flowers -k 5 --labels folders --out runs/flowers",
    "cluster mnist-test -k 10",
    "cluster --resume --out runs/flowers flowers -k 5 --labels folders",
  ],
  options,
  run,
};

async function run(args: readonly string[], context: CommandContext): Promise<void> {
  const { options: values, positionals } = parseOptions(args, options);
  const source = onlyPositional(positionals, "cluster takes one folder, file or name of a set");
  if (values.k === undefined) throw new InputError("cluster needs the number of clusters: -k N");
  const out = values.out ?? join("runs", source.replace(/[/\\]+$/, "").replace(/^.*[/\\]/, "") || "images");
  expectFree(out, values);
  const display = new ProgressDisplay({ quiet: values.quiet });
  const started = performance.now();
  const dataset = await openDataset(source, {
    ...openOptions(values),
    ...given({ labels: values.labels }),
    signal: context.signal,
    onProgress: (done, total) => display.step("reading images", done, total),
  });
  try {
    const opened = performance.now();
    reportDataset(dataset, display);
    const fitted = await cluster(dataset, values, values.k, out, context, display);
    const seconds = { reading: (opened - started) / 1000, clustering: (performance.now() - opened) / 1000 };
    const metrics = evaluate(dataset, fitted.assignments);
    const record = saveRun(out, fitted, dataset, {
      source: sourceSettings(source, values),
      ...(metrics === undefined ? {} : { metrics }),
      seconds,
    });
    display.end();
    context.print(values.json ? JSON.stringify(summary(record, out)) : describe(record, out));
  } finally {
    dataset.close();
  }
}

/** A folder with something else in it is never written to. */
function expectFree(out: string, { force, resume }: Options): void {
  if (!existsSync(out) || readdirSync(out).length === 0) return;
  const finished = existsSync(join(out, "run.json"));
  const unfinished = existsSync(join(out, "checkpoint.safetensors"));
  if (!finished && !unfinished) throw new InputError(`${out}: this folder is not empty; choose another with --out`);
  if (force) rmSync(out, { recursive: true });
  else if (finished)
    throw new InputError(`${out}: a finished run is here already; choose another --out, or --force to replace it`);
  else if (!resume)
    throw new InputError(`${out}: an interrupted run is here; go on with --resume, or --force to start anew`);
}

function reportDataset(dataset: Dataset, display: ProgressDisplay): void {
  display.end();
  display.line(`${dataset.name}: ${dataset.count} images, ${formatImageSize(dataset.image)}`);
  if (dataset.skipped.length === 0) return;
  display.line(`${dataset.skipped.length} files were left out:`);
  for (const { file, reason } of dataset.skipped.slice(0, 5)) display.line(`  ${file}: ${reason}`);
  if (dataset.skipped.length > 5) display.line(`  and ${dataset.skipped.length - 5} more`);
}

async function cluster(
  dataset: Dataset,
  values: Options,
  k: number,
  out: string,
  { signal }: CommandContext,
  display: ProgressDisplay,
): Promise<Fitted> {
  const checkpoints = runCheckpoints(out, { dataset: dataset.fingerprint, ...givenSettings(values) });
  try {
    return await methods[values.method ?? "dbc"](dataset, {
      k,
      ...methodOptions(values),
      signal,
      checkpoints,
      onProgress: (event) => display.show(event),
      evaluate: (assignments) => ({ ...evaluate(dataset, assignments) }),
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    display.end();
    throw new InterruptedError(
      checkpoints.load() === undefined
        ? "interrupted before the first epoch was done; nothing was saved"
        : `interrupted; what is done is saved in ${out}: go on with the same command and --resume`,
    );
  }
}

function methodOptions(values: Options): Partial<DbcOptions> {
  return given({
    seed: values.seed,
    pretrainEpochs: values["pretrain-epochs"],
    pretrainOptimizer:
      values["pretrain-rate"] === undefined
        ? undefined
        : ({ kind: "adam", learningRate: values["pretrain-rate"] } as const),
    initialization: values.initialization,
    restarts: values.restarts,
    epochs: values.epochs,
    batches: values.batches,
    tolerance: values.tolerance,
    alpha: values.alpha,
    v: values.v,
    balance: values.balance,
    optimizer: stageTwoOptimizer(values),
    batch: values.batch,
    activation: values.activation,
    featureActivation: values["feature-activation"],
    featureBatchNormalization: values["no-feature-bn"] ? false : undefined,
    threads: values.threads,
    device: values.device,
  });
}

function stageTwoOptimizer({ optimizer, rate }: Options): OptimizerOptions | undefined {
  if (optimizer === undefined && rate === undefined) return undefined;
  return { kind: optimizer ?? "sgd", ...given({ learningRate: rate }) };
}

/** What decides the result: a run goes on only with the same. */
function givenSettings(values: Options) {
  const { out, force, resume, json, quiet, help, labels, "data-folder": data, "cache-folder": cache, ...rest } = values;
  return given(rest);
}

const sourceSettings = (source: string, { labels, size, channels, fit }: Options) => ({
  source,
  ...given({ labels, size, channels, fit }),
});

function evaluate({ labels }: Dataset, assignments: Int32Array): Readonly<Record<string, number>> | undefined {
  return labels === undefined ? undefined : { ...evaluateClustering(labels.values, assignments) };
}

const summary = ({ history, architecture, format, ...record }: RunRecord, out: string) => ({
  out,
  ...record,
  epochs: history.length,
  ...record.metrics,
});

function describe({ dataset, k, sizes, metrics, seconds, converged, history }: RunRecord, out: string): string {
  const epochs = history.filter(({ stage }) => stage === "clustering").length;
  const lines = [
    `${dataset.count} images in ${k} clusters of ${Math.min(...sizes)} to ${Math.max(...sizes)}, in ${formatSeconds(seconds.clustering)}`,
    ...(epochs === 0
      ? []
      : [converged ? `assignments settled after ${epochs} epochs` : `stopped after ${epochs} epochs`]),
    ...(metrics === undefined
      ? []
      : [`ACC ${metrics.acc.toFixed(4)}   NMI ${metrics.nmi.toFixed(4)}   ARI ${metrics.ari.toFixed(4)}`]),
    `results: ${out} (assignments.csv, model.onnx, features.npy, run.json)`,
    `next: boostcluster organize ${out}   or   boostcluster predict ${out} <images>`,
  ];
  return lines.join("\n");
}
