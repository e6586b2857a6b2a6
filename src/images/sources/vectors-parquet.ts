/** Vectors from Parquet: a column of lists, as Hugging Face's datasets, pandas, Polars and our own export write it. */
import * as zlib from "node:zlib";
import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
} from "hyparquet";
import { openBytes, readBytes } from "../../files/bytes.ts";
import { InputError, reasonOf } from "../../files/errors.ts";
import { largestInflated } from "../../files/inflate.ts";
import type { LabelledImages } from "./labelled-images.ts";
import { labelsOf } from "./labels.ts";
import { labelColumns, nameColumns, vectorNames, vectorsFromRows } from "./vector-records.ts";

export async function openVectorsParquet(file: string): Promise<LabelledImages> {
  const bytes = openBytes(file, 0);
  try {
    const slice = (start: number, end = bytes.length) => new Uint8Array(readBytes(bytes, start, end - start)).buffer;
    return await readVectors({ byteLength: bytes.length, slice }, file);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${file}: cannot be read as Parquet (${reasonOf(error)}); write it again, with snappy`);
  } finally {
    bytes.close();
  }
}

async function readVectors(buffer: AsyncBuffer, file: string): Promise<LabelledImages> {
  const metadata = await parquetMetadataAsync(buffer);
  const columns = parquetSchema(metadata).children.map(({ element, children }) => ({
    name: element.name,
    list:
      element.repetition_type === "REPEATED" || children.some((child) => child.element.repetition_type === "REPEATED"),
  }));
  const vectors = vectorColumn(
    columns.filter(({ list }) => list).map(({ name }) => name),
    file,
  );
  const single = columns.filter(({ list }) => !list).map(({ name }) => name);
  const [names, labels] = [nameColumns, labelColumns].map((known) => known.find((name) => single.includes(name)));
  const wanted = [vectors, names, labels].filter((name) => name !== undefined);
  const [rows, files, classes]: [Float32Array[], unknown[], unknown[]] = [[], [], []];
  for await (const row of rowsOf(buffer, metadata, wanted, file)) {
    rows.push(numbersOf(row[vectors], `${file}: row ${rows.length} (from 0 on) of ${vectors}`));
    if (names !== undefined) files.push(row[names]);
    if (labels !== undefined) classes.push(row[labels]);
  }
  return {
    records: vectorsFromRows(rows, file),
    ...(isComplete(files) ? { files: files.map(String) } : {}),
    labels: isComplete(classes) ? labelsOf(classes.map(String)) : undefined,
  };
}

function vectorColumn(lists: readonly string[], file: string): string {
  const column = vectorNames.find((name) => lists.includes(name)) ?? (lists.length === 1 ? lists[0] : undefined);
  if (column === undefined)
    throw new InputError(
      `${file}: its columns of lists are ${lists.join(", ") || "none"}; call the one with the vectors features`,
    );
  return column;
}

/** Names and classes are of use only where no row lacks one. */
const isComplete = (values: readonly unknown[]): boolean =>
  values.length > 0 && values.every((value) => value !== undefined && value !== null);

/** One group of rows after another, since lists take far more memory than their numbers. */
async function* rowsOf(
  buffer: AsyncBuffer,
  metadata: FileMetaData,
  columns: string[],
  file: string,
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  let rowStart = 0;
  for (const { num_rows: count, columns: chunks } of metadata.row_groups) {
    const values = chunks
      .filter(({ meta_data: chunk }) => columns.includes(chunk?.path_in_schema[0] ?? ""))
      .reduce((sum, { meta_data: chunk }) => sum + Number(chunk?.num_values ?? 0), 0);
    if (values * Float64Array.BYTES_PER_ELEMENT > largestInflated)
      throw new InputError(`${file}: a group of rows has ${values} numbers; write smaller groups, or save as .npy`);
    const rowEnd = rowStart + Number(count);
    yield* await parquetReadObjects({ file: buffer, metadata, columns, rowStart, rowEnd, compressors });
    rowStart = rowEnd;
  }
}

function numbersOf(list: unknown, row: string): Float32Array {
  if (!Array.isArray(list)) throw new InputError(`${row} is no list of numbers; remove the row or repair it`);
  const numbers = new Float32Array(list.length);
  for (let at = 0; at < numbers.length; at++) {
    const value: unknown = list[at];
    if (typeof value !== "number" && typeof value !== "bigint")
      throw new InputError(`${row} holds ${value === null ? "nothing" : typeof value} in place of a number; repair it`);
    numbers[at] = Number(value);
  }
  return numbers;
}

/** Beside snappy, which hyparquet has itself. Zstandard, which Polars writes, came to Node with version 22.15. */
const compressors: Compressors = {
  GZIP: (content, length) => zlib.gunzipSync(content, { maxOutputLength: length }),
  BROTLI: (content, length) => zlib.brotliDecompressSync(content, { maxOutputLength: length }),
  ZSTD: (content) => {
    const decompress: unknown = Reflect.get(zlib, "zstdDecompressSync");
    const result: unknown = typeof decompress === "function" ? decompress(content) : undefined;
    if (!(result instanceof Uint8Array)) throw new Error("this version of Node cannot read Zstandard");
    return result;
  },
};
