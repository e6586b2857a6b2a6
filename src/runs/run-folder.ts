/**
 * A saved run is a folder:
 *   run.json             settings, seeds, versions, history, metrics
 *   model.onnx           image in, feature and scores out
 *   weights.safetensors  encoder, centres, running statistics; and the auto-encoder that training began with, if any
 *   assignments.csv      which image is in which cluster, and how surely; the same as .jsonl
 *   features.npy         the feature of each image
 *   tree.json            coarser and finer groups than the clusters
 *   images.sha256        the hash of each image, by which decisions know it
 *   decisions.jsonl      what people have decided about the clusters, if they have
 *   duplicates.csv       which files are copies of which, if any are
 *   snapshots/           what training looked like at chosen epochs
 *   report.html          all of it to look at
 *   map.npy              image, x and y of each point of the studio's map
 *   refined/             the run that the studio has made of it, and of what people have decided
 *   run.lock             while it is made: which process makes it
 * `run.json` is written last: a folder that has it is whole.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, writeChunksAtomically, writeFileAtomically } from "../files/atomic.ts";
import { readNpyRows, writeNpy } from "../files/npy.ts";
import { reshape } from "../graph/operators/layout.ts";
import type { Dataset } from "../images/dataset.ts";
import type { Stack } from "../images/duplicates/stacks.ts";
import { type Backbone, backboneRecord } from "../network/backbone.ts";
import { inferenceOutputs, inferenceProgram } from "../network/inference.ts";
import { featureSize } from "../network/shapes.ts";
import { type AssignmentRow, assignmentRows, csvLines, jsonLines } from "./assignments.ts";
import { decisionsFile, decisionsLock, keysFile } from "./decisions/file-names.ts";
import { duplicatesFile, duplicatesLines } from "./duplicates-file.ts";
import type { Fitted, Settings } from "./fitted.ts";
import { modelInput } from "./model-input.ts";
import { expectUnlocked, removeAbandonedRunLock } from "./run-lock.ts";
import { addingFolder, type RunRecord, readRecord, recordPath, runFormat, writeRecord } from "./run-record.ts";
import { type RunWeights, readWeights, writeWeights } from "./run-weights.ts";
import type { Structure } from "./structure.ts";
import { writeTree } from "./tree-file.ts";
import { versions } from "./versions.ts";

export interface SaveOptions {
  /** Against labels, by name. */
  readonly metrics?: Readonly<Record<string, number>>;
  /** Without labels, by name. */
  readonly quality?: Readonly<Record<string, number>>;
  /** What spoke for each number of clusters, where k was estimated. */
  readonly evidence?: readonly { readonly k: number; readonly gap: number }[];
  /** The copies among the images, where they counted once. Default: every image counted. */
  readonly stacks?: readonly Stack[];
  /** Wall-clock seconds, by what they were spent on. */
  readonly seconds?: Readonly<Record<string, number>>;
  /** Images that belong nowhere, and coarser and finer groups. Default: neither is saved. */
  readonly structure?: Structure;
  /** What made vectors of the images, where `dataset` is vectors: it becomes a part of the model. */
  readonly backbone?: Backbone;
}

/** Writes the folder and returns what `run.json` says. */
export function saveRun(folder: string, fitted: Fitted, dataset: Dataset, options: SaveOptions = {}): RunRecord {
  const { metrics, quality, evidence, stacks, seconds = {}, structure, backbone } = options;
  const pictures = dataset.pictures ?? dataset;
  const record: RunRecord = {
    format: runFormat,
    versions: versions(),
    method: fitted.method,
    dataset: {
      name: pictures.name,
      count: pictures.count,
      image: pictures.image,
      fingerprint: pictures.fingerprint,
      skipped: pictures.skipped.map(({ file }) => file),
    },
    settings: {
      ...dataset.origin,
      ...duplicatesSetting(dataset, stacks),
      ...fitted.settings,
      ...noneSetting(structure),
    },
    architecture: fitted.architecture,
    ...(backbone === undefined ? {} : { backbone: backboneRecord(backbone) }),
    k: fitted.k,
    v: fitted.v,
    converged: fitted.converged,
    sizes: clusterSizes(fitted),
    ...noneCount(structure),
    ...(metrics === undefined ? {} : { metrics }),
    ...(quality === undefined ? {} : { quality }),
    ...(evidence === undefined ? {} : { evidence }),
    history: fitted.history,
    seconds,
  };
  const made = makeFolder(folder);
  try {
    writeFiles(folder, fitted, dataset, record, options);
  } catch (error) {
    if (made !== undefined) rmSync(made, { recursive: true });
    throw error;
  }
  return record;
}

/** How copies counted; only files can be copies. */
const duplicatesSetting = ({ origin }: Dataset, stacks: readonly Stack[] | undefined): Settings =>
  origin.fit === undefined ? {} : { duplicates: stacks === undefined ? "keep" : "stack" };

/** Everything that a run leaves in its folder. */
const runFiles = [
  "run.json",
  "model.onnx",
  "weights.safetensors",
  "assignments.csv",
  "assignments.jsonl",
  "features.npy",
  "tree.json",
  keysFile,
  duplicatesFile,
  "snapshots",
  "report.html",
  "map.npy",
  "checkpoint.safetensors",
  "refined",
  addingFolder,
  "clusters",
  "clusters.parquet",
  "clusters.onnx",
  "projector",
];

/** What people have said outlives the run that they said it of. */
const keptFiles = [decisionsFile, decisionsLock];

/** Whether the name is that of a file of a run, or of one on its way. */
export const isRunFile = (name: string): boolean =>
  [...runFiles, ...keptFiles].some((file) => name === file || name.startsWith(`.${file}.`));

/** Removes a run, unless another process writes to it, and leaves whatever else is in its folder, decisions too. */
export function removeRun(folder: string): void {
  expectUnlocked(folder);
  removeAbandonedRunLock(folder);
  for (const name of runFiles) rmSync(join(folder, name), { recursive: true, force: true });
  removeTemporaries(folder);
}

/** What a process that was killed while it wrote has left. */
function removeTemporaries(folder: string): void {
  if (!existsSync(folder)) return;
  const left = readdirSync(folder).filter((name) => runFiles.some((file) => name.startsWith(`.${file}.`)));
  for (const name of left) rmSync(join(folder, name), { recursive: true });
}

function writeFiles(
  folder: string,
  fitted: Fitted,
  dataset: Dataset,
  record: RunRecord,
  { structure, stacks = [], backbone }: SaveOptions,
): void {
  removeTemporaries(folder);
  rmSync(recordPath(folder), { force: true });
  // What this run may not have, an earlier one in the same folder may have left.
  for (const optional of ["tree.json", "map.npy", duplicatesFile, keysFile])
    rmSync(join(folder, optional), { force: true });
  writeFileAtomically(join(folder, "model.onnx"), exportedModel(fitted, record, backbone));
  writeWeights(folder, fitted);
  const belonging = structure?.belonging;
  const columns = { labels: dataset.labels !== undefined, belonging: belonging !== undefined };
  writeChunksAtomically(join(folder, "assignments.csv"), csvLines(assignmentRows(fitted, dataset, belonging), columns));
  writeChunksAtomically(join(folder, "assignments.jsonl"), jsonLines(assignmentRows(fitted, dataset, belonging)));
  if (structure !== undefined) writeTree(folder, structure.tree);
  writeNpy(join(folder, "features.npy"), fitted.features, [dataset.count, featureSize(fitted.architecture)]);
  if (stacks.length > 0)
    writeChunksAtomically(
      join(folder, duplicatesFile),
      duplicatesLines(stacks, (image) => dataset.itemName(image)),
    );
  writeRecord(folder, record);
}

export interface LoadedRun extends RunWeights {
  readonly folder: string;
  readonly record: RunRecord;
}

/** A folder that `saveRun` wrote. */
export function loadRun(folder: string): LoadedRun {
  const record = readRecord(folder);
  return { folder, record, ...readWeights(folder, record) };
}

/** The lines of `assignments.jsonl`. */
export function readAssignments(folder: string): AssignmentRow[] {
  readRecord(folder);
  const content = readFileSync(join(folder, "assignments.jsonl"));
  const rows: AssignmentRow[] = [];
  // Line by line: as one text, those of very many images would be in memory several times.
  for (let start = 0, end = 0; start < content.length; start = end + 1) {
    end = content.indexOf("\n", start);
    if (end < 0) end = content.length;
    rows.push(JSON.parse(content.toString("utf8", start, end)));
  }
  return rows;
}

/** The features of some images, [images, d]. */
export const readFeatures = (folder: string, images: readonly number[]): Float32Array =>
  readNpyRows(join(folder, "features.npy"), images);

function exportedModel(fitted: Fitted, record: RunRecord, backbone: Backbone | undefined): Uint8Array {
  const { architecture, k, v, parameters, statistics, method } = fitted;
  const { settings, words } = modelInput(record);
  const { image } = settings;
  const metadata = {
    method,
    input: `images [batch, ${image.channels}, ${image.height}, ${image.width}], float32`,
    preprocessing: words,
    outputs: "features: z; scores: soft assignment to each cluster, which add up to 1",
    ...(backbone === undefined ? {} : { backbone: `${backbone.name}, SHA-256 ${backbone.hash}` }),
  };
  const trained = { parameters, statistics };
  if (backbone === undefined) return inferenceProgram(architecture, trained, { k, v, metadata }).model;
  return backbone.program(
    (vectors) => inferenceOutputs(reshape(vectors, ["batch", backbone.size, 1, 1]), architecture, trained, { k, v }),
    { metadata },
  ).model;
}

/** Without a structure nobody has asked which images belong nowhere. */
const noneSetting = (structure: Structure | undefined): Settings =>
  structure === undefined ? {} : { none: structure.belonging?.setting ?? "off" };

const noneCount = (structure: Structure | undefined): Pick<RunRecord, "none"> =>
  structure?.belonging === undefined ? {} : { none: structure.belonging.none.reduce((sum, one) => sum + one, 0) };

function clusterSizes({ assignments, k }: Fitted): number[] {
  const sizes = new Array<number>(k).fill(0);
  for (const cluster of assignments) sizes[cluster]++;
  return sizes;
}
