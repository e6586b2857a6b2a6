/**
 * ResNet-50 as Keras has it, with the weights of its authors: in a block that shrinks the map, the first convolution
 * does. He, Zhang, Ren and Sun, "Deep Residual Learning for Image Recognition", 2015.
 */
import type { Program } from "../engine/program.ts";
import { add, relu } from "../graph/operators/elementwise.ts";
import type { Tensor } from "../graph/tensor.ts";
import { type Convolution, centredPhotographs, convolve, maxPool, pooledProgram } from "./layers.ts";
import { transposed, type Weight, type Weights, weightNamed } from "./weights.ts";

/** Blocks of each stage, by the letters that follow the stage's number in their names. */
const stages = { 2: "abc", 3: "abcd", 4: "abcdef", 5: "abc" } as const;

/** Of ImageNet, for each channel from 0 to 255. */
const means = { red: 123.68, green: 116.779, blue: 103.939 } as const;

/** What Keras adds to each variance. */
const epsilon = 1e-3;

export function resNet50(weights: Weights, metadata: Record<string, string>): Program {
  const centred = centredPhotographs([means.red / 255, means.green / 255, means.blue / 255]);
  const first = normalizedConvolution(weights, "conv1", "bn_conv1");
  let map = relu(convolve(centred, { ...first, kernel: forRgb(first.kernel) }, { stride: 2, padding: 3 }));
  map = maxPool(map, { window: 3, stride: 2, padding: 1 });
  for (const [stage, blocks] of Object.entries(stages))
    for (const block of blocks)
      map = residualBlock(map, weights, `${stage}${block}`, {
        stride: stage !== "2" && block === "a" ? 2 : 1,
        projected: block === "a",
      });
  const matrix = transposed(weightNamed(weights, "fc1000/kernel"), [1, 0]);
  return pooledProgram(map, { matrix, bias: weightNamed(weights, "fc1000/bias").values }, metadata);
}

interface BlockOptions {
  readonly stride: number;
  /** Whether a convolution leads around the block; otherwise the map itself does. */
  readonly projected: boolean;
}

function residualBlock(x: Tensor, weights: Weights, name: string, { stride, projected }: BlockOptions): Tensor {
  const branch = (part: string): Convolution =>
    normalizedConvolution(weights, `res${name}_branch${part}`, `bn${name}_branch${part}`);
  const narrowed = relu(convolve(x, branch("2a"), { stride, padding: 0 }));
  const looked = relu(convolve(narrowed, branch("2b"), { padding: "same" }));
  const widened = convolve(looked, branch("2c"), { padding: 0 });
  return relu(add(widened, projected ? convolve(x, branch("1"), { stride, padding: 0 }) : x));
}

/** γ (w x + b - mean) / √(variance + ε) + β is a convolution again. */
function normalizedConvolution(weights: Weights, convolution: string, normalization: string): Convolution {
  const values = (name: string): Float32Array => weightNamed(weights, name).values;
  const kernel = transposed(weightNamed(weights, `${convolution}/kernel`), [3, 2, 0, 1]);
  const [gamma, beta] = [values(`${normalization}/gamma`), values(`${normalization}/beta`)];
  const [mean, variance] = [values(`${normalization}/moving_mean`), values(`${normalization}/moving_variance`)];
  const factors = Float64Array.from(gamma, (factor, filter) => factor / Math.sqrt(variance[filter] + epsilon));
  const perFilter = kernel.values.length / factors.length;
  return {
    kernel: { ...kernel, values: kernel.values.map((value, at) => value * factors[Math.floor(at / perFilter)]) },
    bias: values(`${convolution}/bias`).map((b, filter) => (b - mean[filter]) * factors[filter] + beta[filter]),
  };
}

/** The kernel was trained on BGR from 0 to 255; the same for RGB from 0 to 1. */
function forRgb({ shape, values }: Weight): Weight {
  const [, channels, height, width] = shape;
  const area = height * width;
  const swapped = values.map((_, at) => {
    const channel = Math.floor(at / area) % channels;
    return 255 * values[at + (channels - 1 - 2 * channel) * area];
  });
  return { shape, values: swapped };
}
