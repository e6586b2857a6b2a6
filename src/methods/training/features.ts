/** Z ← f(X), and S: the features and scores of a whole dataset, a batch at a time. */
import { sessionOptions } from "../../engine/session.ts";
import type { Images } from "../../images/dataset.ts";
import { pixelCount } from "../../images/image.ts";
import type { Encoder } from "../../network/ensemble.ts";
import { Predictor } from "../../network/predictor.ts";
import { featureSize } from "../../network/shapes.ts";
import type { TrainedValues } from "../../network/trained.ts";
import { type Matrix, matrix } from "../../numeric/matrix.ts";
import type { MethodOptions } from "../method.ts";

/** Z [images, d]. */
export async function featuresOf(
  dataset: Images,
  encoder: Encoder,
  trained: TrainedValues,
  options: MethodOptions,
): Promise<Matrix> {
  const predictor = await Predictor.open(encoder, trained, sessionOptions(options));
  try {
    const { features } = await encodeDataset(dataset, predictor, { signal: options.signal });
    return matrix(features, featureSize(encoder), "features");
  } finally {
    await predictor.close();
  }
}

export interface EncodedDataset {
  /** Z [images, d]; empty where features were not to be kept. */
  readonly features: Float32Array;
  /** S [images, k]. */
  readonly scores: Float32Array;
}

interface EncodeOptions {
  /** Default: true. */
  readonly keepFeatures?: boolean;
  /** Which images. Default: all of them. */
  readonly images?: Uint32Array | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Features (or none, to save memory) and scores of all images, or of some; the parameters hold centres. */
export async function scoresOf(
  dataset: Images,
  encoder: Encoder,
  trained: TrainedValues,
  options: MethodOptions & Omit<EncodeOptions, "signal"> & { readonly v?: number },
): Promise<EncodedDataset> {
  const { k, v = 1, keepFeatures = true, images, signal } = options;
  const predictor = await Predictor.open(encoder, trained, { ...sessionOptions(options), k, v });
  try {
    return await encodeDataset(dataset, predictor, { keepFeatures, images, signal });
  } finally {
    await predictor.close();
  }
}

/** Images read at once. */
const readAtOnce = 1024;

async function encodeDataset(
  dataset: Images,
  predictor: Predictor,
  { keepFeatures = true, images: chosen, signal }: EncodeOptions,
): Promise<EncodedDataset> {
  const pixels = pixelCount(dataset.image);
  const total = chosen?.length ?? dataset.count;
  let features = new Float32Array(0);
  let scores = new Float32Array(0);
  const images = new Float32Array(Math.min(readAtOnce, total) * pixels);
  for (let start = 0; start < total; start += readAtOnce) {
    signal?.throwIfAborted();
    const count = Math.min(readAtOnce, total - start);
    const piece = images.subarray(0, count * pixels);
    dataset.read(
      chosen?.subarray(start, start + count) ?? Uint32Array.from({ length: count }, (_, index) => start + index),
      piece,
    );
    const prediction = await predictor.predict(piece);
    const perImage = { features: prediction.features.length / count, scores: prediction.scores.length / count };
    if (start === 0) {
      if (keepFeatures) features = new Float32Array(total * perImage.features);
      scores = new Float32Array(total * perImage.scores);
    }
    if (keepFeatures) features.set(prediction.features, start * perImage.features);
    scores.set(prediction.scores, start * perImage.scores);
  }
  return { features, scores };
}
