/** The layers of encoder and decoder as symbolic tensors, for training: maps are [channels, height, width, batch]. */

import { convolve, convolveTranspose } from "../graph/operators/convolution.ts";
import { add } from "../graph/operators/elementwise.ts";
import { reshape } from "../graph/operators/layout.ts";
import { batchNormalize, normalize, type Statistics } from "../graph/operators/normalization.ts";
import { maxPool, maxUnpool } from "../graph/operators/pooling.ts";
import type { Tensor } from "../graph/tensor.ts";
import { activate } from "./activation.ts";
import type { Architecture, ConvolutionLayer } from "./architecture.ts";
import { heBound, type ParameterSpec } from "./parameters.ts";
import { type SizedLayer, sizedLayers } from "./shapes.ts";

/** What follows a convolution: batch normalization and activation. */
type Finish = Pick<ConvolutionLayer, "batchNormalization" | "activation">;

/** The output of the decoder has neither. */
const plainFinish: Finish = { batchNormalization: false, activation: "linear" };

/** A layer with weights, of the encoder or, mirrored, of the decoder. */
interface WeightedLayer {
  readonly name: string;
  readonly transposed: boolean;
  /** [filters, depth, height, width]; the decoder's go from `filters` to `depth` channels. */
  readonly kernel: readonly number[];
  readonly channels: number;
  readonly finish: Finish;
}

function encoderWeights(layers: readonly SizedLayer[]): WeightedLayer[] {
  return layers.flatMap(({ layer, input }) => {
    if (layer.kind === "pool") return [];
    const kernel = [layer.filters, input.channels, ...layer.kernel];
    return [{ name: layer.name, transposed: false, kernel, channels: layer.filters, finish: layer }];
  });
}

/** Each layer of the encoder backwards; it gives what that one took, finished as the layer that had made it. */
function decoderWeights(layers: readonly SizedLayer[]): WeightedLayer[] {
  const encoder = encoderWeights(layers);
  return encoder
    .map(({ name, kernel }, index) => ({
      name: `de${name}`,
      transposed: true,
      kernel,
      channels: kernel[1],
      finish: index === 0 ? plainFinish : encoder[index - 1].finish,
    }))
    .reverse();
}

function parametersOf({ name, transposed, kernel, channels, finish }: WeightedLayer): ParameterSpec[] {
  const [filters, depth, rows, columns] = kernel;
  const fanIn = (transposed ? filters : depth) * rows * columns;
  const weight: ParameterSpec = { name: `${name}.weight`, shape: kernel, initial: { bound: heBound(fanIn) } };
  if (!finish.batchNormalization) return [weight, { name: `${name}.bias`, shape: [channels], initial: { value: 0 } }];
  // Batch normalization takes away whatever a bias adds: it would have no effect and gradient zero.
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

export const encoderParameters = (architecture: Architecture): ParameterSpec[] =>
  encoderWeights(sizedLayers(architecture)).flatMap(parametersOf);

export const decoderParameters = (architecture: Architecture): ParameterSpec[] =>
  decoderWeights(sizedLayers(architecture)).flatMap(parametersOf);

/** The running mean and variance of each batch normalization of the encoder. */
export const encoderStatistics = (architecture: Architecture): ParameterSpec[] =>
  encoderWeights(sizedLayers(architecture)).flatMap(statisticsOf);

export const decoderStatistics = (architecture: Architecture): ParameterSpec[] =>
  decoderWeights(sizedLayers(architecture)).flatMap(statisticsOf);

export interface LayerContext {
  readonly parameters: ReadonlyMap<string, Tensor>;
  /** Normalize with these statistics; without, with the batch's own. */
  readonly statistics?: ReadonlyMap<string, Tensor>;
  /** Called with the result of each layer, for tests and figures. */
  readonly watch?: (layer: string, value: Tensor) => void;
}

export interface Encoded {
  /** The feature z as a map [features, 1, 1, batch]. */
  readonly feature: Tensor;
  /** Where the maxima were, by pooling layer. */
  readonly switches: ReadonlyMap<string, Tensor>;
  readonly batchStatistics: ReadonlyMap<string, Tensor>;
}

/** f: x → z. */
export function encodeImages(x: Tensor, architecture: Architecture, context: LayerContext): Encoded {
  const layers = sizedLayers(architecture);
  const weights = new Map(encoderWeights(layers).map((weighted) => [weighted.name, weighted]));
  const switches = new Map<string, Tensor>();
  const batchStatistics = new Map<string, Tensor>();
  let h = x;
  for (const { layer } of layers) {
    const weighted = weights.get(layer.name);
    if (layer.kind === "pool") {
      const pooled = maxPool(h, layer.size);
      switches.set(layer.name, pooled.switches);
      h = pooled.values;
    } else if (weighted !== undefined) {
      const y = convolve(h, parameter(context, `${layer.name}.weight`), layer.padding);
      h = finishLayer(y, weighted, context, batchStatistics);
    }
    context.watch?.(layer.name, h);
  }
  return { feature: h, switches, batchStatistics };
}

/** g: z → x̂. */
export function decodeFeatures(
  { feature, switches }: Encoded,
  architecture: Architecture,
  context: LayerContext,
): { reconstruction: Tensor; batchStatistics: ReadonlyMap<string, Tensor> } {
  const layers = sizedLayers(architecture);
  const weights = new Map(decoderWeights(layers).map((weighted) => [weighted.name, weighted]));
  const batchStatistics = new Map<string, Tensor>();
  let h = feature;
  for (const { layer, input } of layers.reverse()) {
    const name = `de${layer.name}`;
    const weighted = weights.get(name);
    if (layer.kind === "pool") {
      const where = expectEntry(switches, layer.name);
      h = maxUnpool(h, where, [input.channels, input.height, input.width, h.shape[3]]);
    } else if (weighted !== undefined) {
      const y = convolveTranspose(h, parameter(context, `${name}.weight`), layer.padding);
      h = finishLayer(y, weighted, context, batchStatistics);
    }
    context.watch?.(name, h);
  }
  return { reconstruction: h, batchStatistics };
}

function finishLayer(
  y: Tensor,
  { name, finish }: WeightedLayer,
  context: LayerContext,
  batchStatistics: Map<string, Tensor>,
): Tensor {
  if (!finish.batchNormalization) {
    const bias = parameter(context, `${name}.bias`);
    return activate(add(y, reshape(bias, [y.shape[0], 1, 1, 1])), finish.activation);
  }
  const scaling = { gamma: parameter(context, `${name}.gamma`), beta: parameter(context, `${name}.beta`) };
  if (context.statistics !== undefined) {
    const statistics: Statistics = {
      mean: expectEntry(context.statistics, `${name}.mean`),
      variance: expectEntry(context.statistics, `${name}.variance`),
    };
    return activate(normalize(y, scaling, statistics), finish.activation);
  }
  const normalized = batchNormalize(y, scaling);
  batchStatistics.set(`${name}.mean`, normalized.statistics.mean);
  batchStatistics.set(`${name}.variance`, normalized.statistics.variance);
  return activate(normalized.y, finish.activation);
}

const parameter = (context: LayerContext, name: string): Tensor => expectEntry(context.parameters, name);

function expectEntry(map: ReadonlyMap<string, Tensor>, name: string): Tensor {
  const value = map.get(name);
  if (value === undefined) throw new Error(`the network has no "${name}"`);
  return value;
}
