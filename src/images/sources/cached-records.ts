/**
 * What is made of each file of a folder, made once: equally long records in a cache file whose name is the SHA-256 of
 * everything that they depend on: where the folder is, each file's name, size and time of change, and the settings.
 */
import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { InputError } from "../../files/errors.ts";
import type { SkippedFile } from "../dataset.ts";
import type { ImageSize } from "../image.ts";
import type { Outcome } from "./decode.ts";
import { decodedFolder, noteUse, trimCache } from "./decoded-cache.ts";
import type { ImageFile } from "./image-files.ts";
import { mapInOrder } from "./in-order.ts";
import { type CachedImages, PixelCacheWriter, readPixelCache } from "./pixel-cache.ts";

export interface RecordOptions {
  readonly cacheFolder: string;
  /** The most bytes that are kept there, beside what is in use. */
  readonly cacheLimit: number;
  readonly memoryLimit: number;
  readonly signal: AbortSignal | undefined;
  /** Is not called if the records are in the cache. */
  readonly onProgress: ((done: number, total: number) => void) | undefined;
}

export interface RecordWork extends RecordOptions {
  /** The settings that the records depend on; what is undefined does not count. */
  readonly key: Readonly<Record<string, unknown>>;
  readonly recordSize: () => Promise<ImageSize>;
  readonly makeRecord: (path: string, size: ImageSize) => Promise<Outcome<Uint8Array>>;
}

export async function cachedRecords(
  root: string,
  files: readonly ImageFile[],
  work: RecordWork,
): Promise<CachedImages> {
  const { cacheFolder, cacheLimit: limit } = work;
  const cacheFile = join(decodedFolder(cacheFolder), `${cacheKey(root, files, work)}.pixels`);
  // Before it is read, so that no other process takes it for something that nobody uses.
  noteUse(cacheFile);
  const images = readPixelCache(cacheFile, work.memoryLimit) ?? (await makeAnew(cacheFile, root, files, work));
  trimCache(cacheFolder, { limit, inUse: cacheFile });
  return images;
}

async function makeAnew(
  cacheFile: string,
  root: string,
  files: readonly ImageFile[],
  work: RecordWork,
): Promise<CachedImages> {
  await writeRecords(cacheFile, root, files, work);
  const made = readPixelCache(cacheFile, work.memoryLimit);
  if (made === undefined) throw new Error(`${cacheFile} was changed while it was written`);
  return made;
}

function cacheKey(root: string, files: readonly ImageFile[], { key }: RecordWork): string {
  const hash = createHash("sha256").update(JSON.stringify({ root: resolve(root), ...key }));
  for (const { path, size, modified } of files) hash.update(`\n${JSON.stringify([path, size, modified])}`);
  return hash.digest("hex");
}

async function writeRecords(
  cacheFile: string,
  root: string,
  files: readonly ImageFile[],
  work: RecordWork,
): Promise<void> {
  const size = await work.recordSize();
  const writer = new PixelCacheWriter(cacheFile, size);
  try {
    const paths = files.map(({ path }) => path);
    await makeAll(paths, { size, writer, work });
    const { skipped } = writer;
    if (skipped.length === paths.length) throw nothingReadable(root, skipped);
    const without = new Set(skipped.map(({ file }) => file));
    writer.finish(paths.filter((path) => !without.has(path)));
  } catch (error) {
    writer.leave();
    throw error;
  }
}

interface Writing {
  readonly size: ImageSize;
  readonly writer: PixelCacheWriter;
  readonly work: RecordWork;
}

/** Goes on after the files that are done. */
async function makeAll(paths: readonly string[], { size, writer, work }: Writing): Promise<void> {
  const make = (path: string) => work.makeRecord(path, size);
  for await (const outcome of mapInOrder(paths.slice(writer.done), make, availableParallelism())) {
    work.signal?.throwIfAborted();
    if ("reason" in outcome) writer.skip({ file: paths[writer.done], reason: outcome.reason });
    else writer.append(outcome.result);
    work.onProgress?.(writer.done, paths.length);
  }
}

const nothingReadable = (root: string, [first, ...others]: readonly SkippedFile[]): InputError =>
  new InputError(
    `${root}: none of its images can be read; ${others.length + 1} left out, the first one, ${first.file}, because ` +
      `${first.reason}`,
  );
