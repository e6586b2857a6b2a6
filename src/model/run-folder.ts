/**
 * A saved run is a folder:
 *   run.json             settings, seeds, versions, history, metrics
 *   model.onnx           image in, feature and scores out
 *   weights.safetensors  encoder, centres, running statistics; and the auto-encoder that training began with, if any
 *   assignments.csv      which image is in which cluster, and how surely; the same as .jsonl
 *   features.npy         the feature of each image
 *   snapshots/           what training looked like at chosen epochs
 *   report.html          all of it to look at
 * `run.json` is written last: a folder that has it is whole.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Dataset } from "../dataset.ts";
import { InputError } from "../errors.ts";
import type { ImageSize } from "../image.ts";
import type { Architecture } from "../network/architecture.ts";
import { type Encoder, isEnsemble } from "../network/ensemble.ts";
import { inferenceProgram } from "../network/inference.ts";
import { decoderParameters, decoderStatistics, encoderParameters, encoderStatistics } from "../network/layers.ts";
import { type ParameterSpec, parameterView, totalSize } from "../network/parameters.ts";
import { clusteringParameters } from "../network/programs.ts";
import { featureSize } from "../network/shapes.ts";
import type { TrainedValues } from "../network/trained.ts";
import { writeChunksAtomically, writeFileAtomically } from "./atomic.ts";
import type { Fitted, HistoryEntry, Settings } from "./fitted.ts";
import { makeFolder } from "./folders.ts";
import { readNpyRows, writeNpy } from "./npy.ts";
import { readSafetensors, type StoredTensor, writeSafetensors } from "./safetensors.ts";
import { type AssignmentRow, csvLines, jsonLines } from "./table.ts";
import { type Versions, versions } from "./versions.ts";

const format = "boostcluster run 1";

export interface RunRecord {
  readonly format: string;
  readonly versions: Versions;
  readonly method: string;
  readonly dataset: {
    readonly name: string;
    readonly count: number;
    readonly image: ImageSize;
    readonly fingerprint: string;
    /** The files that were left out. */
    readonly skipped: readonly string[];
  };
  /** Every option that made the result, defaults filled in, and where the images came from. */
  readonly settings: Settings;
  readonly architecture: Encoder;
  readonly k: number;
  readonly v: number;
  readonly converged: boolean;
  /** Images in each cluster. */
  readonly sizes: readonly number[];
  /** Against the labels that the dataset came with, by name. */
  readonly metrics?: Readonly<Record<string, number>>;
  /** How compact and how far apart the clusters are, by name. */
  readonly quality?: Readonly<Record<string, number>>;
  /** What spoke for each number of clusters, where k was estimated. */
  readonly evidence?: readonly { readonly k: number; readonly gap: number }[];
  readonly history: readonly HistoryEntry[];
  /** Wall-clock seconds by stage. */
  readonly seconds: Readonly<Record<string, number>>;
}

export interface SaveOptions {
  /** Against labels, by name. */
  readonly metrics?: Readonly<Record<string, number>>;
  /** Without labels, by name. */
  readonly quality?: Readonly<Record<string, number>>;
  /** What spoke for each number of clusters, where k was estimated. */
  readonly evidence?: readonly { readonly k: number; readonly gap: number }[];
  /** Wall-clock seconds, by what they were spent on. */
  readonly seconds?: Readonly<Record<string, number>>;
}

/** Writes the folder and returns what `run.json` says. */
export function saveRun(
  folder: string,
  fitted: Fitted,
  dataset: Dataset,
  { metrics, quality, evidence, seconds = {} }: SaveOptions = {},
): RunRecord {
  const record: RunRecord = {
    format,
    versions: versions(),
    method: fitted.method,
    dataset: {
      name: dataset.name,
      count: dataset.count,
      image: dataset.image,
      fingerprint: dataset.fingerprint,
      skipped: dataset.skipped.map(({ file }) => file),
    },
    settings: { ...dataset.origin, ...fitted.settings },
    architecture: fitted.architecture,
    k: fitted.k,
    v: fitted.v,
    converged: fitted.converged,
    sizes: clusterSizes(fitted),
    ...(metrics === undefined ? {} : { metrics }),
    ...(quality === undefined ? {} : { quality }),
    ...(evidence === undefined ? {} : { evidence }),
    history: fitted.history,
    seconds,
  };
  const made = makeFolder(folder);
  try {
    writeFiles(folder, fitted, dataset, record);
  } catch (error) {
    if (made !== undefined) rmSync(made, { recursive: true });
    throw error;
  }
  return record;
}

/** Everything that a run leaves in its folder. */
const runFiles = [
  "run.json",
  "model.onnx",
  "weights.safetensors",
  "assignments.csv",
  "assignments.jsonl",
  "features.npy",
  "snapshots",
  "report.html",
  "checkpoint.safetensors",
  "clusters",
  "clusters.parquet",
  "clusters.onnx",
  "projector",
];

/** Removes a run and leaves whatever else is in its folder. */
export function removeRun(folder: string): void {
  for (const name of runFiles) rmSync(join(folder, name), { recursive: true, force: true });
  removeTemporaries(folder);
}

/** What a process that was killed while it wrote has left. */
function removeTemporaries(folder: string): void {
  if (!existsSync(folder)) return;
  const left = readdirSync(folder).filter((name) => runFiles.some((file) => name.startsWith(`.${file}.`)));
  for (const name of left) rmSync(join(folder, name));
}

function writeFiles(folder: string, fitted: Fitted, dataset: Dataset, record: RunRecord): void {
  removeTemporaries(folder);
  rmSync(join(folder, "run.json"), { force: true });
  writeFileAtomically(join(folder, "model.onnx"), exportedModel(fitted));
  writeSafetensors(join(folder, "weights.safetensors"), weightTensors(fitted));
  const labelled = { labels: dataset.labels !== undefined };
  writeChunksAtomically(join(folder, "assignments.csv"), csvLines(assignmentRows(fitted, dataset), labelled));
  writeChunksAtomically(join(folder, "assignments.jsonl"), jsonLines(assignmentRows(fitted, dataset)));
  writeNpy(join(folder, "features.npy"), fitted.features, [dataset.count, featureSize(fitted.architecture)]);
  writeFileAtomically(join(folder, "run.json"), `${JSON.stringify(record, undefined, 2)}\n`);
}

export interface LoadedRun {
  readonly folder: string;
  readonly record: RunRecord;
  readonly trained: TrainedValues;
  /** Encoder, then decoder, as clustering began with them; not every method has them. */
  readonly autoEncoder?: TrainedValues;
}

/** A folder that `saveRun` wrote. */
export function loadRun(folder: string): LoadedRun {
  const record = readRecord(folder);
  const { tensors } = readSafetensors(join(folder, "weights.safetensors"));
  const gather = (specs: readonly ParameterSpec[]): Float32Array => {
    const values = new Float32Array(totalSize(specs));
    for (const { name } of specs) {
      const stored = tensors.get(name)?.values;
      const view = parameterView(values, specs, name);
      if (!(stored instanceof Float32Array) || stored.length !== view.length)
        throw new InputError(
          `${folder}: weights.safetensors does not fit run.json: "${name}" is missing or of another size`,
        );
      view.set(stored);
    }
    return values;
  };
  const { architecture, k } = record;
  const trained = {
    parameters: gather(clusteringParameters(architecture, k)),
    statistics: gather(encoderStatistics(architecture)),
  };
  const hasAutoEncoder = [...tensors.keys()].some((name) => name.startsWith(autoEncoderPrefix));
  if (isEnsemble(architecture) || !hasAutoEncoder) return { folder, record, trained };
  const specs = autoEncoderSpecs(architecture);
  const autoEncoder = { parameters: gather(specs.parameters), statistics: gather(specs.statistics) };
  return { folder, record, trained, autoEncoder };
}

/** What `run.json` says. */
export function readRecord(folder: string): RunRecord {
  const path = join(folder, "run.json");
  if (!existsSync(path))
    throw new InputError(
      `${folder}: there is no finished run here (no run.json); make one with "boostcluster cluster"`,
    );
  let record: RunRecord;
  try {
    record = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw new InputError(`${path}: it is not JSON; the run must be made again`);
  }
  if (record.format !== format)
    throw new InputError(`${path}: it is of another version ("${record.format}", this one reads "${format}")`);
  return record;
}

/** The lines of `assignments.jsonl`. */
export function readAssignments(folder: string): AssignmentRow[] {
  readRecord(folder);
  const lines = readFileSync(join(folder, "assignments.jsonl"), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** The features of some images, [images, d]. */
export const readFeatures = (folder: string, images: readonly number[]): Float32Array =>
  readNpyRows(join(folder, "features.npy"), images);

function exportedModel({ architecture, k, v, parameters, statistics, method }: Fitted): Uint8Array {
  const { channels, height, width } = architecture.image;
  const metadata = {
    method,
    input: `images [batch, ${channels}, ${height}, ${width}], float32`,
    preprocessing: `resize to ${height}x${width}, ${channels === 1 ? "grey" : "RGB"}, divide by 255`,
    outputs: "features: z; scores: soft assignment to each cluster, which add up to 1",
  };
  return inferenceProgram(architecture, { parameters, statistics }, { k, v, metadata }).model;
}

/** Every parameter and statistic under its name. */
function weightTensors({ architecture, k, parameters, statistics, autoEncoder }: Fitted): Record<string, StoredTensor> {
  const pieces: [Float32Array, readonly ParameterSpec[]][] = [
    [parameters, clusteringParameters(architecture, k)],
    [statistics, encoderStatistics(architecture)],
  ];
  if (autoEncoder !== undefined && !isEnsemble(architecture)) {
    const specs = autoEncoderSpecs(architecture);
    pieces.push([autoEncoder.parameters, specs.parameters], [autoEncoder.statistics, specs.statistics]);
  }
  return Object.fromEntries(
    pieces.flatMap(([values, specs]) =>
      specs.map(({ name, shape }) => [name, { shape, values: parameterView(values, specs, name) }]),
    ),
  );
}

const autoEncoderPrefix = "auto-encoder.";

/** Of encoder and decoder, under names of their own: the encoder's have changed since. */
function autoEncoderSpecs(architecture: Architecture) {
  const named = (specs: readonly ParameterSpec[]): ParameterSpec[] =>
    specs.map((spec) => ({ ...spec, name: `${autoEncoderPrefix}${spec.name}` }));
  return {
    parameters: named([...encoderParameters(architecture), ...decoderParameters(architecture)]),
    statistics: named([...encoderStatistics(architecture), ...decoderStatistics(architecture)]),
  };
}

function* assignmentRows({ assignments, scores, k }: Fitted, dataset: Dataset): Generator<AssignmentRow> {
  for (let image = 0; image < dataset.count; image++)
    yield assignmentRow(
      dataset.itemName(image),
      scores.subarray(image * k, (image + 1) * k),
      assignments[image],
      dataset.labels?.names[dataset.labels.values[image]],
    );
}

/** What to say of one image: its cluster, the next best one, and how far apart they are. */
export function assignmentRow(item: string, scores: Float32Array, cluster: number, label?: string): AssignmentRow {
  let second: number | undefined;
  for (let j = 0; j < scores.length; j++)
    if (j !== cluster && (second === undefined || scores[j] > scores[second])) second = j;
  const margin = scores[cluster] - (second === undefined ? 0 : scores[second]);
  return {
    item,
    cluster,
    score: scores[cluster],
    secondCluster: second,
    margin,
    ...(label === undefined ? {} : { label }),
  };
}

function clusterSizes({ assignments, k }: Fitted): number[] {
  const sizes = new Array<number>(k).fill(0);
  for (const cluster of assignments) sizes[cluster]++;
  return sizes;
}
