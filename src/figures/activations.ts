/** The activations of images in an auto-encoder, layer by layer (fig. vis-activation). */
import { expectFloats } from "../engine/program.ts";
import { Session, type SessionOptions } from "../engine/session.ts";
import { InputError } from "../files/errors.ts";
import { encode } from "../graph/encode.ts";
import { transpose } from "../graph/operators/layout.ts";
import { input, type Tensor } from "../graph/tensor.ts";
import { type ImageSize, pixelCount } from "../images/image.ts";
import type { Architecture } from "../network/architecture.ts";
import { autoEncoderParameters, decodeFeatures, encodeImages, imageInput } from "../network/layers.ts";
import { splitParameters, totalSize } from "../network/parameters.ts";
import type { TrainedValues } from "../network/trained.ts";
import { type FixedNetwork, withFixedStatistics } from "./fixed-statistics.ts";

export interface LayerActivations {
  /** "input", the encoder's layers to "feature", the decoder's, "output". */
  readonly layer: string;
  readonly map: ImageSize;
  /** [images, channels, height, width]. */
  readonly values: Float32Array;
}

/**
 * The activations of `images` [images, channels·height·width] in every layer, from input to output, with the running
 * statistics, as in prediction. `trained` is `Fitted.autoEncoder`: encoder, then decoder.
 */
export async function computeActivations(
  architecture: Architecture,
  trained: TrainedValues,
  images: Float32Array,
  options: SessionOptions = {},
): Promise<LayerActivations[]> {
  const size = pixelCount(architecture.image);
  if (architecture.layers.length === 0) throw new InputError(`network "${architecture.name}" has no layers to show`);
  if (images.length === 0 || images.length % size !== 0)
    throw new InputError(`${images.length} values do not make images of ${size}`);
  const network = withFixedStatistics(architecture, trained);
  const layers = watchedLayers(network.architecture, images.length / size);
  const values = await valuesOf(layers, network, images, options);
  const shown = [...layers].map(([layer, { shape }], index): LayerActivations => {
    const [, channels, height, width] = shape.map(Number);
    const map = { channels, height, width };
    return index === layers.size - 1
      ? { layer: "output", map, values: unscaled(values[layer], architecture) }
      : { layer, map, values: values[layer] };
  });
  return [{ layer: "input", map: architecture.image, values: images.slice() }, ...shown];
}

/** The result of each layer, [images, channels, height, width]. */
function watchedLayers(architecture: Architecture, count: number): Map<string, Tensor> {
  const specs = autoEncoderParameters(architecture);
  const layers = new Map<string, Tensor>();
  const context = {
    parameters: splitParameters(input("parameters", [totalSize(specs)]), specs),
    watch: (layer: string, value: Tensor) => layers.set(layer, transpose(value, [3, 0, 1, 2])),
  };
  decodeFeatures(encodeImages(imageInput(architecture, count), architecture, context), architecture, context);
  return layers;
}

async function valuesOf(
  layers: ReadonlyMap<string, Tensor>,
  { parameters }: FixedNetwork,
  images: Float32Array,
  options: SessionOptions,
): Promise<Record<string, Float32Array>> {
  const session = await Session.open(encode(Object.fromEntries(layers)), options);
  try {
    const results = await session.run({ images, parameters });
    return Object.fromEntries(Object.entries(results).map(([layer, values]) => [layer, expectFloats(values).slice()]));
  } finally {
    await session.close();
  }
}

/** The network restores images at its own scale. */
const unscaled = (values: Float32Array, { scale = 1 }: Architecture): Float32Array =>
  values.map((value) => value / scale);
