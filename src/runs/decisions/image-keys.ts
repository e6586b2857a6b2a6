/**
 * The keys of a run's images, kept in the run as `images.sha256`, in the format of sha256sum: of a folder of images,
 * `sha256sum --check` finds those that have changed since.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeChunksAtomically } from "../../files/atomic.ts";
import { InputError, reasonOf } from "../../files/errors.ts";
import { fileHash, imageHashes } from "../../images/content-hash.ts";
import type { Dataset } from "../../images/dataset.ts";
import { mapInOrder } from "../../images/sources/in-order.ts";
import { isNamedSet } from "../../images/sources/named-sets.ts";
import { openVectors } from "../../images/sources/vectors-file.ts";
import { readAssignments } from "../run-folder.ts";
import { openRunImages, type RunImagesOptions } from "../run-images.ts";
import { isOfVectorsAlone, type RunRecord, readRecord } from "../run-record.ts";
import type { ImageKey } from "./decision.ts";
import { keysFile } from "./file-names.ts";

/** Hexadecimal digits of a hash that make a key. */
const keyLength = 32;

/** In the order of the run's assignments. Computed once, as long as the run's images stay the same. */
export async function imageKeys(run: string, options: RunImagesOptions = {}): Promise<readonly ImageKey[]> {
  return (await imageSums(run, options)).map(keyOfHash);
}

/** Of a hash in hexadecimal. */
export const keyOfHash = (hash: string): ImageKey => hash.slice(0, keyLength);

/** The hashes themselves, in hexadecimal. */
export async function imageSums(run: string, options: RunImagesOptions = {}): Promise<readonly string[]> {
  const items = readAssignments(run).map(({ item }) => item);
  return keptHashes(run, items) ?? (await computedHashes(run, items, options));
}

/** What `images.sha256` has of them. */
export function* sumLines(hashes: readonly string[], items: readonly string[]): Generator<string> {
  for (const [image, hash] of hashes.entries()) yield `${sumLine(hash, items[image])}\n`;
}

/** Undefined where there are none, or those of other images. */
function keptHashes(run: string, items: readonly string[]): string[] | undefined {
  const path = join(run, keysFile);
  if (!existsSync(path)) return undefined;
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
  const fits =
    lines.length === items.length && lines.every((line, image) => line === sumLine(hashIn(line), items[image]));
  return fits ? lines.map(hashIn) : undefined;
}

const hashIn = (line: string): string => /[0-9a-f]{64}/.exec(line)?.[0] ?? "";

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r" };

/** As sha256sum has it: a name with a line break or a backslash is escaped, and so is marked the line. */
function sumLine(hash: string, item: string): string {
  const escaped = item.replace(/[\\\n\r]/g, (character) => escapes[character]);
  return `${escaped === item ? "" : "\\"}${hash}  ${escaped}`;
}

async function computedHashes(run: string, items: readonly string[], options: RunImagesOptions): Promise<string[]> {
  const hashes: string[] = [];
  for await (const hash of hashesOf(readRecord(run), items, options)) {
    options.signal?.throwIfAborted();
    hashes.push(hash.toString("hex"));
  }
  writeChunksAtomically(join(run, keysFile), sumLines(hashes, items));
  return hashes;
}

async function* hashesOf(
  record: RunRecord,
  items: readonly string[],
  options: RunImagesOptions,
): AsyncGenerator<Buffer> {
  const source = options.images ?? String(record.settings.source);
  if (!isNamedSet(source) && statSync(source, { throwIfNoEntry: false })?.isDirectory()) {
    yield* fileHashes(source, items);
    return;
  }
  const dataset = await openContent(record, source, options);
  try {
    yield* imageHashes(dataset);
  } finally {
    dataset.close();
  }
}

const openContent = (record: RunRecord, source: string, options: RunImagesOptions): Promise<Dataset> =>
  isOfVectorsAlone(record)
    ? openVectors(source, { labels: "none", signal: options.signal })
    : openRunImages(record, options);

/** Files that are read at the same time. */
const concurrency = 16;

/** As hexadecimal digits, in order, or why a file cannot be read. */
export const fileSums = (folder: string, items: readonly string[]): AsyncGenerator<string | InputError> =>
  mapInOrder(
    items,
    (item) =>
      readFile(join(folder, item)).then(
        (content) => fileHash(content).toString("hex"),
        (error: unknown) => missing(join(folder, item), error),
      ),
    concurrency,
  );

async function* fileHashes(folder: string, items: readonly string[]): AsyncGenerator<Buffer> {
  const outcomes = fileSums(folder, items);
  for await (const outcome of outcomes) {
    if (outcome instanceof InputError) throw outcome;
    yield Buffer.from(outcome, "hex");
  }
}

const missing = (file: string, error: unknown): InputError =>
  new InputError(
    `${file}: an image of the run cannot be read (${reasonOf(error)}); put it back, or say where the images are`,
    { option: "images" },
  );
