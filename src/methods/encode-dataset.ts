/** Features and scores of a whole dataset, a batch at a time. */
import type { Images } from "../dataset.ts";
import { pixelCount } from "../image.ts";
import type { Predictor } from "../network/predictor.ts";

/** Images read at once. */
const readAtOnce = 1024;

export interface EncodedDataset {
  /** [images, d]. */
  readonly features: Float32Array;
  /** [images, k]; empty where the predictor has no centres. */
  readonly scores: Float32Array;
}

export interface EncodeDatasetOptions {
  /** Keep the features, and not only the scores. Default: true. */
  readonly keepFeatures?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export async function encodeDataset(
  dataset: Images,
  predictor: Predictor,
  { keepFeatures = true, signal }: EncodeDatasetOptions = {},
): Promise<EncodedDataset> {
  const pixels = pixelCount(dataset.image);
  let features = new Float32Array(0);
  let scores = new Float32Array(0);
  const images = new Float32Array(Math.min(readAtOnce, dataset.count) * pixels);
  for (let start = 0; start < dataset.count; start += readAtOnce) {
    signal?.throwIfAborted();
    const count = Math.min(readAtOnce, dataset.count - start);
    const piece = images.subarray(0, count * pixels);
    dataset.read(
      Uint32Array.from({ length: count }, (_, index) => start + index),
      piece,
    );
    const prediction = await predictor.predict(piece);
    const perImage = { features: prediction.features.length / count, scores: prediction.scores.length / count };
    if (start === 0) {
      if (keepFeatures) features = new Float32Array(dataset.count * perImage.features);
      scores = new Float32Array(dataset.count * perImage.scores);
    }
    if (keepFeatures) features.set(prediction.features, start * perImage.features);
    scores.set(prediction.scores, start * perImage.scores);
  }
  return { features, scores };
}

/** The cluster with the highest score, for each image. */
export function hardAssignments(scores: Float32Array, k: number): Int32Array {
  return Int32Array.from({ length: scores.length / k }, (_, image) => {
    let best = 0;
    for (let j = 1; j < k; j++) if (scores[image * k + j] > scores[image * k + best]) best = j;
    return best;
  });
}
