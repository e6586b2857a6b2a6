/** What a result says beyond its clusters: which images belong to none, and coarser and finer groups. */
import {
  type BelongingOptions,
  belonging,
  expectNone,
  type NoneSetting,
  neighbourDistances,
  putAside,
} from "../clustering/belonging.ts";
import type { ClusterTree } from "../clustering/cluster-tree.ts";
import { clusterTree } from "../clustering/grow-tree.ts";
import { type SessionOptions, sessionOptions } from "../engine/session.ts";
import type { Images } from "../images/dataset.ts";
import { pixelCount } from "../images/image.ts";
import { shrinkFactor, shrunkDataset } from "../images/shrunk-dataset.ts";
import { featureSize } from "../network/shapes.ts";
import { matrix } from "../numeric/matrix.ts";
import type { Fitted } from "./fitted.ts";

export interface StructureOptions extends SessionOptions {
  /** Which images belong nowhere: none, those that stick out, or a share of all. Default: "auto". */
  readonly none?: NoneSetting;
  readonly signal?: AbortSignal | undefined;
}

/** How well each image belongs to the others, and those that are put aside. */
export interface Belonging {
  readonly setting: NoneSetting;
  /** [images]: 0 for the median image, below 0 for those farther from others. */
  readonly values: Float32Array;
  /** [images]: 1 for those that belong nowhere. */
  readonly none: Uint8Array;
}

export interface Structure {
  /** Absent where `none` is "off". */
  readonly belonging?: Belonging;
  readonly tree: ClusterTree;
}

export async function structureOf(fitted: Fitted, images: Images, options: StructureOptions = {}): Promise<Structure> {
  const { none = "auto", signal } = options;
  expectNone(none);
  const { architecture, assignments, k } = fitted;
  const shared = { k, signal, ...sessionOptions(options) };
  const features = matrix(fitted.features, featureSize(architecture), "features");
  const tree = await clusterTree(features, assignments, shared);
  if (none === "off") return { tree };
  const values = belonging(await imageDistances(images, shared));
  return { tree, belonging: { setting: none, values, none: putAside(values, none) } };
}

/** Details do not make an image foreign, and distances of small images take less time. */
const side = 28;

/**
 * The most images that are compared with one another, the most numbers that they are, and the most comparisons in all;
 * so many images at the least, however many there are.
 */
const most = { images: 100_000, numbers: 1 << 26, comparisons: 1e10 };
const fewestCompared = 10_000;

/** How many of `count` images are compared with one another. */
export function comparedAtOnce(count: number, pixels: number): number {
  const affordable = Math.max(fewestCompared, Math.floor(most.comparisons / count));
  return Math.min(most.images, affordable, Math.max(2000, Math.floor(most.numbers / pixels)));
}

/**
 * On images as they went in, not on features: training draws every image to a centre, foreign ones too. Where images are
 * very many, those at every n-th place are compared with one another, as a sample of all.
 */
async function imageDistances(images: Images, options: BelongingOptions): Promise<Float32Array> {
  const small = shrunkDataset(images, shrinkFactor(images.image, side));
  const pixels = pixelCount(small.image);
  const parts = Math.ceil(small.count / comparedAtOnce(small.count, pixels));
  const distances = new Float32Array(small.count);
  for (let part = 0; part < parts; part++) {
    const rows = Array.from({ length: Math.ceil((small.count - part) / parts) }, (_, place) => part + place * parts);
    const values = new Float32Array(rows.length * pixels);
    small.read(rows, values);
    const found = await neighbourDistances(matrix(values, pixels, "images"), options);
    rows.forEach((row, place) => {
      distances[row] = found[place];
    });
  }
  return distances;
}
