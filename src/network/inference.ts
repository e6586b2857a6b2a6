/**
 * The model that leaves the house: image in, feature and soft scores out, the weights inside, batch size free.
 *
 * Here maps are [batch, channels, height, width] as everywhere in ONNX, and only standard operators are used: with
 * constant weights ONNX Runtime folds the normalization into the convolutions and chooses its fastest layout itself.
 */
import { softScores } from "../clustering/soft-assignment.ts";
import type { Dimension, Program } from "../engine/program.ts";
import { type EncodeOptions, encode } from "../graph/encode.ts";
import { reshape } from "../graph/operators/layout.ts";
import { epsilon } from "../graph/operators/normalization.ts";
import { constant, emit, input, type Tensor } from "../graph/tensor.ts";
import { activate } from "./activation.ts";
import type { Architecture, ConvolutionLayer } from "./architecture.ts";
import { encoderParameters, encoderStatistics } from "./layers.ts";
import { type ParameterSpec, parameterView } from "./parameters.ts";
import { centresName, clusteringParameters } from "./programs.ts";
import { type SizedLayer, sizedLayers } from "./shapes.ts";

export interface TrainedValues {
  /** θ and, to get scores, μ, in the order of `encoderParameters` or `clusteringParameters`. */
  readonly parameters: Float32Array;
  /** Running statistics, in the order of `encoderStatistics`; what follows them is ignored. */
  readonly statistics: Float32Array;
}

export interface InferenceOptions {
  /** Number of clusters whose centres are in the parameters. Without it the model gives no scores. */
  readonly k?: number;
  /** The degree of freedom v of the t-distribution. Default: 1. */
  readonly v?: number;
  /** Notes to store in the model. */
  readonly metadata?: EncodeOptions["metadata"];
}

/** `images` [batch, channels, height, width] to `features` [batch, d] and, with centres, `scores` [batch, k]. */
export function inferenceProgram(
  architecture: Architecture,
  trained: TrainedValues,
  { k, v = 1, metadata = {} }: InferenceOptions = {},
): Program {
  const { channels, height, width } = architecture.image;
  const specs = k === undefined ? encoderParameters(architecture) : clusteringParameters(architecture, k);
  const values: StoredValues = {
    parameter: storedConstants(trained.parameters, specs),
    statistic: storedConstants(trained.statistics, encoderStatistics(architecture)),
  };
  let h = input("images", ["batch", channels, height, width]);
  for (const sized of sizedLayers(architecture)) h = applyLayer(h, sized, values);
  const features = reshape(h, ["batch", h.shape[1]]);
  if (k === undefined) return encode({ features }, { metadata });
  const scores = softScores(features, values.parameter(centresName), v);
  return encode({ features, scores }, { metadata });
}

interface StoredValues {
  readonly parameter: (name: string) => Tensor;
  readonly statistic: (name: string) => Tensor;
}

/** Copies, so that the model stays as it is when training goes on. */
function storedConstants(values: Float32Array, specs: readonly ParameterSpec[]): (name: string) => Tensor {
  const shapes = new Map(specs.map(({ name, shape }) => [name, shape]));
  return (name) => constant(parameterView(values, specs, name).slice(), shapes.get(name) ?? [], "float32");
}

function applyLayer(x: Tensor, { layer, output }: SizedLayer, values: StoredValues): Tensor {
  const shape: Dimension[] = ["batch", output.channels, output.height, output.width];
  if (layer.kind === "pool")
    return emit(
      "MaxPool",
      [x],
      { type: x.type, shape },
      { attributes: { kernel_shape: layer.size, strides: layer.size } },
    );
  const [vertical, horizontal] = layer.padding;
  const weight = values.parameter(`${layer.name}.weight`);
  const bias = layer.batchNormalization ? undefined : values.parameter(`${layer.name}.bias`);
  const y = emit(
    "Conv",
    bias === undefined ? [x, weight] : [x, weight, bias],
    { type: x.type, shape },
    { attributes: { kernel_shape: layer.kernel, pads: [vertical, horizontal, vertical, horizontal] } },
  );
  return activate(layer.batchNormalization ? normalizeChannels(y, layer, values) : y, layer.activation);
}

function normalizeChannels(y: Tensor, { name }: ConvolutionLayer, { parameter, statistic }: StoredValues): Tensor {
  return emit(
    "BatchNormalization",
    [
      y,
      parameter(`${name}.gamma`),
      parameter(`${name}.beta`),
      statistic(`${name}.mean`),
      statistic(`${name}.variance`),
    ],
    y,
    { attributes: { epsilon: { float: epsilon } } },
  );
}
