/** The size of every map of an architecture, checked. */
import { InputError } from "../files/errors.ts";
import { type ImageSize, pixelCount, shrunkSize } from "../images/image.ts";
import type { Architecture, ConvolutionLayer, Pair, PoolLayer } from "./architecture.ts";
import { type Encoder, ensembleFeatureSize, isEnsemble } from "./ensemble.ts";

/** A layer, with the maps before and after it. */
export type SizedLayer =
  | { readonly layer: ConvolutionLayer; readonly input: ImageSize; readonly output: ImageSize }
  | { readonly layer: PoolLayer; readonly input: ImageSize; readonly output: ImageSize };

/** Each layer of the encoder with its sizes; throws where a layer does not fit or the feature map is not 1x1. */
export function sizedLayers({ name, image, shrink = 1, layers }: Architecture): SizedLayer[] {
  let input = shrunkSize(image, shrink);
  const sized = layers.map((layer): SizedLayer => {
    const before = input;
    input = layer.kind === "convolution" ? convolutionOutput(layer, before) : poolOutput(layer, before);
    return layer.kind === "convolution"
      ? { layer, input: before, output: input }
      : { layer, input: before, output: input };
  });
  if (layers.length > 0 && (input.height !== 1 || input.width !== 1))
    throw new InputError(`network "${name}": the feature map is ${formatMap(input)}, and must be 1x1`);
  return sized;
}

/** A convolution with the pooling that follows it, if any. */
export interface Block {
  readonly layer: ConvolutionLayer;
  readonly pool: PoolLayer | undefined;
  /** The pooling window; [1, 1] where there is none. */
  readonly window: Pair;
  readonly input: ImageSize;
}

/** The encoder as blocks, from image to feature. */
export function blocksOf(architecture: Architecture): Block[] {
  const layers = sizedLayers(architecture);
  return layers.flatMap(({ layer, input }, index) => {
    const next = layers[index + 1]?.layer;
    if (layer.kind === "convolution") {
      const pool = next?.kind === "pool" ? next : undefined;
      return [{ layer, pool, window: pool?.size ?? [1, 1], input }];
    }
    if (layers[index - 1]?.layer.kind !== "convolution")
      throw new InputError(`layer "${layer.name}": pooling must follow a convolution`);
    return [];
  });
}

/** The length of the feature vector z. */
export function featureSize(encoder: Encoder): number {
  if (isEnsemble(encoder)) return ensembleFeatureSize(encoder);
  return pixelCount(sizedLayers(encoder).at(-1)?.output ?? encoder.image);
}

function convolutionOutput({ name, kernel, padding, filters }: ConvolutionLayer, input: ImageSize): ImageSize {
  const height = input.height + 2 * padding[0] - kernel[0] + 1;
  const width = input.width + 2 * padding[1] - kernel[1] + 1;
  if (height < 1 || width < 1)
    throw new InputError(
      `layer "${name}": a kernel of ${kernel.join("x")} is larger than its map, ${formatMap(input)}`,
    );
  return { channels: filters, height, width };
}

function poolOutput({ name, size }: PoolLayer, { channels, height, width }: ImageSize): ImageSize {
  if (height % size[0] !== 0 || width % size[1] !== 0)
    throw new InputError(`layer "${name}": windows of ${size.join("x")} do not fill its map, ${height}x${width}`);
  return { channels, height: height / size[0], width: width / size[1] };
}

const formatMap = ({ channels, height, width }: ImageSize): string => `${height}x${width} with ${channels} channels`;
