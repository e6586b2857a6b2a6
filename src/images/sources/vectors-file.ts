/** Vectors from a file, such as the features that some network has computed of images, as a dataset. */
import { extname, resolve } from "node:path";
import { defaultMemoryLimit } from "../../files/bytes.ts";
import { InputError } from "../../files/errors.ts";
import { openNpy } from "../../files/npy.ts";
import { type NpzArchive, readNpz } from "../../files/npz.ts";
import { type NumericArray, readNumbers } from "../../files/numeric-array.ts";
import type { Dataset } from "../dataset.ts";
import { chosenLabels, type LabelledImages } from "./labelled-images.ts";
import { labelsOf } from "./labels.ts";
import { PixelStore } from "./pixel-store.ts";
import { examineVectors, vectorNames, vectorsIn } from "./vector-records.ts";
import { openVectorsCsv } from "./vectors-csv.ts";
import { openVectorsParquet } from "./vectors-parquet.ts";

export interface VectorsOptions {
  /**
   * "none", or the path of a file: IDX, .npy, text with one label per line in the order of the vectors, or `item,label`
   * lines. Default: the file's own (`y` or `labels` of an .npz, column `label` or `labels` of a table), else "none".
   */
  readonly labels?: "none" | (string & {}) | undefined;
  /** A larger .npy file, in bytes, is not read into memory but batch by batch. Default: 256 MB. */
  readonly memoryLimit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens an .npy, .npz, .parquet or .csv file of vectors. Each is an image of 1x1 with as many channels as it has
 * numbers, and these stay as they are, in single precision. The same numbers have the same fingerprint in every format.
 */
export async function openVectors(file: string, options: VectorsOptions = {}): Promise<Dataset> {
  const { labels, memoryLimit = defaultMemoryLimit, signal } = options;
  if (labels === "")
    throw new InputError('labels must be "none" or the path of a file, not empty', { option: "labels" });
  if (!(memoryLimit >= 0))
    throw new InputError(`memoryLimit must be a number of bytes, not ${memoryLimit}`, { option: "memoryLimit" });
  signal?.throwIfAborted();
  const vectors = await openFile(file, memoryLimit);
  try {
    signal?.throwIfAborted();
    return asDataset(file, { ...vectors, labels: chosenLabels(vectors, labels, file) });
  } catch (error) {
    vectors.records.bytes.close();
    throw error;
  }
}

async function openFile(file: string, memoryLimit: number): Promise<LabelledImages> {
  switch (extname(file).toLowerCase()) {
    case ".npy":
      return openArray(openNpy(file, memoryLimit));
    case ".npz":
      return openArchive(readNpz(file), file);
    case ".parquet":
      return openVectorsParquet(file);
    case ".csv":
      return openVectorsCsv(file);
    default:
      throw new InputError(`${file}: vectors come from an .npy, .npz, .parquet or .csv file; give one of these`);
  }
}

function openArray(array: NumericArray): LabelledImages {
  try {
    return { records: vectorsIn(array) };
  } catch (error) {
    array.bytes.close();
    throw error;
  }
}

const arrayNames = [...vectorNames, "x"];
const labelNames = ["y", "labels"];

/** The array by its name, or the only one with two axes; labels are `y` or `labels`. */
function openArchive(archive: NpzArchive, file: string): LabelledImages {
  const { keys, array } = archive;
  const matrices = keys.filter((key) => !labelNames.includes(key) && isMatrix(archive, key));
  const vectors = arrayNames.find((name) => keys.includes(name)) ?? (matrices.length === 1 ? matrices[0] : undefined);
  if (vectors === undefined)
    throw new InputError(`${file}: holds ${keys.join(", ") || "no arrays"}; call the array of vectors features`);
  const labels = labelNames.find((name) => keys.includes(name));
  return {
    records: vectorsIn(array(vectors)),
    labels: labels === undefined ? undefined : labelsOf(readNumbers(array(labels)).map(String)),
  };
}

/** An array of a type that is not read here, such as text, is none. */
function isMatrix({ array }: NpzArchive, key: string): boolean {
  try {
    return array(key).shape.length === 2;
  } catch {
    return false;
  }
}

function asDataset(file: string, { records, labels, files }: LabelledImages): Dataset {
  const fingerprint = examineVectors(records, file);
  const store = new PixelStore(records, 1);
  return {
    name: file,
    origin: { source: resolve(file) },
    count: records.count,
    image: records.image,
    labels,
    skipped: [],
    fingerprint,
    itemName: (index) => files?.[index] ?? String(index),
    read: (indices, target) => store.read(indices, target),
    close: () => store.close(),
  };
}
