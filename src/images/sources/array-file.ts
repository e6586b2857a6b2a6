/** Files that hold all images as one array. */
import { extname } from "node:path";
import { InputError } from "../../files/errors.ts";
import { isIdxName, openIdx } from "../../files/idx.ts";
import { openNpy } from "../../files/npy.ts";
import { readNpz } from "../../files/npz.ts";
import { type NumericArray, readNumbers } from "../../files/numeric-array.ts";
import { imagesOf } from "./image-array.ts";
import type { LabelledImages } from "./labelled-images.ts";
import { labelsOf } from "./labels.ts";
import { openUspsMat } from "./usps-mat.ts";

/** The labels are the file's own, if it has any. */
export function openArrayFile(file: string, memoryLimit: number): LabelledImages {
  if (isIdxName(file)) return imagesIn(openIdx(file, memoryLimit));
  switch (extname(file).toLowerCase()) {
    case ".npy":
      return imagesIn(openNpy(file, memoryLimit));
    case ".npz":
      return openNpz(file);
    case ".mat":
      return openUspsMat(file);
    default:
      throw new InputError(
        `${file}: give a folder of images, or an IDX (such as x-idx3-ubyte), .npy, .npz or .mat file`,
      );
  }
}

function imagesIn(array: NumericArray): LabelledImages {
  try {
    return { records: imagesOf(array) };
  } catch (error) {
    array.bytes.close();
    throw error;
  }
}

const imageNames = ["x", "images"];
const labelNames = ["y", "labels"];

/** The array `x` or `images`, or the only one beside the labels, which are `y` or `labels`. */
function openNpz(file: string): LabelledImages {
  const { keys, array } = readNpz(file);
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
