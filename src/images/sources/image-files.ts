/** The image files of a folder and its sub-folders. */
import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { InputError, reasonOf } from "../../files/errors.ts";
import { isImageName } from "./decode.ts";
import { sortNaturally } from "./natural-order.ts";

export interface ImageFile {
  /** Relative to the folder, with slashes. */
  readonly path: string;
  readonly size: number;
  /** The time of the last change, including permissions, in milliseconds. */
  readonly modified: number;
}

/**
 * Folders in which other programs keep what is not the user's own pictures: thumbnails (Synology, Lightroom), deleted
 * files, what macOS adds to archives, smaller versions within photo libraries. Most others are hidden by a dot.
 */
const foreignFolders =
  /^(@eaDir|__MACOSX|\$RECYCLE\.BIN|#recycle|@Recycle|System Volume Information|lost\+found|.*\.lrdata)$/i;
const foreignPaths = /\.photoslibrary\/(resources|database|private|scopes)$/i;

/**
 * In natural order. Hidden files and folders are ignored, and those of other programs; links are followed, to each
 * folder once.
 */
export function listImageFiles(root: string): ImageFile[] {
  const files: ImageFile[] = [];
  const seen = new Set<string>();
  const visit = (folder: string): void => {
    const { real, entries } = readFolder(join(root, folder));
    if (seen.has(real)) return;
    seen.add(real);
    for (const { name } of entries) {
      const path = folder === "" ? name : `${folder}/${name}`;
      const status = statusOf(join(root, path));
      if (status?.isDirectory()) {
        if (!foreignFolders.test(name) && !foreignPaths.test(join(root, path).replaceAll("\\", "/"))) visit(path);
      } else if (isImageName(name) && (status === undefined || status.isFile())) files.push(imageFile(root, path));
    }
  };
  visit("");
  return sortNaturally(files, ({ path }) => path);
}

/** One of them, wherever it is. */
export function imageFile(root: string, path: string): ImageFile {
  const status = statusOf(join(root, path));
  return { path, size: status?.size ?? 0, modified: Math.max(status?.mtimeMs ?? 0, status?.ctimeMs ?? 0) };
}

function readFolder(folder: string): { real: string; entries: Dirent[] } {
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !name.startsWith("."));
    return { real: realpathSync(folder), entries: sortNaturally(entries, ({ name }) => name) };
  } catch (error) {
    throw new InputError(`${folder}: cannot be read (${reasonOf(error)}); change that, or move it elsewhere`);
  }
}

/** Undefined for a broken link, which counts as an unreadable image. */
function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
