/** Layers of pretrained networks, as standard ONNX operators on maps [batch, channels, height, width]. */
import type { Program } from "../engine/program.ts";
import { encode } from "../graph/encode.ts";
import { subtract } from "../graph/operators/elementwise.ts";
import { constant, emit, floats, input, type Tensor, view } from "../graph/tensor.ts";
import type { Weight } from "./weights.ts";

/** Both sides of the photographs that every network of ours takes: RGB, channel by channel, from 0 to 1. */
export const imageSide = 224;

/**
 * Photographs less a number per channel. Networks pad with zeros what they have subtracted the mean from, so that the
 * bias of the first convolution cannot do it; what the network multiplies by, its kernel can.
 */
export const centredPhotographs = (means: readonly [red: number, green: number, blue: number]): Tensor =>
  subtract(
    input("pixel_values", ["batch", 3, imageSide, imageSide]),
    constant(Float32Array.from(means), [3, 1, 1], "float32"),
  );

/** A convolution with its bias, into which batch normalization is folded. */
export interface Convolution {
  /** [out, in, height, width]; [channels, 1, height, width] of a depthwise one. */
  readonly kernel: Weight;
  readonly bias: Float32Array;
}

export interface ConvolutionOptions {
  /** Default: 1. */
  readonly stride?: number;
  /** TensorFlow's "same": as little as is needed, the odd one below and to the right; or so much on each side. */
  readonly padding: "same" | number;
  /** Each channel by itself. Default: false. */
  readonly depthwise?: boolean;
}

export function convolve(x: Tensor, { kernel, bias }: Convolution, options: ConvolutionOptions): Tensor {
  const { stride = 1, padding, depthwise = false } = options;
  const [filters, , height, width] = kernel.shape;
  const sides = [sideOf(x, 2, height, stride, padding), sideOf(x, 3, width, stride, padding)];
  return emit(
    "Conv",
    [x, constant(kernel.values, kernel.shape, "float32"), constant(bias, [filters], "float32")],
    { type: x.type, shape: ["batch", filters, ...sides.map(({ side }) => side)] },
    {
      attributes: {
        kernel_shape: [height, width],
        strides: [stride, stride],
        pads: [...sides.map(({ before }) => before), ...sides.map(({ after }) => after)],
        group: depthwise ? filters : 1,
      },
    },
  );
}

/** Of maps that are nowhere negative, so that padding makes no difference. */
export function maxPool(
  x: Tensor,
  { window, stride, padding }: Record<"window" | "stride" | "padding", number>,
): Tensor {
  const sides = [2, 3].map((axis) => sideOf(x, axis, window, stride, padding).side);
  return emit(
    "MaxPool",
    [x],
    { type: x.type, shape: [...x.shape.slice(0, 2), ...sides] },
    {
      attributes: {
        kernel_shape: [window, window],
        strides: [stride, stride],
        pads: [padding, padding, padding, padding],
      },
    },
  );
}

interface Side {
  readonly side: number;
  readonly before: number;
  readonly after: number;
}

/** A side of what a window makes of a map, and how far the map is padded for it. */
function sideOf(x: Tensor, axis: number, window: number, stride: number, padding: "same" | number): Side {
  const side = Number(x.shape[axis]);
  if (padding !== "same") {
    const result = Math.floor((side + 2 * padding - window) / stride) + 1;
    return { side: result, before: padding, after: padding };
  }
  const result = Math.ceil(side / stride);
  const all = Math.max(0, (result - 1) * stride + window - side);
  return { side: result, before: Math.floor(all / 2), after: Math.ceil(all / 2) };
}

/** ReLU6: no less than 0, no more than 6. */
export const relu6 = (x: Tensor): Tensor => emit("Clip", [x, floats(0), floats(6)], { type: x.type, shape: x.shape });

/** The classifier that the network was trained with: one row of the matrix per class of ImageNet. */
export interface Classifier {
  /** [classes, features] */
  readonly matrix: Weight;
  readonly bias: Float32Array;
}

/** The network whose last map this is: the means over the map are its `embedding`; `logits` tells ImageNet's classes. */
export function pooledProgram(map: Tensor, { matrix, bias }: Classifier, metadata: Record<string, string>): Program {
  const [classes, features] = matrix.shape;
  const means = emit("GlobalAveragePool", [map], { type: map.type, shape: ["batch", features, 1, 1] });
  const embedding = view(means, ["batch", features]);
  const logits = emit(
    "Gemm",
    [embedding, constant(matrix.values, matrix.shape, "float32"), constant(bias, [classes], "float32")],
    { type: map.type, shape: ["batch", classes] },
    { attributes: { transB: 1 } },
  );
  return encode({ embedding, logits }, { metadata });
}
