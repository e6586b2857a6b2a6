/** The layers of encoder and decoder as symbolic tensors, for training: maps are [channels, height, width, batch]. */

import { convolve, convolveTranspose } from "../graph/operators/convolution.ts";
import { multiply } from "../graph/operators/elementwise.ts";
import { reshape, transpose } from "../graph/operators/layout.ts";
import {
  addPerChannel,
  batchNormalize,
  batchNormalizeMaxPool,
  type Scaling,
  type Statistics,
} from "../graph/operators/normalization.ts";
import { maxPool, maxUnpool, type Pooled } from "../graph/operators/pooling.ts";
import { mean } from "../graph/operators/reduction.ts";
import { input, type Tensor } from "../graph/tensor.ts";
import type { ImageSize } from "../images/image.ts";
import { activate } from "./activation.ts";
import type { Architecture, ConvolutionLayer, Pair } from "./architecture.ts";
import { type Encoder, ensembleParameters, isEnsemble } from "./ensemble.ts";
import { heBound, type ParameterSpec } from "./parameters.ts";
import { type Block, blocksOf } from "./shapes.ts";

/** What follows a convolution: batch normalization and activation. */
type Finish = Pick<ConvolutionLayer, "batchNormalization" | "activation">;

/** A layer with weights: of the encoder or, mirrored, of the decoder. */
interface WeightedLayer {
  readonly name: string;
  readonly transposed: boolean;
  /** [filters, depth, height, width]; a decoder layer maps `filters` channels to `depth`. */
  readonly kernel: readonly number[];
  readonly channels: number;
  readonly finish: Finish;
}

function encoderWeights(blocks: readonly Block[]): WeightedLayer[] {
  return blocks.map(({ layer, input }) => ({
    name: layer.name,
    transposed: false,
    kernel: [layer.filters, input.channels, ...layer.kernel],
    channels: layer.filters,
    finish: layer,
  }));
}

/** The encoder's layers in reverse; each restores its layer's input, finished as the layer that produced that input. */
function decoderWeights(architecture: Architecture): WeightedLayer[] {
  const encoder = encoderWeights(blocksOf(architecture));
  const output: Finish = { batchNormalization: false, activation: architecture.outputActivation ?? "linear" };
  return encoder
    .map(({ name, kernel }, index) => ({
      name: `de${name}`,
      transposed: true,
      kernel,
      channels: kernel[1],
      finish: index === 0 ? output : encoder[index - 1].finish,
    }))
    .reverse();
}

function parametersOf({ name, transposed, kernel, channels, finish }: WeightedLayer): ParameterSpec[] {
  const [filters, depth, rows, columns] = kernel;
  const fanIn = (transposed ? filters : depth) * rows * columns;
  const weight: ParameterSpec = { name: `${name}.weight`, shape: kernel, initial: { bound: heBound(fanIn) } };
  if (!finish.batchNormalization) return [weight, { name: `${name}.bias`, shape: [channels], initial: { value: 0 } }];
  // Batch normalization subtracts whatever a bias adds: a bias would have no effect and a gradient of zero.
  return [
    weight,
    { name: `${name}.gamma`, shape: [channels], initial: { value: 1 } },
    { name: `${name}.beta`, shape: [channels], initial: { value: 0 } },
  ];
}

function statisticsOf({ name, channels, finish }: WeightedLayer): ParameterSpec[] {
  if (!finish.batchNormalization) return [];
  return [
    { name: `${name}.mean`, shape: [channels], initial: { value: 0 } },
    { name: `${name}.variance`, shape: [channels], initial: { value: 1 } },
  ];
}

export const encoderParameters = (encoder: Encoder): ParameterSpec[] =>
  isEnsemble(encoder) ? ensembleParameters(encoder) : encoderWeights(blocksOf(encoder)).flatMap(parametersOf);

export const decoderParameters = (architecture: Architecture): ParameterSpec[] =>
  decoderWeights(architecture).flatMap(parametersOf);

/** The running mean and variance of each batch normalization of the encoder. */
export const encoderStatistics = (encoder: Encoder): ParameterSpec[] =>
  isEnsemble(encoder) ? [] : encoderWeights(blocksOf(encoder)).flatMap(statisticsOf);

export const decoderStatistics = (architecture: Architecture): ParameterSpec[] =>
  decoderWeights(architecture).flatMap(statisticsOf);

/** The encoder's, then the decoder's: the order of an auto-encoder's vectors. */
export const autoEncoderParameters = (architecture: Architecture): ParameterSpec[] => [
  ...encoderParameters(architecture),
  ...decoderParameters(architecture),
];

export const autoEncoderStatistics = (architecture: Architecture): ParameterSpec[] => [
  ...encoderStatistics(architecture),
  ...decoderStatistics(architecture),
];

/** `images` [batch, channels·height·width], shrunk and scaled, as a map with the batch last. */
export function imageInput({ image, shrink = 1, scale = 1 }: Architecture, batch: number): Tensor {
  const map = shrinkMap(imageMap("images", image, batch), shrink);
  return scale === 1 ? map : multiply(map, scale);
}

/** The mean of each square of a map [channels, height, width, batch]. */
export function shrinkMap(map: Tensor, factor: number): Tensor {
  if (factor === 1) return map;
  const [channels, height, width, batch] = map.shape.map(Number);
  const squares = reshape(map, [channels, height / factor, factor, width / factor, factor, batch]);
  return mean(squares, [2, 4]);
}

/** An input with one row per image, as a map with the batch last. */
export function imageMap(name: string, { channels, height, width }: ImageSize, batch: number): Tensor {
  const rows = input(name, [batch, channels * height * width]);
  return reshape(transpose(rows, [1, 0]), [channels, height, width, batch]);
}

export interface LayerContext {
  readonly parameters: ReadonlyMap<string, Tensor>;
  /** Called with the result of each layer, for tests and figures. */
  readonly watch?: (layer: string, value: Tensor) => void;
}

export interface Encoded {
  /** The feature z as a map [features, 1, 1, batch]. */
  readonly feature: Tensor;
  /** The positions of the maxima, by pooling layer. */
  readonly switches: ReadonlyMap<string, Tensor>;
  readonly batchStatistics: ReadonlyMap<string, Tensor>;
}

/** f: x → z. */
export function encodeImages(x: Tensor, architecture: Architecture, context: LayerContext): Encoded {
  const blocks = blocksOf(architecture);
  const switches = new Map<string, Tensor>();
  const batchStatistics = new Map<string, Tensor>();
  let h = x;
  encoderWeights(blocks).forEach((weighted, index) => {
    const { layer, pool, window } = blocks[index];
    const y = convolve(h, parameter(context, `${layer.name}.weight`), { padding: layer.padding, phases: window });
    if (pool === undefined) {
      h = withoutPhases(finishLayer(y, weighted, context, batchStatistics), window);
      context.watch?.(layer.name, h);
    } else {
      // One operator finishes and pools; the map before pooling is computed only if somebody watches.
      context.watch?.(layer.name, withoutPhases(finishLayer(y, weighted, context, batchStatistics), window));
      const pooled = finishAndPool(y, weighted, context, batchStatistics);
      switches.set(pool.name, pooled.switches);
      h = pooled.values;
      context.watch?.(pool.name, h);
    }
  });
  return { feature: h, switches, batchStatistics };
}

/** g: z → x̂. */
export function decodeFeatures(
  { feature, switches }: Encoded,
  architecture: Architecture,
  context: LayerContext,
): { reconstruction: Tensor; batchStatistics: ReadonlyMap<string, Tensor> } {
  const blocks = blocksOf(architecture).reverse();
  const batchStatistics = new Map<string, Tensor>();
  let h = feature;
  decoderWeights(architecture).forEach((weighted, index) => {
    const { layer, pool, window } = blocks[index];
    const [channels, ...rest] = h.shape;
    const small =
      pool === undefined ? reshape(h, [channels, 1, ...rest]) : maxUnpool(h, expectEntry(switches, pool.name));
    if (pool !== undefined) context.watch?.(`de${pool.name}`, withoutPhases(small, window));
    const weight = parameter(context, `${weighted.name}.weight`);
    const y = convolveTranspose(small, weight, { padding: layer.padding, phases: window });
    h = finishLayer(y, weighted, context, batchStatistics);
    context.watch?.(weighted.name, h);
  });
  return { reconstruction: h, batchStatistics };
}

/** A map sorted by position in the pooling window, back as [channels, height, width, batch]. */
function withoutPhases(x: Tensor, [rows, columns]: Pair): Tensor {
  const [channels, , height, width, batch] = x.shape.map(Number);
  if (rows * columns === 1) return reshape(x, [channels, height, width, batch]);
  const unsorted = transpose(reshape(x, [channels, rows, columns, height, width, batch]), [0, 3, 1, 4, 2, 5]);
  return reshape(unsorted, [channels, height * rows, width * columns, batch]);
}

/** Batch normalization, or a bias where there is none; then the activation. */
function finishLayer(
  y: Tensor,
  { name, finish }: WeightedLayer,
  context: LayerContext,
  batchStatistics: Map<string, Tensor>,
): Tensor {
  if (!finish.batchNormalization)
    return activate(addPerChannel(y, parameter(context, `${name}.bias`)), finish.activation);
  const scaling = layerScaling(name, context);
  const rectify = finish.activation === "relu";
  const normalized = batchNormalize(y, scaling, { rectify });
  keepStatistics(name, normalized.statistics, batchStatistics);
  return rectify ? normalized.y : activate(normalized.y, finish.activation);
}

/** `finishLayer` and max-pooling; the paper's combination, batch normalization and ReLU, has an operator of its own. */
function finishAndPool(
  y: Tensor,
  weighted: WeightedLayer,
  context: LayerContext,
  batchStatistics: Map<string, Tensor>,
): Pooled {
  const { name, finish } = weighted;
  if (!finish.batchNormalization || finish.activation !== "relu")
    return maxPool(finishLayer(y, weighted, context, batchStatistics));
  const pooled = batchNormalizeMaxPool(y, layerScaling(name, context));
  keepStatistics(name, pooled.statistics, batchStatistics);
  return pooled;
}

const layerScaling = (name: string, context: LayerContext): Scaling => ({
  gamma: parameter(context, `${name}.gamma`),
  beta: parameter(context, `${name}.beta`),
});

function keepStatistics(name: string, { mean, variance }: Statistics, batchStatistics: Map<string, Tensor>): void {
  batchStatistics.set(`${name}.mean`, mean);
  batchStatistics.set(`${name}.variance`, variance);
}

const parameter = (context: LayerContext, name: string): Tensor => expectEntry(context.parameters, name);

function expectEntry(map: ReadonlyMap<string, Tensor>, name: string): Tensor {
  const value = map.get(name);
  if (value === undefined) throw new Error(`the network has no "${name}"`);
  return value;
}
