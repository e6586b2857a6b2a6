/**
 * The model for export: images in, features and soft scores out, the weights inside, the batch size free.
 *
 * Its maps are [batch, channels, height, width] and all its operators are standard, so that it runs wherever ONNX does.
 * Within this library `predictor.ts` is faster.
 */
import { softScores } from "../clustering/soft-assignment.ts";
import type { Dimension, Program } from "../engine/program.ts";
import { type EncodeOptions, encode } from "../graph/encode.ts";
import { add, divide, relu, square } from "../graph/operators/elementwise.ts";
import { reshape } from "../graph/operators/layout.ts";
import { matmul } from "../graph/operators/product.ts";
import { constant, emit, input, type Tensor } from "../graph/tensor.ts";
import { pixelCount, shrunkSize } from "../images/image.ts";
import { activate } from "./activation.ts";
import type { Architecture } from "./architecture.ts";
import { type Encoder, ensembleFeatures, isEnsemble } from "./ensemble.ts";
import { featureSize } from "./shapes.ts";
import { type TrainedBlock, type TrainedValues, trainedBlocks, trainedCentres } from "./trained.ts";

export interface ScoringOptions {
  /** The number of clusters, whose centres are among the parameters. Without it there are no scores. */
  readonly k?: number;
  /** The degree of freedom v of the t-distribution. Default: 1. */
  readonly v?: number;
}

export interface InferenceOptions extends ScoringOptions {
  /** Notes that are stored in the model. */
  readonly metadata?: EncodeOptions["metadata"];
}

/** From `images` [batch, channels, height, width] to `features` [batch, d] and, with centres, `scores` [batch, k]. */
export function inferenceProgram(
  encoder: Encoder,
  trained: TrainedValues,
  { metadata = {}, ...scoring }: InferenceOptions = {},
): Program {
  const { channels, height, width } = encoder.image;
  return encode(inferenceOutputs(input("images", ["batch", channels, height, width]), encoder, trained, scoring), {
    metadata,
  });
}

/** The same of images that something else computes. */
export function inferenceOutputs(
  images: Tensor,
  encoder: Encoder,
  trained: TrainedValues,
  { k, v = 1 }: ScoringOptions,
): Readonly<Record<string, Tensor>> {
  const features = isEnsemble(encoder)
    ? ensembleFeatures(reshape(images, ["batch", pixelCount(encoder.image)]), encoder, trained)
    : networkFeatures(images, encoder, trained);
  if (k === undefined) return { features };
  const centres = trainedCentres(encoder, trained, k);
  const scores =
    v === 1
      ? plainScores(features, centres)
      : softScores(features, constant(centres, [k, centres.length / k], "float32"), v);
  return { features, scores };
}

function networkFeatures(images: Tensor, architecture: Architecture, trained: TrainedValues): Tensor {
  let h = shrinkImages(images, architecture);
  for (const block of trainedBlocks(architecture, trained)) h = applyBlock(h, block);
  return reshape(h, ["batch", featureSize(architecture)]);
}

function shrinkImages(images: Tensor, { image, shrink = 1 }: Architecture): Tensor {
  if (shrink === 1) return images;
  const { channels, height, width } = shrunkSize(image, shrink);
  return emit(
    "AveragePool",
    [images],
    { type: images.type, shape: ["batch", channels, height, width] },
    { attributes: { kernel_shape: [shrink, shrink], strides: [shrink, shrink] } },
  );
}

/**
 * `softScores` of constant centres [k, d] with v = 1. Sums along rows are products with matrices of ones, which repeat
 * them k times: OpenCV's importer, for one, supports neither such sums nor their broadcasting.
 */
function plainScores(z: Tensor, centres: Float32Array): Tensor {
  const d = Number(z.shape[1]);
  const k = centres.length / d;
  const ones = (rows: number): Tensor => constant(new Float32Array(rows * k).fill(1), [rows, k], "float32");
  const squares = new Float32Array(k);
  centres.forEach((value, index) => {
    squares[Math.floor(index / d)] += value * value;
  });
  const factors = constant(
    centres.map((value) => -2 * value),
    [k, d],
    "float32",
  );
  const cross = emit(
    "Gemm",
    [z, factors, constant(squares, [k], "float32")],
    { type: z.type, shape: [z.shape[0], k] },
    { attributes: { transB: 1 } },
  );
  const distances = relu(add(cross, matmul(square(z), ones(d))));
  const q = divide(1, add(distances, 1));
  return divide(q, matmul(q, ones(k)));
}

function applyBlock(x: Tensor, { layer, window, input: map, weight, bias }: TrainedBlock): Tensor {
  const [vertical, horizontal] = layer.padding;
  const height = map.height + 2 * vertical - layer.kernel[0] + 1;
  const width = map.width + 2 * horizontal - layer.kernel[1] + 1;
  const shape = (...size: number[]): Dimension[] => ["batch", layer.filters, ...size];
  const y = emit(
    "Conv",
    [x, weight, bias],
    { type: x.type, shape: shape(height, width) },
    { attributes: { kernel_shape: layer.kernel, pads: [vertical, horizontal, vertical, horizontal] } },
  );
  const activated = activate(y, layer.activation);
  if (window[0] * window[1] === 1) return activated;
  return emit(
    "MaxPool",
    [activated],
    { type: x.type, shape: shape(height / window[0], width / window[1]) },
    { attributes: { kernel_shape: window, strides: window } },
  );
}
