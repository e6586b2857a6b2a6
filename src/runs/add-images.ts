/** New images join a run, without training: the run's model says which clusters they are in. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { extendTree } from "../clustering/extend-tree.ts";
import { type SessionOptions, sessionOptions } from "../engine/session.ts";
import { writeChunksAtomically } from "../files/atomic.ts";
import { replaceTogether } from "../files/file-set.ts";
import { writeNpy } from "../files/npy.ts";
import type { Dataset, SkippedFile } from "../images/dataset.ts";
import { pixelCount } from "../images/image.ts";
import { joinedFingerprint } from "../images/joined-dataset.ts";
import { streamDataset, streamFiles } from "../images/sources/stream.ts";
import { featureSize } from "../network/shapes.ts";
import { matrix } from "../numeric/matrix.ts";
import { type AssignmentRow, assignmentRow, columnsIn, csvLines, jsonLines } from "./assignments.ts";
import { rowsToWrite } from "./decisions/decided-run.ts";
import { keysFile } from "./decisions/file-names.ts";
import { imageSums, keyOfHash, sumLines } from "./decisions/image-keys.ts";
import type { Settings } from "./fitted.ts";
import { type NewImages, openNewImages } from "./new-images.ts";
import { type LoadedRun, loadRun, readAssignments, readFeatures } from "./run-folder.ts";
import type { RunImagesOptions } from "./run-images.ts";
import { lockRun } from "./run-lock.ts";
import { openRunModel } from "./run-model.ts";
import { addedImages, addingFolder, type RunRecord, readRecord, writeRecord } from "./run-record.ts";
import { readTree, writeTree } from "./tree-file.ts";

export interface AddImagesOptions extends RunImagesOptions, SessionOptions {
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface AddedToRun {
  /** What `run.json` says now. */
  readonly record: RunRecord;
  /** One line for each image that joined the run. */
  readonly rows: readonly AssignmentRow[];
  /** Images that are in the run already, which were left out. */
  readonly known: readonly string[];
  /** Files that could not be read, and why. */
  readonly skipped: readonly SkippedFile[];
}

/**
 * Image files and folders of them join a run of a folder; arrays and named sets join a run of such. An image whose
 * content is in the run already is left out. The files of the run change together: a process killed at any moment leaves
 * the run as it was, or with all new images. Decisions are carried over when they are opened next.
 */
export async function addImages(
  folder: string,
  sources: readonly string[],
  options: AddImagesOptions = {},
): Promise<AddedToRun> {
  // Where there is no run, no folder is made for a lock.
  readRecord(folder);
  const lock = lockRun(folder);
  try {
    const run = loadRun(folder);
    const before = readAssignments(folder);
    const sums = await imageSums(folder, options);
    const present = { hashes: new Set(sums), items: new Set(before.map(({ item }) => item)) };
    const images = await openNewImages(run.record, sources, present, options);
    const { dataset, known, skipped } = images;
    if (dataset === undefined) return { record: run.record, rows: [], known, skipped };
    try {
      const found = await predicted(run, dataset, before.length, options);
      const record = extendedRecord(run.record, images, found.rows);
      const rows = [...before, ...found.rows];
      const allSums = [...sums, ...images.hashes];
      const assignments = rows.map(({ cluster }) => cluster);
      const model = { k: record.k, keys: allSums.map(keyOfHash), assignments };
      const decided = await rowsToWrite(folder, rows, model, options);
      save(run, { rows, decided, found, sums: allSums, record });
      return { record, rows: found.rows, known, skipped };
    } finally {
      dataset.close();
    }
  } finally {
    lock.release();
  }
}

interface Found {
  readonly rows: readonly AssignmentRow[];
  /** [images, d]. */
  readonly features: Float32Array;
}

/** Images of one prediction. */
const atOnce = 64;

/** `first`: how many images the run has; those of an array are numbered on from there. */
async function predicted(run: LoadedRun, dataset: Dataset, first: number, options: AddImagesOptions): Promise<Found> {
  const { architecture, k } = run.record;
  const model = await openRunModel(run, { batch: atOnce, ...sessionOptions(options) });
  try {
    const areFiles = dataset.origin.fit !== undefined;
    const size = pixelCount(model.input.image);
    const features = new Float32Array(dataset.count * featureSize(architecture));
    const rows: AssignmentRow[] = [];
    const batch = new Float32Array(atOnce * size);
    let waiting = 0;
    const flush = async (): Promise<void> => {
      const prediction = await model.predict(batch.subarray(0, waiting * size));
      features.set(prediction.features, rows.length * featureSize(architecture));
      for (let place = 0; place < waiting; place++) {
        const item = areFiles ? dataset.itemName(rows.length) : String(first + rows.length);
        rows.push(rowOf(item, prediction.scores.slice(place * k, (place + 1) * k)));
      }
      waiting = 0;
      options.onProgress?.(rows.length, dataset.count);
    };
    for await (const pixels of pixelsFor(run, dataset)) {
      options.signal?.throwIfAborted();
      batch.set(pixels, waiting++ * size);
      if (waiting === atOnce) await flush();
    }
    if (waiting > 0) await flush();
    return { rows, features };
  } finally {
    await model.close();
  }
}

const rowOf = (item: string, scores: Float32Array): AssignmentRow =>
  assignmentRow(item, scores, scores.indexOf(scores.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)));

/** What the model takes: a backbone looks at files themselves. */
async function* pixelsFor({ record }: LoadedRun, dataset: Dataset): AsyncGenerator<Float32Array> {
  const { backbone } = record;
  const open = { ...dataset, close: () => {} };
  const settings =
    backbone === undefined
      ? { image: dataset.image, fit: "cover" as const }
      : { image: backbone.image, preparation: backbone.preparation };
  const files = Array.from({ length: dataset.count }, (_, image) =>
    join(dataset.origin.source, dataset.itemName(image)),
  );
  const asFiles = backbone !== undefined && dataset.origin.fit !== undefined;
  for await (const streamed of asFiles ? streamFiles(files, settings) : streamDataset(open, settings)) {
    if ("reason" in streamed) throw new Error(`${streamed.item}: it has changed meanwhile (${streamed.reason})`);
    yield streamed.pixels;
  }
}

function extendedRecord(
  record: RunRecord,
  { added, fingerprints }: NewImages,
  rows: readonly AssignmentRow[],
): RunRecord {
  const sizes = [...record.sizes];
  for (const { cluster } of rows) sizes[cluster]++;
  const { dataset } = record;
  const settings: Settings = JSON.parse(
    JSON.stringify({ ...record.settings, added: [...addedImages(record.settings), ...added] }),
  );
  return {
    ...record,
    dataset: {
      ...dataset,
      count: dataset.count + rows.length,
      fingerprint: fingerprints.reduce(joinedFingerprint, dataset.fingerprint),
    },
    settings,
    sizes,
  };
}

interface Extended {
  /** The model's, of all images. */
  readonly rows: readonly AssignmentRow[];
  readonly decided: readonly AssignmentRow[];
  readonly found: Found;
  readonly sums: readonly string[];
  readonly record: RunRecord;
}

function save({ folder }: LoadedRun, { rows, decided, found, sums, record }: Extended): void {
  const size = featureSize(record.architecture);
  const before = rows.length - found.rows.length;
  const known = readFeatures(folder, [...rows.keys()].slice(0, before));
  const features = new Float32Array(rows.length * size);
  features.set(known);
  features.set(found.features, known.length);
  const tree = readTree(folder);
  replaceTogether(folder, addingFolder, (staging) => {
    writeChunksAtomically(join(staging, "assignments.csv"), csvLines(decided, columnsIn(decided)));
    writeChunksAtomically(join(staging, "assignments.jsonl"), jsonLines(rows));
    writeNpy(join(staging, "features.npy"), features, [rows.length, size]);
    const items = rows.map(({ item }) => item);
    writeChunksAtomically(join(staging, keysFile), sumLines(sums, items));
    if (tree?.groups.length === before) {
      const clusters = Int32Array.from(found.rows, ({ cluster }) => cluster);
      writeTree(staging, extendTree(tree, matrix(known, size), matrix(found.features, size), clusters));
    }
    writeRecord(staging, record);
    // Made of the run as it was, and again by the studio; before anything changes, so that it never is of other images.
    rmSync(join(folder, "map.npy"), { force: true });
  });
  rmSync(join(folder, "refined"), { recursive: true, force: true });
}
