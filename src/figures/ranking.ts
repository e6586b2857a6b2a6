/** The images of each cluster, by descending score. */
import { InputError } from "../files/errors.ts";

/** The cluster of each image, and its score for it. */
export interface Certain {
  /** Number of clusters. */
  readonly k: number;
  /** [images]. */
  readonly assignments: ArrayLike<number>;
  /** [images]: the score of each image for its own cluster. */
  readonly certainty: ArrayLike<number>;
}

export interface RankedImage {
  readonly image: number;
  readonly score: number;
}

export interface SoftAssignments {
  readonly k: number;
  /** [images]. */
  readonly assignments: ArrayLike<number>;
  /** [images, k]. */
  readonly scores: Float32Array;
}

/** The score of each image for its own cluster, from the scores for all clusters that a method returns. */
export function certaintyOf({ k, assignments, scores }: SoftAssignments): Float32Array {
  if (scores.length !== assignments.length * k)
    throw new InputError(`${scores.length} scores do not make ${assignments.length} images of ${k} clusters`);
  return Float32Array.from(assignments, (cluster, image) => scores[image * k + cluster]);
}

/** The images of each cluster, the highest score first; images with equal scores in the order of the dataset. */
export function rankedClusters({ k, assignments, certainty }: Certain): RankedImage[][] {
  expectCertain({ k, assignments, certainty });
  const clusters = Array.from({ length: k }, (): RankedImage[] => []);
  for (let image = 0; image < assignments.length; image++)
    clusters[assignments[image]].push({ image, score: certainty[image] });
  for (const members of clusters) members.sort(surestFirst);
  return clusters;
}

export const surestFirst = (a: RankedImage, b: RankedImage): number => b.score - a.score || a.image - b.image;

export function expectCertain({ k, assignments, certainty }: Certain): void {
  if (!Number.isInteger(k) || k < 1) throw new InputError(`k must be a whole number from 1, not ${k}`);
  if (assignments.length !== certainty.length)
    throw new InputError(`${assignments.length} assignments and ${certainty.length} scores: give both for each image`);
  for (let image = 0; image < assignments.length; image++) {
    const cluster = assignments[image];
    if (!Number.isInteger(cluster) || cluster < 0 || cluster >= k)
      throw new InputError(`image ${image}: its cluster must be a whole number from 0 to ${k - 1}, not ${cluster}`);
    if (Number.isNaN(certainty[image])) throw new InputError(`image ${image}: its score is not a number`);
  }
}

export function expectCount(count: number, name: string): void {
  if (!Number.isInteger(count) || count < 1)
    throw new InputError(`${name} must be a whole number from 1, not ${count}`);
}
