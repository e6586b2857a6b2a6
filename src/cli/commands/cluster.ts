/** `boostcluster cluster`: images in, clusters, a model and numbers out. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { openDataset } from "../../data/open.ts";
import type { Dataset } from "../../dataset.ts";
import { devices } from "../../engine/device.ts";
import { InputError, InterruptedError } from "../../errors.ts";
import { formatImageSize } from "../../image.ts";
import { matrix } from "../../matrix.ts";
import { type DbcOptions, dbcSettings, fitDbc } from "../../methods/dbc.ts";
import { fcaeSettings, initializations, networkOf } from "../../methods/fcae.ts";
import { fitFcaeKms } from "../../methods/fcae-kms.ts";
import { calinskiHarabasz, daviesBouldin } from "../../metrics/dispersion.ts";
import { evaluateClustering } from "../../metrics/external.ts";
import { silhouette } from "../../metrics/silhouette.ts";
import type { Fitted } from "../../model/fitted.ts";
import { runCheckpoints } from "../../model/run-checkpoints.ts";
import { type RunRecord, removeRun, saveRun } from "../../model/run-folder.ts";
import { activations } from "../../network/architecture.ts";
import type { OptimizerOptions } from "../../network/optimizer.ts";
import { featureSize } from "../../network/shapes.ts";
import type { Command, CommandContext } from "../command.ts";
import { dataOptions, openOptions } from "../data-options.ts";
import { given, type OptionSpecs, type OptionValues, parseOptions } from "../options.ts";
import { onlyPositional } from "../positionals.ts";
import { formatSeconds, ProgressDisplay } from "../progress.ts";

/** `settings` checks the options and fills in the defaults. */
const methods = {
  dbc: { fit: fitDbc, settings: dbcSettings },
  "fcae-kms": { fit: fitFcaeKms, settings: fcaeSettings },
};

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
  interruptible: true,
  run,
};

async function run(args: readonly string[], context: CommandContext): Promise<void> {
  const { options: values, positionals } = parseOptions(args, options);
  const source = onlyPositional(positionals, "cluster takes one folder, file or name of a set");
  if (values.k === undefined) throw new InputError("cluster needs the number of clusters: -k N");
  expectUsed(values);
  const out = values.out ?? join("runs", basename(resolve(source)));
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
    const record = saveRun(out, fitted, dataset, { ...given({ metrics, quality: qualityOf(fitted) }), seconds });
    display.end();
    context.print(values.json ? JSON.stringify(summary(record, out)) : describe(record, out));
  } finally {
    dataset.close();
  }
}

/** A folder with something else in it is never written to. */
function expectFree(out: string, { force, resume }: Options): void {
  if (force && resume) throw new InputError("--resume goes on with a run and --force replaces it: give one of them");
  if (!existsSync(out)) return;
  if (!statSync(out).isDirectory()) throw new InputError(`${out}: this is a file; choose a folder with --out`);
  if (readdirSync(out).length === 0) return;
  const finished = existsSync(join(out, "run.json"));
  const unfinished = existsSync(join(out, "checkpoint.safetensors"));
  if (!finished && !unfinished) throw new InputError(`${out}: this folder is not empty; choose another with --out`);
  if (force) return;
  if (finished)
    throw new InputError(`${out}: a finished run is here already; choose another --out, or --force to replace it`);
  if (!resume)
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
  const method = methods[values.method ?? "dbc"];
  const given = { k, ...methodOptions(values) };
  const checkpoints = runCheckpoints(out, {
    dataset: dataset.fingerprint,
    method: values.method ?? "dbc",
    architecture: JSON.stringify(networkOf(dataset, given)),
    ...method.settings(dataset, given),
  });
  if (values.force) removeRun(out);
  if (values.resume && checkpoints.load() === undefined) display.line(`${out}: nothing to go on with; starting anew`);
  try {
    return await method.fit(dataset, {
      ...given,
      signal,
      checkpoints,
      onProgress: (event) => display.show(event),
      evaluate: (assignments) => ({ ...evaluate(dataset, assignments) }),
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    display.end();
    throw new InterruptedError(
      existsSync(join(out, "checkpoint.safetensors"))
        ? `interrupted; what is done is saved in ${out}: go on with the same command and --resume`
        : "interrupted before the first epoch was done; nothing was saved",
    );
  }
}

/** What FCAE-KMS has no use for. */
const stageTwoOptions = ["epochs", "batches", "tolerance", "alpha", "v", "balance", "optimizer", "rate"] as const;

function expectUsed(values: Options): void {
  const unused = values.method === "fcae-kms" ? stageTwoOptions.find((name) => values[name] !== undefined) : undefined;
  if (unused !== undefined) throw new InputError(`--${unused} is for method dbc; leave it out with fcae-kms`);
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

function evaluate({ labels }: Dataset, assignments: Int32Array): Readonly<Record<string, number>> | undefined {
  return labels === undefined ? undefined : { ...evaluateClustering(labels.values, assignments) };
}

/** Needs two clusters at least; a run in which all but one have died has no such numbers. */
function qualityOf({ features, architecture, assignments }: Fitted): Readonly<Record<string, number>> | undefined {
  const clusters = new Set(assignments).size;
  if (clusters < 2 || clusters >= assignments.length) return undefined;
  const samples = matrix(features, featureSize(architecture), "features");
  return {
    silhouette: silhouette(samples, assignments),
    daviesBouldin: daviesBouldin(samples, assignments),
    calinskiHarabasz: calinskiHarabasz(samples, assignments),
  };
}

const summary = ({ history, architecture, format, ...record }: RunRecord, out: string) => ({
  out,
  ...record,
  epochsRun: history.length,
  ...record.metrics,
});

function describe(
  { dataset, k, sizes, metrics, quality, seconds, converged, history }: RunRecord,
  out: string,
): string {
  const epochs = history.filter(({ stage }) => stage === "clustering").length;
  const quoted = /\s/.test(out) ? `"${out}"` : out;
  const lines = [
    `${dataset.count} images in ${k} clusters of ${Math.min(...sizes)} to ${Math.max(...sizes)}, in ${formatSeconds(seconds.clustering)}`,
  ];
  if (epochs > 0)
    lines.push(converged ? `assignments settled after ${epochs} epochs` : `stopped after ${epochs} epochs`);
  if (metrics !== undefined)
    lines.push(`ACC ${metrics.acc.toFixed(4)}   NMI ${metrics.nmi.toFixed(4)}   ARI ${metrics.ari.toFixed(4)}`);
  else if (quality !== undefined)
    lines.push(`silhouette ${quality.silhouette.toFixed(3)} (from -1 to 1; higher is clearer)`);
  lines.push(`results: ${out} (assignments.csv, model.onnx, features.npy, run.json)`);
  lines.push(`next: boostcluster organize ${quoted}   or   boostcluster predict ${quoted} <images>`);
  return lines.join("\n");
}
