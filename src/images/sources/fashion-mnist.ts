/**
 * Fashion-MNIST: pictures of clothes in the files of MNIST. Xiao, Rasul & Vollgraf (2017),
 * github.com/zalandoresearch/fashion-mnist; Debian has it as a package.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openIdxPairs } from "./digits.ts";
import type { LabelledImages } from "./labelled-images.ts";

export const fashionParts = ["train", "t10k"] as const;
export type FashionPart = (typeof fashionParts)[number];

const classes = [
  "T-shirt/top",
  "Trouser",
  "Pullover",
  "Dress",
  "Coat",
  "Sandal",
  "Shirt",
  "Sneaker",
  "Bag",
  "Ankle boot",
];

/** Where Debian's package dataset-fashion-mnist has it. */
const debianFolder = "/usr/share/datasets/fashion-mnist";

const filesOf = (part: FashionPart): readonly [images: string, labels: string] => [
  `${part}-images-idx3-ubyte`,
  `${part}-labels-idx1-ubyte`,
];

/** The user's own folder, else Debian's. */
export const findFashion = (dataFolder: string): string | undefined =>
  [join(dataFolder, "fashion-mnist"), debianFolder].find((folder) =>
    fashionParts.flatMap(filesOf).every((name) => fileIn(folder, name) !== undefined),
  );

export const openFashion = (folder: string, parts: readonly FashionPart[]): LabelledImages =>
  openIdxPairs(
    parts.map((part) => {
      const [images, labels] = filesOf(part).map((name) => fileIn(folder, name) ?? join(folder, name));
      return [images, labels];
    }),
    (label) => classes[label] ?? String(label),
  );

/** As it is published, or decompressed. */
const fileIn = (folder: string, name: string): string | undefined =>
  [`${name}.gz`, name].map((one) => join(folder, one)).find(existsSync);
