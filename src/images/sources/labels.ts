/** Labels from names, from sub-folders, or from a file. */

import { openBytes, readBytes } from "../../files/bytes.ts";
import { InputError } from "../../files/errors.ts";
import { isIdxName, openIdx } from "../../files/idx.ts";
import { openNpy } from "../../files/npy.ts";
import { type NumericArray, readNumbers } from "../../files/numeric-array.ts";
import type { Labels } from "../dataset.ts";
import { sortNaturally } from "./natural-order.ts";

/** Labels from the name of each image's label. */
export function labelsOf(labels: readonly string[]): Labels {
  const names = sortNaturally([...new Set(labels)], (name) => name);
  const numbers = new Map(names.map((name, number) => [name, number]));
  return { names, values: Int32Array.from(labels, (label) => numbers.get(label) ?? -1) };
}

/** The first folder of each file's path. */
export function labelsFromFolders(files: readonly string[], folder: string): Labels {
  return labelsOf(
    files.map((file) => {
      if (file.startsWith("../"))
        throw new InputError(`${folder}: ${file} is not in this folder and so has no label; give a file of labels`);
      const end = file.indexOf("/");
      if (end < 0) throw new InputError(`${folder}: ${file} is in no sub-folder and so has no label; move it into one`);
      return file.slice(0, end);
    }),
  );
}

/** The names of the images that labels are for. */
export interface LabelledItems {
  /** In order, including those that could not be read. */
  readonly all: readonly string[];
  readonly used: readonly string[];
}

/**
 * From IDX, .npy, or text. Text has one label per line, in the order of the images, or `file,label` lines in any order;
 * lines of other files are ignored.
 */
export function labelsFromFile(file: string, { all, used }: LabelledItems): Labels {
  const entries = readEntries(file);
  // Of very many images, one map more would take much memory.
  if (!(entries instanceof Map) && entries.length === all.length && used.length === all.length)
    return labelsOf(entries);
  const byName = entries instanceof Map ? entries : inOrder(entries, all, file);
  return labelsOf(
    used.map((name) => {
      const label = byName.get(name);
      if (label === undefined) throw new InputError(`${file}: has no label for ${name}; add a line "${name},label"`);
      return label;
    }),
  );
}

function inOrder(labels: readonly string[], all: readonly string[], file: string): Map<string, string> {
  if (labels.length !== all.length)
    throw new InputError(`${file}: has ${labels.length} labels for ${all.length} images; give one for each, in order`);
  return new Map(all.map((name, index) => [name, labels[index]]));
}

function readEntries(file: string): string[] | Map<string, string> {
  if (isIdxName(file)) return numbersAsText(openIdx(file));
  if (/\.npy$/i.test(file)) return numbersAsText(openNpy(file));
  const lines = readLines(file);
  const separated = lines.length > 0 && lines.every((line) => line.includes(","));
  return separated ? new Map(lines.map(splitLine)) : lines.map(unquoted);
}

function numbersAsText(array: NumericArray): string[] {
  try {
    return readNumbers(array).map(String);
  } finally {
    array.bytes.close();
  }
}

function readLines(file: string): string[] {
  const bytes = openBytes(file);
  try {
    const text = readBytes(bytes)
      .toString("utf8")
      .replace(/^\uFEFF/, "");
    if (text.includes("\0")) throw new InputError(`${file}: is not text; labels are text, .npy or IDX`);
    return text.split(/\r?\n/).filter((line) => line.trim() !== "");
  } finally {
    bytes.close();
  }
}

/** A file name may contain commas; a label may not. */
function splitLine(line: string): [name: string, label: string] {
  const comma = line.lastIndexOf(",");
  const name = unquoted(line.slice(0, comma)).replaceAll("\\", "/").replace(/^\.\//, "");
  return [name, unquoted(line.slice(comma + 1))];
}

const unquoted = (text: string): string => text.trim().replace(/^"(.*)"$/, "$1");
