/**
 * What was made of images and can be made again, decoded pixels and vectors of backbones, kept within a limit: what was
 * used longest ago goes first. Several processes may use it at once: a file that one has open stays readable to it, and
 * what was used just now is left to whoever is about to.
 */
import { readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { codeOf, fileError } from "../../files/errors.ts";
import { userCacheFolder } from "../../files/user-folders.ts";

/** In bytes. */
export const defaultCacheLimit = 4 * 2 ** 30;

export const decodedFolder = (cacheFolder: string): string => join(cacheFolder, "decoded");
export const vectorsFolder = (cacheFolder: string): string => join(cacheFolder, "vectors");

/** Named by the SHA-256 of what they depend on; hidden while they are written. */
const finished = /^[0-9a-f]{64}\.(pixels|vectors)$/;
const unfinished = /^\.?[0-9a-f]{64}\.pixels\.([0-9a-f-]+\.tmp|partial(\.json(\.new)?)?|lock)$/;

/** Milliseconds for which a file counts as used just now, and as still being written. */
const [justNow, writing] = [60_000, 3_600_000];

interface CacheFile {
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds since it was last used, or written to. */
  readonly age: number;
  readonly finished: boolean;
}

export interface CacheSize {
  readonly folder: string;
  /** One for each folder of images and way to decode it, and one for each backbone. */
  readonly files: number;
  readonly bytes: number;
}

/** How much there is of decoded images and of vectors. `cacheFolder` is that of `openDataset`. */
export function cacheSize(cacheFolder: string = userCacheFolder()): CacheSize {
  return sizeOf(cacheFolder, listFiles(cacheFolder));
}

/** Removes decoded images and vectors, and leaves whatever else is there; returns what was removed. */
export function clearCache(cacheFolder: string = userCacheFolder()): CacheSize {
  const removable = listFiles(cacheFolder).filter((file) => file.finished || file.age > writing);
  return sizeOf(cacheFolder, removable.filter(remove));
}

/** So that it is not the next to go. A cache that cannot be written to is none of the reader's concern. */
export function noteUse(file: string): void {
  try {
    const now = new Date();
    utimesSync(file, now, now);
  } catch (error) {
    if (codeOf(error) === "") throw error;
  }
}

/** Until there are no more bytes than `limit`; `inUse` stays in any case. */
export function trimCache(cacheFolder: string, { limit, inUse }: { limit: number; inUse: string }): void {
  const files = listFiles(cacheFolder);
  let bytes = sizeOf(cacheFolder, files).bytes;
  const oldestFirst = files
    .filter((file) => file.path !== inUse && file.age > (file.finished ? justNow : writing))
    .sort((a, b) => b.age - a.age);
  for (const file of oldestFirst) {
    if (bytes <= limit) return;
    if (remove(file)) bytes -= file.bytes;
  }
}

const sizeOf = (cacheFolder: string, files: readonly CacheFile[]): CacheSize => ({
  folder: cacheFolder,
  files: files.length,
  bytes: files.reduce((total, { bytes }) => total + bytes, 0),
});

/** Of ours; what another process removes meanwhile is not there. */
function listFiles(cacheFolder: string): CacheFile[] {
  return [decodedFolder(cacheFolder), vectorsFolder(cacheFolder)].flatMap((folder) =>
    namesIn(folder).flatMap((name) => {
      if (!finished.test(name) && !unfinished.test(name)) return [];
      const path = join(folder, name);
      const status = statSync(path, { throwIfNoEntry: false });
      if (status === undefined) return [];
      return [{ path, bytes: status.size, age: Date.now() - status.mtimeMs, finished: finished.test(name) }];
    }),
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw fileError("read", folder, error);
  }
}

/** Whether it is gone: not every system removes what somebody has open. */
function remove({ path }: CacheFile): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch (error) {
    if (codeOf(error) === "") throw error;
    return false;
  }
}
