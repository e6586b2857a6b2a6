/** Images that are to join a run: files for a run of files, arrays and named sets for any other. */
import { statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { pause } from "../engine/pause.ts";
import { InputError } from "../files/errors.ts";
import { imageHashes } from "../images/content-hash.ts";
import type { AddedImages, Dataset, SkippedFile } from "../images/dataset.ts";
import { formatImageSize } from "../images/image.ts";
import { joinDatasets, withoutImages } from "../images/joined-dataset.ts";
import { isImageName } from "../images/sources/decode.ts";
import { listImageFiles } from "../images/sources/image-files.ts";
import { isNamedSet } from "../images/sources/named-sets.ts";
import { openDataset } from "../images/sources/open.ts";
import { rawTwins } from "../images/sources/raw-twins.ts";
import { fileSums } from "./decisions/image-keys.ts";
import { decodingOf, type RunImagesOptions } from "./run-images.ts";
import { isOfVectorsAlone, type RunRecord } from "./run-record.ts";

export interface NewImages {
  /** Undefined where none is new. */
  readonly dataset: Dataset | undefined;
  readonly added: readonly AddedImages[];
  /** One for each of `added`. */
  readonly fingerprints: readonly string[];
  /** The hash of each, in hexadecimal. */
  readonly hashes: readonly string[];
  /** Those that are in the run already. */
  readonly known: readonly string[];
  /** Files that could not be read, and why. */
  readonly skipped: readonly SkippedFile[];
}

/** What the run has already: the hashes of its images, and their names. */
export interface Present {
  readonly hashes: ReadonlySet<string>;
  readonly items: ReadonlySet<string>;
}

export async function openNewImages(
  record: RunRecord,
  sources: readonly string[],
  present: Present,
  options: RunImagesOptions,
): Promise<NewImages> {
  if (isOfVectorsAlone(record) || record.settings.features !== undefined)
    throw new InputError("the run was made of vectors from a file, and no images can join it; make it again with all");
  const root = options.images ?? String(record.settings.source);
  const isFolder = !isNamedSet(root) && statSync(root, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder
    ? newFiles(record, root, sources, present, options)
    : newArrays(record, sources, present.hashes, options);
}

async function newFiles(
  record: RunRecord,
  root: string,
  sources: readonly string[],
  present: Present,
  { images, ...places }: RunImagesOptions,
): Promise<NewImages> {
  const listed = sources.flatMap(filesOf);
  const twins = rawTwins(listed);
  const skipped: SkippedFile[] = [...twins].map(([file, reason]) => ({ file, reason }));
  const files = listed.filter((file) => !twins.has(file));
  const items = files.map((file) => relative(root, file).replaceAll("\\", "/"));
  const known: string[] = [];
  const hashes = new Map<string, string>();
  const seen = new Set(present.hashes);
  let next = 0;
  for await (const sum of fileSums(root, items)) {
    places.signal?.throwIfAborted();
    const [item, file] = [items[next], files[next++]];
    const hash = sum instanceof InputError ? "" : sum;
    if (sum instanceof InputError) skipped.push({ file, reason: "it cannot be read" });
    else if (seen.has(hash)) known.push(file);
    else if (present.items.has(item)) skipped.push({ file, reason: "it has changed since it joined the run" });
    else {
      seen.add(hash);
      hashes.set(item, hash);
    }
  }
  if (hashes.size === 0) return { dataset: undefined, added: [], fingerprints: [], hashes: [], known, skipped };
  const inFolder = listImageFiles(root).map(({ path }) => path);
  const settings = { ...places, labels: "none", ...decodingOf(record, root) };
  const dataset = await openDataset(root, { ...settings, files: [...hashes.keys()] });
  const names = Array.from({ length: dataset.count }, (_, image) => dataset.itemName(image));
  // What could not be read is left out by itself, with the reason; unless it is a copy of another image by now.
  const copies = new Set(known);
  const unreadable = record.dataset.skipped.filter((file) => !copies.has(resolve(root, file)));
  const accounted = new Set([...present.items, ...names, ...unreadable]);
  // Whoever opens the run later leaves these out again.
  const leftOut = inFolder.filter((file) => !accounted.has(file));
  return {
    dataset,
    added: [{ files: names, leftOut }],
    fingerprints: [dataset.fingerprint],
    hashes: names.map((name) => hashes.get(name) ?? ""),
    known,
    skipped: [...skipped, ...dataset.skipped.map(({ file, reason }) => ({ file: join(root, file), reason }))],
  };
}

/** Absolute. */
function filesOf(source: string): string[] {
  const status = statSync(source, { throwIfNoEntry: false });
  if (status?.isDirectory()) return listImageFiles(source).map(({ path }) => resolve(source, path));
  if (status !== undefined && isImageName(source)) return [resolve(source)];
  throw new InputError(
    status === undefined
      ? `${source}: there is no such file or folder`
      : `${source}: the run was made of image files; give folders or files of images`,
  );
}

/** Images between two moments in which a signal can arrive. */
const hashedAtOnce = 1024;

async function newArrays(
  record: RunRecord,
  sources: readonly string[],
  present: ReadonlySet<string>,
  { images, ...places }: RunImagesOptions,
): Promise<NewImages> {
  const parts: Dataset[] = [];
  const opened: Dataset[] = [];
  const added: AddedImages[] = [];
  const [hashes, known]: [string[], string[]] = [[], []];
  const seen = new Set(present);
  try {
    for (const source of sources) {
      const dataset = await openArray(record, source, places);
      opened.push(dataset);
      const leftOut: number[] = [];
      let image = 0;
      for (const sum of imageHashes(dataset)) {
        if (image % hashedAtOnce === 0) await pause();
        places.signal?.throwIfAborted();
        const hash = sum.toString("hex");
        if (seen.has(hash)) {
          known.push(`${source}: image ${image}`);
          leftOut.push(image);
        } else hashes.push(hash);
        seen.add(hash);
        image++;
      }
      if (leftOut.length === dataset.count) dataset.close();
      else {
        parts.push(withoutImages(dataset, leftOut));
        added.push({ source: dataset.origin.source, leftOut });
      }
    }
    const [first, ...others] = parts;
    const dataset = first === undefined ? undefined : joinDatasets([first, ...others]);
    const fingerprints = parts.map(({ fingerprint }) => fingerprint);
    return { dataset, added, fingerprints, hashes, known, skipped: [] };
  } catch (error) {
    for (const dataset of opened) dataset.close();
    throw error;
  }
}

async function openArray(record: RunRecord, source: string, places: RunImagesOptions): Promise<Dataset> {
  if (!isNamedSet(source) && statSync(source, { throwIfNoEntry: false })?.isDirectory())
    throw new InputError(`${source}: the run was made of an array of images; give arrays or named sets`);
  const dataset = await openDataset(source, { ...places, labels: "none" });
  const [given, wanted] = [dataset.image, record.dataset.image].map(formatImageSize);
  if (given === wanted) return dataset;
  dataset.close();
  throw new InputError(`${source}: its images are ${given}, and those of the run ${wanted}`);
}
