/** Many images from few: changed copies in an IDX file, to see how a method fares with more images than there are. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { AtomicFile, makeFolder } from "../files/atomic.ts";
import { InputError } from "../files/errors.ts";
import { idxHeader } from "../files/idx.ts";
import { Random } from "../numeric/random.ts";
import { type Augmentation, augment } from "./augmentation.ts";
import type { Dataset } from "./dataset.ts";
import { isVector, pixelCount } from "./image.ts";

export interface AugmentedSetOptions {
  /** Images to make. */
  readonly count: number;
  /** What the names of the files begin with: `<out>-images-idx3-ubyte` and, where there are labels, `<out>-labels-idx1-ubyte`. */
  readonly out: string;
  /** Default: "move". */
  readonly augmentation?: Augmentation;
  /** Default: 0. */
  readonly seed?: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface AugmentedSet {
  readonly images: string;
  readonly labels?: string;
}

/** Images that are made between two writes. */
const atOnce = 1000;

/**
 * Each image is a changed copy of one of the dataset's, all of which come once, in random order, before any comes again.
 * A smaller set from the same seed is the beginning of a larger one.
 */
export async function writeAugmentedSet(dataset: Dataset, options: AugmentedSetOptions): Promise<AugmentedSet> {
  const { count, augmentation = "move", seed = 0, signal, onProgress } = options;
  const { image, labels } = dataset;
  const set = filesOf(dataset, options);
  const pixels = new AtomicFile(set.images);
  try {
    pixels.append(idxHeader(image.channels === 1 ? [count, image.height, image.width] : [count, ...sides(image)]));
    const random = new Random(seed, "augmented set");
    const order = orderOf(dataset.count, seed);
    const classes = new Uint8Array(count);
    for (let done = 0; done < count; done += atOnce) {
      signal?.throwIfAborted();
      const indices = Uint32Array.from({ length: Math.min(atOnce, count - done) }, () => Number(order.next().value));
      const values = new Float32Array(indices.length * pixelCount(image));
      dataset.read(indices, values);
      augment(values, image, augmentation, random);
      pixels.append(bytesOf(values));
      if (labels !== undefined)
        for (const [place, index] of indices.entries()) classes[done + place] = labels.values[index];
      onProgress?.(done + indices.length, count);
      await breathe();
    }
    if (set.labels !== undefined) writeLabels(set.labels, classes);
    pixels.finish();
    return set;
  } catch (error) {
    throw pixels.abandon(error);
  }
}

function bytesOf(values: Float32Array): Uint8Array {
  const bytes = new Uint8Array(values.length);
  for (let at = 0; at < values.length; at++) bytes[at] = Math.round(255 * values[at]);
  return bytes;
}

const sides = ({ channels, height, width }: Dataset["image"]): number[] => [channels, height, width];

/** Where the files will be; throws where they cannot be made. */
function filesOf({ name, image, labels }: Dataset, { count, out }: AugmentedSetOptions): AugmentedSet {
  if (!Number.isInteger(count) || count < 1 || count >= 2 ** 32)
    throw new InputError(`count must be a whole number from 1 to ${2 ** 32 - 1}, not ${count}`, { option: "count" });
  if (isVector(image)) throw new InputError(`${name}: these are vectors; only images can be changed a little`);
  if (labels !== undefined && labels.names.length > 256)
    throw new InputError(`${name}: an IDX file has at most 256 classes, and here are ${labels.names.length}`);
  const images = `${out}-images-idx${image.channels === 1 ? 3 : 4}-ubyte`;
  const set = labels === undefined ? { images } : { images, labels: `${out}-labels-idx1-ubyte` };
  for (const file of Object.values(set))
    if (existsSync(file))
      throw new InputError(`${file}: is there already; choose another name, or remove it`, { option: "out" });
  makeFolder(dirname(images));
  return set;
}

function writeLabels(file: string, classes: Uint8Array): void {
  const labels = new AtomicFile(file);
  try {
    labels.append(idxHeader([classes.length]));
    labels.append(classes);
    labels.finish();
  } catch (error) {
    throw labels.abandon(error);
  }
}

/** All of them, again and again, each time in another order. */
function* orderOf(count: number, seed: number): Generator<number> {
  for (let pass = 0; ; pass++) yield* new Random(seed, `augmented set, pass ${pass}`).permutation(count);
}

const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
