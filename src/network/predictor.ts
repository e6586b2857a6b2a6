/** Features and scores of many images, fast: the trained encoder for batches of a fixed size. */
import { softScores } from "../clustering/soft-assignment.ts";
import { expectFloats, type Program } from "../engine/program.ts";
import { Queue } from "../engine/queue.ts";
import { Session, type SessionOptions } from "../engine/session.ts";
import { InputError } from "../files/errors.ts";
import { encode } from "../graph/encode.ts";
import { convolveMax } from "../graph/operators/convolution.ts";
import { reshape, transpose } from "../graph/operators/layout.ts";
import { addPerChannel } from "../graph/operators/normalization.ts";
import { constant, input, type Tensor } from "../graph/tensor.ts";
import { type ImageSize, pixelCount } from "../images/image.ts";
import { activate } from "./activation.ts";
import type { Architecture } from "./architecture.ts";
import { type Encoder, ensembleFeatures, isEnsemble } from "./ensemble.ts";
import type { ScoringOptions } from "./inference.ts";
import { imageMap, shrinkMap } from "./layers.ts";
import { featureSize } from "./shapes.ts";
import { type TrainedValues, trainedBlocks, trainedCentres } from "./trained.ts";

export interface PredictorOptions extends ScoringOptions, SessionOptions {
  /** Images per run of the model. Default: 256, or 32 where images are larger than 64x64. */
  readonly batch?: number;
}

export interface Prediction {
  /** [images, d]. */
  readonly features: Float32Array;
  /** [images, k]; empty where no k was given. */
  readonly scores: Float32Array;
}

/** Many where images are small, to keep the processor busy; few where they are large, to save memory. */
export const imagesAtOnce = ({ height, width }: ImageSize): number => (height * width > 64 * 64 ? 32 : 256);

export class Predictor {
  readonly #session: Session;
  readonly #imageSize: number;
  readonly #batch: Float32Array;
  readonly #queue = new Queue();

  private constructor(session: Session, imageSize: number, batch: number) {
    this.#session = session;
    this.#imageSize = imageSize;
    this.#batch = new Float32Array(batch * imageSize);
  }

  static async open(
    encoder: Encoder,
    trained: TrainedValues,
    { k, v = 1, batch, ...options }: PredictorOptions = {},
  ): Promise<Predictor> {
    const images = batch ?? imagesAtOnce(encoder.image);
    if (!Number.isInteger(images) || images < 1)
      throw new InputError(`the batch must be a whole number from 1, not ${images}`);
    const scoring = k === undefined ? { v } : { k, v };
    const session = await Session.open(predictionProgram(encoder, trained, images, scoring), options);
    return new Predictor(session, pixelCount(encoder.image), images);
  }

  /** The features and scores of any number of images [images, channels·height·width]. */
  predict(images: Float32Array): Promise<Prediction> {
    return this.#queue.run(() => this.#predict(images));
  }

  async #predict(images: Float32Array): Promise<Prediction> {
    if (images.length === 0 || images.length % this.#imageSize !== 0)
      throw new InputError(`${images.length} values do not make images of ${this.#imageSize}`);
    const features: Float32Array[] = [];
    const scores: Float32Array[] = [];
    for (let start = 0; start < images.length; start += this.#batch.length) {
      const piece = images.subarray(start, start + this.#batch.length);
      const share = piece.length / this.#batch.length;
      // A shorter last piece is padded with what the buffer held before.
      if (share < 1) this.#batch.set(piece);
      const results = await this.#session.run({ images: share < 1 ? this.#batch : piece });
      features.push(takeShare(expectFloats(results.features), share));
      if (results.scores !== undefined) scores.push(takeShare(expectFloats(results.scores), share));
    }
    return { features: joined(features), scores: joined(scores) };
  }

  async close(): Promise<void> {
    await this.#session.close();
  }
}

function predictionProgram(encoder: Encoder, trained: TrainedValues, batch: number, { k, v }: ScoringOptions): Program {
  const features = isEnsemble(encoder)
    ? ensembleFeatures(input("images", [batch, pixelCount(encoder.image)]), encoder, trained)
    : networkFeatures(encoder, trained, batch);
  if (k === undefined) return encode({ features });
  const centres = constant(trainedCentres(encoder, trained, k), [k, featureSize(encoder)], "float32");
  return encode({ features, scores: softScores(features, centres, v) });
}

/**
 * The bias and the activation never change which value of a window is the largest: they are applied after pooling, to a
 * quarter of the values.
 */
function networkFeatures(architecture: Architecture, trained: TrainedValues, batch: number): Tensor {
  const size = featureSize(architecture);
  if (architecture.layers.length === 0) return input("images", [batch, size]);
  let h = shrinkMap(imageMap("images", architecture.image, batch), architecture.shrink ?? 1);
  for (const { layer, window, weight, bias } of trainedBlocks(architecture, trained)) {
    const y = convolveMax(h, weight, { padding: layer.padding, phases: window });
    h = activate(addPerChannel(y, bias), layer.activation);
  }
  return transpose(reshape(h, [size, batch]), [1, 0]);
}

/** A copy of the first part: the session reuses its buffers. */
const takeShare = (values: Float32Array, share: number): Float32Array =>
  values.slice(0, Math.round(share * values.length));

function joined(parts: readonly Float32Array[]): Float32Array {
  if (parts.length === 1) return parts[0];
  const whole = new Float32Array(parts.reduce((total, part) => total + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
