/** Z ← f(X), and S: the features and scores of a whole dataset, a batch at a time. */
import { alone, type Collective, type SharedOptions } from "../../engine/ranks/collective.ts";
import { sessionOptions } from "../../engine/session.ts";
import type { Images } from "../../images/dataset.ts";
import { pixelCount } from "../../images/image.ts";
import type { Encoder } from "../../network/ensemble.ts";
import { Predictor } from "../../network/predictor.ts";
import { featureSize } from "../../network/shapes.ts";
import { type TrainedValues, untrained } from "../../network/trained.ts";
import { type Matrix, matrix } from "../../numeric/matrix.ts";
import type { MethodOptions } from "../method.ts";
import { sharesOf } from "./parts.ts";

/** Z [images, d], of which each rank computes its share. */
export async function featuresOf(
  dataset: Images,
  encoder: Encoder,
  trained: TrainedValues,
  options: MethodOptions,
): Promise<Matrix> {
  const { features } = await encoded(dataset, encoder, trained, { ...options, keepFeatures: true });
  return matrix(features, featureSize(encoder), "features");
}

/** The features of one run of images alone, for a rank that needs no others. */
export async function featuresFrom(
  dataset: Images,
  { from, to }: { readonly from: number; readonly to: number },
  encoder: Encoder,
  options: MethodOptions,
): Promise<Matrix> {
  const images = Uint32Array.from({ length: to - from }, (_, index) => from + index);
  const predictor = await Predictor.open(encoder, untrained, sessionOptions(options));
  try {
    const { features } = await encodeImages(dataset, images, predictor, { keepFeatures: true, signal: options.signal });
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
  readonly keepFeatures: boolean;
  readonly signal?: AbortSignal | undefined;
}

interface ChosenImages {
  /** Which images. Default: all of them. */
  readonly images?: Uint32Array | undefined;
}

/** Features (or none, to save memory) and scores of all images, or of some; the parameters hold centres. */
export function scoresOf(
  dataset: Images,
  encoder: Encoder,
  trained: TrainedValues,
  options: MethodOptions & ChosenImages & { readonly v?: number; readonly keepFeatures?: boolean },
): Promise<EncodedDataset> {
  const { k, v = 1, keepFeatures = true } = options;
  return encoded(dataset, encoder, trained, { ...options, keepFeatures, scoring: { k, v } });
}

async function encoded(
  dataset: Images,
  encoder: Encoder,
  trained: TrainedValues,
  options: SharedOptions &
    EncodeOptions &
    ChosenImages & { readonly scoring?: { readonly k: number; readonly v: number } },
): Promise<EncodedDataset> {
  const { collective = alone, scoring, images } = options;
  const predictor = await Predictor.open(encoder, trained, { ...sessionOptions(options), ...scoring });
  try {
    const shares = sharesOf(dataset.count, collective.size);
    const places = images === undefined ? shares : placesIn(images, shares, dataset.count);
    const own = places[collective.rank];
    const chosen = images === undefined ? own : own.map((place) => images[place]);
    const found = await encodeImages(dataset, chosen, predictor, options);
    if (collective.size === 1) return found;
    return {
      features: options.keepFeatures ? fromShares(found.features, places, collective) : found.features,
      scores: scoring === undefined ? found.scores : fromShares(found.scores, places, collective),
    };
  } finally {
    await predictor.close();
  }
}

/** The rows of all images, from those of each rank's share. */
function fromShares(own: Float32Array, places: readonly Uint32Array[], collective: Collective): Float32Array {
  const found = collective.gather(own);
  const total = (of: readonly { readonly length: number }[]): number => of.reduce((sum, { length }) => sum + length, 0);
  const rows = new Float32Array(total(found));
  const columns = rows.length / total(places);
  places.forEach((ofRank, rank) => {
    ofRank.forEach((place, index) => {
      rows.set(found[rank].subarray(index * columns, (index + 1) * columns), place * columns);
    });
  });
  return rows;
}

/** Of each share, which of the chosen images are in it, by their places among these. */
function placesIn(chosen: Uint32Array, shares: readonly Uint32Array[], count: number): readonly Uint32Array[] {
  const shareOf = new Uint32Array(count);
  shares.forEach((images, share) => {
    for (const image of images) shareOf[image] = share;
  });
  return shares.map((_, share) => chosen.map((_, place) => place).filter((place) => shareOf[chosen[place]] === share));
}

/** Images read at once. */
const readAtOnce = 1024;

async function encodeImages(
  dataset: Images,
  images: Uint32Array,
  predictor: Predictor,
  { keepFeatures, signal }: EncodeOptions,
): Promise<EncodedDataset> {
  const pixels = pixelCount(dataset.image);
  let features = new Float32Array(0);
  let scores = new Float32Array(0);
  const read = new Float32Array(Math.min(readAtOnce, images.length) * pixels);
  for (let start = 0; start < images.length; start += readAtOnce) {
    signal?.throwIfAborted();
    const indices = images.subarray(start, start + readAtOnce);
    const count = indices.length;
    const piece = read.subarray(0, count * pixels);
    dataset.read(indices, piece);
    const prediction = await predictor.predict(piece);
    const perImage = { features: prediction.features.length / count, scores: prediction.scores.length / count };
    if (start === 0) {
      if (keepFeatures) features = new Float32Array(images.length * perImage.features);
      scores = new Float32Array(images.length * perImage.scores);
    }
    if (keepFeatures) features.set(prediction.features, start * perImage.features);
    scores.set(prediction.scores, start * perImage.scores);
  }
  return { features, scores };
}
