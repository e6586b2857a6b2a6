/**
 * The paper's three studies of DBC (fig. ablations): one factor changes, everything else stays. Each variant is stored
 * as soon as it is done; a study that was stopped continues when it is run again.
 */

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Curve, curvesFigure } from "../figures/curves.ts";
import { makeFolder, writeFileAtomically } from "../files/atomic.ts";
import { InputError } from "../files/errors.ts";
import { readJson, writeJson } from "../files/json.ts";
import { withoutLabels } from "../images/dataset.ts";
import { fitDbc } from "../methods/dbc/dbc.ts";
import { type DbcOptions, dbcSettings } from "../methods/dbc/options.ts";
import type { OnProgress } from "../methods/training/progress.ts";
import { type Evaluation, evaluateClustering } from "../metrics/external.ts";
import type { HistoryEntry, Settings } from "../runs/fitted.ts";
import { runCheckpoints } from "../runs/run-checkpoints.ts";
import { timedCheckpoints } from "../runs/timed-checkpoints.ts";
import { type Versions, versions } from "../runs/versions.ts";
import type { LabelledDataset } from "./labelled-dataset.ts";
import { type Machine, thisMachine } from "./machine.ts";
import { datasetName } from "./plan.ts";
import { changedSettings } from "./settings.ts";
import { removeSharedPretraining, sharedPretraining } from "./shared-pretraining.ts";

/** The factors: the paper's three with their variants, and our additions to the paper, each left out or varied. */
export const factors = {
  alpha: [
    { name: "α = 1.5", options: { alpha: 1.5 } },
    { name: "α = 2", options: { alpha: 2 } },
    { name: "α = 4", options: { alpha: 4 } },
  ],
  balance: [
    { name: "n_j = 1", options: { balance: "none" } },
    { name: "n_j = Σ s", options: { balance: "scores" } },
    { name: "n_j = Σ s^α", options: { balance: "boosted" } },
  ],
  initialization: [
    { name: "random", options: { initialization: "random" } },
    { name: "half-trained", options: { initialization: "half-trained" } },
    { name: "trained", options: { initialization: "trained" } },
  ],
  additions: [
    { name: "all", options: { preset: "boosted" } },
    { name: "twice the side", options: { preset: "boosted", networkSide: 64 } },
    { name: "no augmentation", options: { preset: "boosted", augmentation: "none" } },
    { name: "one auto-encoder", options: { preset: "boosted", autoEncoders: 1 } },
    { name: "two auto-encoders", options: { preset: "boosted", autoEncoders: 2 } },
    { name: "no over-clustering", options: { preset: "boosted", overClusteringEpochs: 0 } },
    {
      name: "one auto-encoder, no over-clustering",
      options: { preset: "boosted", autoEncoders: 1, overClusteringEpochs: 0 },
    },
    { name: "three trials", options: { preset: "boosted", trials: 3 } },
    {
      name: "k-means",
      options: { preset: "boosted", initialClusters: "k-means", overClusteringEpochs: 0 },
    },
    { name: "no warm-up", options: { preset: "boosted", warmUpEpochs: 0 } },
    { name: "no unaugmented epochs", options: { preset: "boosted", unaugmentedEpochs: 0 } },
    { name: "no pseudo-labels beside scores", options: { preset: "boosted", pseudoLabelWeight: 0 } },
    { name: "no decay", options: { preset: "boosted", finalLearningRate: 1 } },
    { name: "one reclustering", options: { preset: "boosted", reclusterings: 1 } },
    { name: "no smoothing", options: { preset: "boosted", smoothing: 0 } },
  ],
} as const satisfies Record<string, readonly { readonly name: string; readonly options: Partial<DbcOptions> }[]>;

export type Factor = keyof typeof factors;
export const paperFactors: readonly Factor[] = ["alpha", "balance", "initialization"];
export const factorNames: readonly Factor[] = [...paperFactors, "additions"];

const format = "boostcluster ablation 2";

export interface VariantRecord {
  readonly format: string;
  readonly dataset: { readonly name: string; readonly count: number; readonly fingerprint: string };
  readonly factor: Factor;
  readonly variant: string;
  readonly settings: Settings;
  /** The metrics of the final clusters. */
  readonly metrics: Evaluation;
  /** The metrics of the clusters at the start of each epoch; the last entry has those of the final clusters. */
  readonly curve: readonly { readonly epoch: number; readonly acc: number; readonly nmi: number }[];
  readonly converged: boolean;
  readonly seconds: number;
  readonly versions: Versions;
  readonly machine: Machine;
}

export interface AblationOptions {
  /** The folder of all studies. */
  readonly out: string;
  /** Options common to all variants: epochs, seed, threads. Default: DBC's own. */
  readonly dbc?: Omit<Partial<DbcOptions>, "k" | Factor>;
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
  /** Called when a variant starts, or is kept because it had been done before. */
  readonly onVariant?: (variant: string, state: "start" | "kept") => void;
}

/** Runs the variants that are not done, and plots all of them. */
export async function runAblation(
  dataset: LabelledDataset,
  factor: Factor,
  options: AblationOptions,
): Promise<readonly VariantRecord[]> {
  const records: VariantRecord[] = [];
  for (const [index, variant] of factors[factor].entries()) {
    options.signal?.throwIfAborted();
    const path = join(options.out, `${datasetName(dataset.name)}.${factor}.${index + 1}`);
    records.push(await finishVariant(dataset, factor, variant, path, options));
  }
  removeSharedPretraining(options.out);
  drawAblation(options.out, records);
  return records;
}

interface Variant {
  readonly name: string;
  readonly options: Partial<DbcOptions>;
}

async function finishVariant(
  dataset: LabelledDataset,
  factor: Factor,
  variant: Variant,
  path: string,
  options: AblationOptions,
): Promise<VariantRecord> {
  const { out, onVariant, onProgress, dbc, signal } = options;
  const fitOptions: DbcOptions = { preset: "paper", k: dataset.labels.names.length, ...dbc, ...variant.options };
  const settings = dbcSettings(dataset, fitOptions);
  const stored = readVariant(`${path}.json`);
  if (stored !== undefined) {
    expectSame(stored, dataset, settings, `${path}.json`);
    onVariant?.(variant.name, "kept");
    return stored;
  }
  onVariant?.(variant.name, "start");
  const checkpoints = timedCheckpoints(
    runCheckpoints(`${path}.partial`, { dataset: dataset.fingerprint, ...settings }),
    () => performance.now(),
  );
  const { values } = dataset.labels;
  const evaluate = (assignments: Int32Array, images?: Uint32Array) => ({
    ...evaluateClustering(
      images === undefined ? values : Int32Array.from(images, (image) => values[image]),
      assignments,
    ),
  });
  const fitted = await fitDbc(withoutLabels(dataset), {
    ...fitOptions,
    checkpoints,
    pretrained: sharedPretraining(out, checkpoints),
    evaluate,
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  const metrics = evaluateClustering(dataset.labels.values, fitted.assignments);
  const { count, fingerprint } = dataset;
  const record: VariantRecord = {
    format,
    dataset: { name: datasetName(dataset.name), count, fingerprint },
    factor,
    variant: variant.name,
    settings,
    metrics,
    curve: curveOf(fitted.history, metrics),
    converged: fitted.converged,
    seconds: checkpoints.seconds(),
    versions: versions(),
    machine: thisMachine(),
  };
  makeFolder(out);
  writeJson(`${path}.json`, record);
  rmSync(`${path}.partial`, { recursive: true, force: true });
  return record;
}

const readVariant = (path: string): VariantRecord | undefined =>
  existsSync(path)
    ? readJson(path, [format], "delete it, and the variant is run again, or choose another folder")
    : undefined;

/** Variants made with other settings or images cannot be compared. */
function expectSame(stored: VariantRecord, { fingerprint }: LabelledDataset, settings: Settings, path: string): void {
  const [name] = stored.dataset.fingerprint === fingerprint ? changedSettings(stored.settings, settings) : ["images"];
  if (name !== undefined)
    throw new InputError(`${path}: it was made with other ${name}; delete it, or set out to another folder`, {
      option: "out",
    });
}

function curveOf(history: readonly HistoryEntry[], { acc, nmi }: Evaluation): VariantRecord["curve"] {
  const epochs = history.filter(({ stage }) => stage === "clustering");
  const before = epochs.flatMap(({ epoch, metrics }) =>
    metrics === undefined ? [] : [{ epoch: epoch - 1, acc: metrics.acc, nmi: metrics.nmi }],
  );
  return [...before, { epoch: epochs.length, acc, nmi }];
}

/** Two figures, ACC and NMI, with one curve per variant. */
function drawAblation(out: string, records: readonly VariantRecord[]): void {
  const [{ dataset, factor }] = records;
  for (const quantity of ["acc", "nmi"] as const) {
    const curves = records.map(
      ({ variant, curve }): Curve => ({
        name: variant,
        values: curve.map((point) => ({ epoch: point.epoch, value: point[quantity] })),
      }),
    );
    const svg = curvesFigure({
      curves,
      quantity: quantity.toUpperCase(),
      title: `${dataset.name}: ${quantity.toUpperCase()} by ${factor}`,
    });
    writeFileAtomically(join(out, `${dataset.name}.${factor}.${quantity}.svg`), svg);
  }
}
