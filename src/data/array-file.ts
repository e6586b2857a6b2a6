/** Files that hold all images in one array. */
import { extname } from "node:path";
import { InputError } from "../errors.ts";
import { isIdxName, openIdx } from "./idx.ts";
import type { LabelledImages } from "./labelled-images.ts";
import { openNpy } from "./npy.ts";
import { openNpz } from "./npz.ts";
import { imagesOf, type NumericArray } from "./numeric-array.ts";
import { openUspsMat } from "./usps-mat.ts";

/** The labels are those in the file itself, if there are any. */
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
