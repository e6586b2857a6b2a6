/** The programs around a backbone: from pixels to what it takes, and from what it gives to a vector. */
import type { Dimension, Program } from "../engine/program.ts";
import { type EncodeOptions, encode } from "../graph/encode.ts";
import { add, divide, relu, square } from "../graph/operators/elementwise.ts";
import { matmul } from "../graph/operators/product.ts";
import { constant, emit, input, integers, type Tensor } from "../graph/tensor.ts";
import type { ImageSize } from "../images/image.ts";
import type { BackboneOutput } from "./output-rule.ts";

export const pixelTypes = ["float32", "float16", "uint8"] as const;
export type PixelType = (typeof pixelTypes)[number];

/** ONNX's numbers of element types. */
export const pixelTypeCodes: Readonly<Record<PixelType, number>> = { float32: 1, uint8: 2, float16: 10 };

export interface PixelInput {
  readonly name: string;
  readonly type: PixelType;
  readonly channelsLast: boolean;
  readonly image: ImageSize;
  /** Images per run, where the model has one number only. */
  readonly batch: number | undefined;
  /** What becomes of the pixels, which are from 0 to 1, by channel: `factor` times the pixel, plus `offset`. */
  readonly factor: readonly number[];
  readonly offset: readonly number[];
}

/**
 * `images` [batch, channels, height, width], RGB from 0 to 1, as the model takes them. The type that the output has here
 * does not count: the model says of which its input is.
 */
export function pixelProgram(
  { type, channelsLast, image, batch, factor, offset }: PixelInput,
  options: EncodeOptions = {},
): Program {
  const { channels, height, width } = image;
  const images = input("images", [batch ?? "batch", channels, height, width]);
  let x = perChannel("Mul", images, factor, 1);
  // Conversion to whole numbers cuts off.
  x = perChannel("Add", x, type === "uint8" ? offset.map((value) => value + 0.5) : offset, 0);
  if (channelsLast) x = transposed(x, [0, 2, 3, 1]);
  if (type !== "float32") x = emit("Cast", [x], x, { attributes: { to: pixelTypeCodes[type] } });
  return encode({ pixels: x }, options);
}

function perChannel(operator: "Mul" | "Add", x: Tensor, values: readonly number[], neutral: number): Tensor {
  if (values.every((value) => value === neutral)) return x;
  return emit(operator, [x, constant(Float32Array.from(values), [1, values.length, 1, 1], "float32")], x);
}

/** The outputs that are made of the vectors [batch, size] of what the backbone gives. */
export function vectorProgram(
  { pooling, size, rectified }: BackboneOutput & { readonly rectified: boolean },
  outputsOf: (vectors: Tensor) => Readonly<Record<string, Tensor>>,
  options: EncodeOptions = {},
): Program {
  const shapes = {
    none: [size],
    cls: ["tokens", size],
    tokens: ["tokens", size],
    map: [size, "height", "width"],
    "map, channels last": ["height", "width", size],
  } as const satisfies Record<BackboneOutput["pooling"], readonly Dimension[]>;
  const given = input("given", ["batch", ...shapes[pooling]]);
  const x = emit("Cast", [given], given, { attributes: { to: pixelTypeCodes.float32 } });
  return encode(outputsOf(evened(pooled(x, pooling, size), { size, rectified })), options);
}

/**
 * Vectors of one length, √size, so that their numbers are about 1: what distinguishes images is the direction. Of
 * features that come out of a rectifier, the roots (Perronnin and others: Improving the Fisher Kernel, 2010): which of
 * them an image has says more than how much of the strongest. Sums along rows are products with ones, which are the same
 * in every version of ONNX.
 */
function evened(x: Tensor, { size, rectified }: { readonly size: number; readonly rectified: boolean }): Tensor {
  const values = rectified ? emit("Sqrt", [relu(x)], x) : x;
  const ones = constant(new Float32Array(size).fill(1 / size), [size, 1], "float32");
  const mean = matmul(square(values), ones);
  return divide(values, emit("Sqrt", [add(mean, smallest)], mean));
}

/** A vector of zeros stays one. */
const smallest = 1e-12;

function pooled(x: Tensor, pooling: BackboneOutput["pooling"], size: number): Tensor {
  const vectors = { type: x.type, shape: ["batch", size] } as const;
  switch (pooling) {
    case "none":
      return x;
    case "cls":
      return flattened(
        emit("Gather", [x, integers([0])], { ...x, shape: ["batch", 1, size] }, { attributes: { axis: 1 } }),
      );
    case "tokens":
      return flattened(emit("GlobalAveragePool", [transposed(x, [0, 2, 1])], { ...x, shape: ["batch", size, 1] }));
    case "map":
      return flattened(emit("GlobalAveragePool", [x], { ...x, shape: ["batch", size, 1, 1] }));
    case "map, channels last":
      return pooled(transposed(x, [0, 3, 1, 2]), "map", size);
  }
  function flattened(map: Tensor): Tensor {
    return emit("Flatten", [map], vectors, { attributes: { axis: 1 } });
  }
}

const transposed = (x: Tensor, perm: readonly number[]): Tensor =>
  emit("Transpose", [x], { type: x.type, shape: perm.map((axis) => x.shape[axis]) }, { attributes: { perm } });
