/** Gaussian blobs: vectors with known groups, as a matrix and as a dataset. */
import type { Dataset } from "../src/images/dataset.ts";
import { type Matrix, matrix } from "../src/numeric/matrix.ts";
import { Random } from "../src/numeric/random.ts";

export interface BlobOptions {
  readonly groups: number;
  readonly count: number;
  readonly dimensions: number;
  /** How far centres are from the origin in each direction, where samples are about 1 from their centre. */
  readonly distance: number;
  /** How many times as wide blobs are in the first two directions. Default: 1, they are round. */
  readonly wide?: number;
  readonly seed?: number;
}

export interface Blobs {
  readonly samples: Matrix;
  /** The group of each sample: that of sample i is i modulo the number of groups. */
  readonly labels: Int32Array;
}

/** Nearly normal, of variance 1: the sum of twelve uniform numbers. */
export const gaussian = (random: Random): number =>
  Array.from({ length: 12 }, () => random.uniform()).reduce((sum, one) => sum + one, -6);

export function blobs({ groups, count, dimensions, distance, wide = 1, seed = 0 }: BlobOptions): Blobs {
  const random = new Random(seed, "blobs");
  const centres = Float64Array.from({ length: groups * dimensions }, () => distance * gaussian(random));
  const labels = Int32Array.from({ length: count }, (_, sample) => sample % groups);
  const values = Float32Array.from({ length: count * dimensions }, (_, place) => {
    const [group, direction] = [labels[Math.floor(place / dimensions)], place % dimensions];
    return centres[group * dimensions + direction] + (direction < 2 ? wide : 1) * gaussian(random);
  });
  return { samples: matrix(values, dimensions), labels };
}

/** As methods take them. */
export function blobDataset(options: BlobOptions): Dataset {
  const { samples, labels } = blobs(options);
  const { columns, values } = samples;
  return {
    name: "blobs",
    origin: { source: "blobs" },
    count: options.count,
    image: { channels: columns, height: 1, width: 1 },
    labels: { names: Array.from({ length: options.groups }, (_, group) => `blob ${group}`), values: labels },
    skipped: [],
    fingerprint: `blobs ${JSON.stringify(options)}`,
    itemName: String,
    read(indices, target) {
      for (let place = 0; place < indices.length; place++)
        target.set(values.subarray(indices[place] * columns, (indices[place] + 1) * columns), place * columns);
    },
    close() {},
  };
}
