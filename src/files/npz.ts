/** NumPy's .npz: .npy files in a zip archive. */
import { unzipSync } from "fflate";
import { memoryBytes, openBytes, readBytes } from "./bytes.ts";
import { InputError, reasonOf } from "./errors.ts";
import { largestInflated, tooLarge } from "./inflate.ts";
import { parseNpy } from "./npy.ts";
import type { NumericArray } from "./numeric-array.ts";

const extension = ".npy";
const advice = "save the images as .npy, which need not fit in memory";

/** Deflate makes nothing smaller than this: what claims more is damaged. */
const largestRatio = 1032;

export interface NpzArchive {
  /** What its arrays are called. */
  readonly keys: readonly string[];
  array(key: string): NumericArray;
}

/** Arrays are looked at when they are asked for: one of a type that we do not read harms no other. */
export function readNpz(file: string): NpzArchive {
  const entries = unzip(file);
  return {
    keys: Object.keys(entries).map((entry) => entry.slice(0, -extension.length)),
    array: (key) => parseNpy(memoryBytes(entries[key + extension]), `${file} (${key})`),
  };
}

function unzip(file: string): Record<string, Uint8Array> {
  const bytes = openBytes(file, 0);
  try {
    if (bytes.length > largestInflated) throw tooLarge(file, advice);
    let total = 0;
    return unzipSync(readBytes(bytes), {
      filter: ({ name, size, originalSize }) => {
        if (!name.endsWith(extension)) return false;
        if (originalSize > largestRatio * (size + 1)) throw new Error("an entry's size cannot be right");
        total += originalSize;
        if (total > largestInflated) throw tooLarge(file, advice);
        return true;
      },
    });
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${file}: this is not a readable .npz file (${reasonOf(error)}); save it with numpy.savez`);
  } finally {
    bytes.close();
  }
}
