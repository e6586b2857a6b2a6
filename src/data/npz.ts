/** NumPy's .npz: .npy files in a zip archive. */
import { unzipSync } from "fflate";
import { InputError } from "../errors.ts";
import { memoryBytes, openBytes, readBytes } from "./bytes.ts";
import { largestInflated, tooLarge } from "./inflate.ts";
import type { LabelledImages } from "./labelled-images.ts";
import { labelsOf } from "./labels.ts";
import { parseNpy } from "./npy.ts";
import { imagesOf, type NumericArray, readNumbers } from "./numeric-array.ts";
import { reasonOf } from "./reason.ts";

const extension = ".npy";
const imageNames = ["x", "images"];
const labelNames = ["y", "labels"];
const advice = "save the images as .npy, which need not fit in memory";

/** Deflate makes nothing smaller than this: what claims more is damaged. */
const largestRatio = 1032;

/** The array `x` or `images`, or the only one beside the labels, which are `y` or `labels`. */
export function openNpz(file: string): LabelledImages {
  const entries = unzip(file);
  const keys = Object.keys(entries).map((entry) => entry.slice(0, -extension.length));
  const array = (key: string): NumericArray => parseNpy(memoryBytes(entries[key + extension]), `${file} (${key})`);
  const others = keys.filter((key) => !labelNames.includes(key));
  const images = imageNames.find((name) => keys.includes(name)) ?? (others.length === 1 ? others[0] : undefined);
  if (images === undefined)
    throw new InputError(`${file}: holds ${keys.join(", ") || "no arrays"}; call the images' array x or images`);
  const labels = labelNames.find((name) => keys.includes(name));
  return {
    records: imagesOf(array(images)),
    labels: labels === undefined ? undefined : labelsOf(readNumbers(array(labels)).map(String)),
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
