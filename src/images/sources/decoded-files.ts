/**
 * A folder's images, decoded once. The pixels are in a cache file whose name is the SHA-256 of everything that they
 * depend on: where the folder is, each file's name, size and time of change, and the settings.
 */
import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { InputError } from "../../files/errors.ts";
import type { SkippedFile } from "../dataset.ts";
import { chooseImageSize, type SizeRequest } from "./common-size.ts";
import { type DecodeSettings, decodeImage, decoderVersion, type Fit } from "./decode.ts";
import { decodedFolder, noteUse, trimCache } from "./decoded-cache.ts";
import type { ImageFile } from "./image-files.ts";
import { mapInOrder } from "./in-order.ts";
import { type CachedImages, PixelCacheWriter, readPixelCache } from "./pixel-cache.ts";

export interface DecodeOptions extends SizeRequest {
  readonly fit: Fit;
  readonly cacheFolder: string;
  /** The most bytes that are kept there, beside what is in use. */
  readonly cacheLimit: number;
  readonly memoryLimit: number;
  readonly signal: AbortSignal | undefined;
  /** Is not called if the images are in the cache. */
  readonly onProgress: ((done: number, total: number) => void) | undefined;
}

export async function decodeFiles(
  root: string,
  files: readonly ImageFile[],
  options: DecodeOptions,
): Promise<CachedImages> {
  const { cacheFolder, cacheLimit: limit } = options;
  const cacheFile = join(decodedFolder(cacheFolder), `${cacheKey(root, files, options)}.pixels`);
  // Before it is read, so that no other process takes it for something that nobody uses.
  noteUse(cacheFile);
  const images = readPixelCache(cacheFile, options.memoryLimit) ?? (await decodeAnew(cacheFile, root, files, options));
  trimCache(cacheFolder, { limit, inUse: cacheFile });
  return images;
}

async function decodeAnew(
  cacheFile: string,
  root: string,
  files: readonly ImageFile[],
  options: DecodeOptions,
): Promise<CachedImages> {
  await decodeInto(cacheFile, root, files, options);
  const decoded = readPixelCache(cacheFile, options.memoryLimit);
  if (decoded === undefined) throw new Error(`${cacheFile} was changed while it was written`);
  return decoded;
}

function cacheKey(root: string, files: readonly ImageFile[], { size, channels, fit }: DecodeOptions): string {
  const settings = { decoderVersion, root: resolve(root), size, channels, fit };
  const hash = createHash("sha256").update(JSON.stringify(settings));
  for (const { path, size, modified } of files) hash.update(`\n${JSON.stringify([path, size, modified])}`);
  return hash.digest("hex");
}

async function decodeInto(
  cacheFile: string,
  root: string,
  files: readonly ImageFile[],
  options: DecodeOptions,
): Promise<void> {
  const paths = files.map(({ path }) => path);
  const image = await chooseImageSize(root, paths, options);
  const writer = new PixelCacheWriter(cacheFile, image);
  try {
    writer.finish(await decodeAll(root, paths, { image, fit: options.fit, writer, options }));
  } catch (error) {
    throw writer.abandon(error);
  }
}

interface Work extends DecodeSettings {
  readonly writer: PixelCacheWriter;
  readonly options: DecodeOptions;
}

async function decodeAll(
  root: string,
  paths: readonly string[],
  { writer, options, ...settings }: Work,
): Promise<{ files: string[]; skipped: SkippedFile[] }> {
  const used: string[] = [];
  const skipped: SkippedFile[] = [];
  const decode = (path: string) => decodeImage(join(root, path), settings);
  for await (const outcome of mapInOrder(paths, decode, availableParallelism())) {
    options.signal?.throwIfAborted();
    const file = paths[used.length + skipped.length];
    if ("reason" in outcome) skipped.push({ file, reason: outcome.reason });
    else {
      writer.append(outcome.result);
      used.push(file);
    }
    options.onProgress?.(used.length + skipped.length, paths.length);
  }
  if (used.length === 0) throw nothingReadable(root, skipped);
  return { files: used, skipped };
}

const nothingReadable = (root: string, [first, ...others]: readonly SkippedFile[]): InputError =>
  new InputError(
    `${root}: none of its images can be read; ${others.length + 1} left out, the first one, ${first.file}, because ` +
      `${first.reason}`,
  );
