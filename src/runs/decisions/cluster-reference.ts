/** What a decision says of a cluster that exists: its number, and images by which another run knows which one is meant. */
import type { ClusterReference, ImageKey } from "./decision.ts";
import type { Decided } from "./fold-decisions.ts";

/** More would say little more, and every decision repeats them. */
export const mostExamples = 16;

export interface ReferenceSource {
  /** Of each image. */
  readonly keys: readonly ImageKey[];
  /** Of each image, in the model's cluster. */
  readonly scores: ArrayLike<number>;
  readonly decided: Pick<Decided, "cluster">;
}

/** The images with the highest scores stand for the cluster, copies once. */
export function clusterReference(cluster: number, { keys, scores, decided }: ReferenceSource): ClusterReference {
  const images: number[] = [];
  decided.cluster.forEach((own, image) => {
    if (own === cluster) images.push(image);
  });
  images.sort((a, b) => scores[b] - scores[a] || a - b);
  const examples = new Set<ImageKey>();
  for (const image of images) {
    if (examples.size === mostExamples) break;
    examples.add(keys[image]);
  }
  return { cluster, examples: [...examples] };
}
