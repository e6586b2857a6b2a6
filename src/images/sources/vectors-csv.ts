/** Vectors from CSV: a line per vector, perhaps below a heading, perhaps with names in the first column. */
import { openBytes, readBytes } from "../../files/bytes.ts";
import { csvRows } from "../../files/csv.ts";
import { InputError, reasonOf } from "../../files/errors.ts";
import type { LabelledImages } from "./labelled-images.ts";
import { labelsOf } from "./labels.ts";
import { labelColumns, nameColumns, vectorsFromRows } from "./vector-records.ts";

/** Text in memory is twice as large as the file, and V8 takes no longer text than this. */
const largestText = 2 ** 29 - 25;

/** Which column is what. */
interface Columns {
  readonly heading: boolean;
  readonly width: number;
  readonly names: boolean;
  /** -1: none. */
  readonly labels: number;
}

export function openVectorsCsv(file: string): LabelledImages {
  const text = textOf(file);
  try {
    return readVectors(text, file);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${file}: is not CSV (${reasonOf(error)}); save the vectors as numbers between commas`);
  }
}

function textOf(file: string): string {
  const bytes = openBytes(file, 0);
  try {
    if (bytes.length > largestText)
      throw new InputError(`${file}: is more than 512 MB; save the vectors as .npy, which need not fit in memory`);
    return readBytes(bytes)
      .toString("utf8")
      .replace(/^\uFEFF/, "");
  } finally {
    bytes.close();
  }
}

function readVectors(text: string, file: string): LabelledImages {
  const [first = [], second] = csvRows(text);
  const columns = columnsOf(first, second);
  const [vectors, names, labels]: [Float32Array[], string[], string[]] = [[], [], []];
  let row = columns.heading ? -1 : 0;
  for (const cells of csvRows(text)) {
    if (row >= 0) {
      vectors.push(numbersOf(cells, columns, `${file}: row ${row} (from 0 on)`));
      if (columns.names) names.push(cells[0]);
      if (columns.labels >= 0) labels.push(cells[columns.labels]);
    }
    row++;
  }
  return {
    records: vectorsFromRows(vectors, file),
    ...(columns.names ? { files: names } : {}),
    labels: columns.labels < 0 ? undefined : labelsOf(labels),
  };
}

/** A first line is a heading if it names a column of names, has text where numbers belong, or counts its columns. */
function columnsOf(first: readonly string[], second: readonly string[] = []): Columns {
  const headings = first.map((cell) => cell.trim().toLowerCase());
  const [start = "", ...others] = headings;
  const heading =
    isCounted(headings) ||
    nameColumns.includes(start) ||
    others.some((cell) => isText(cell)) ||
    (isText(start) && isNumber(second[0]));
  const labels = heading ? headings.findIndex((one) => labelColumns.includes(one)) : -1;
  const named = heading && (start === "" || nameColumns.includes(start));
  return {
    heading,
    width: first.length,
    labels,
    names: named || (labels !== 0 && isText((heading ? second : first)[0])),
  };
}

/** As pandas heads columns without names: 0,1,2 and so on, behind an empty field if there is an index. */
const isCounted = ([start, ...others]: readonly string[]): boolean =>
  start === ""
    ? others.every((heading, at) => heading === String(at))
    : start === "0" && others.length > 1 && others.every((heading, at) => heading === String(at + 1));

const isText = (cell = ""): boolean => cell.trim() !== "" && !isNumber(cell);

const isNumber = (cell = ""): boolean => cell.trim() !== "" && (!Number.isNaN(Number(cell)) || notFinite.test(cell));
/** As Python and C write them. */
const notFinite = /^\s*[+-]?(nan|inf|infinity)\s*$/i;

function numbersOf(cells: readonly string[], { width, names, labels }: Columns, row: string): Float32Array {
  if (cells.length !== width)
    throw new InputError(`${row} has ${cells.length} fields, and the first line has ${width}; make them equal`);
  const taken = cells.filter((_, column) => column !== labels && !(names && column === 0));
  const text = taken.find((cell) => !isNumber(cell));
  if (text !== undefined)
    throw new InputError(`${row} holds ${JSON.stringify(text)}, which is no number; only the first column may be text`);
  return Float32Array.from(taken, Number);
}
