/**
 * The encoder of IEC: an image is described by its cluster in each of many partitions of the (reduced) images; a linear
 * map takes these memberships to the feature.
 */
import type { Dimension } from "../engine/program.ts";
import { multiply, subtract } from "../graph/operators/elementwise.ts";
import { concatenate, reshape, split } from "../graph/operators/layout.ts";
import { matmul } from "../graph/operators/product.ts";
import { sumSquare } from "../graph/operators/reduction.ts";
import { constant, emit, type Tensor } from "../graph/tensor.ts";
import type { ImageSize } from "../images/image.ts";
import type { Architecture } from "./architecture.ts";
import { type ParameterSpec, parameterView } from "./parameters.ts";
import type { TrainedValues } from "./trained.ts";

export interface Ensemble {
  readonly name: string;
  readonly image: ImageSize;
  /** Squares with sides of this many pixels are averaged first. */
  readonly reduction: number;
  /** The number of clusters of each partition. Without partitions, the feature is the reduced image. */
  readonly partitions: readonly number[];
}

/** Maps images to features. */
export type Encoder = Architecture | Ensemble;

export const isEnsemble = (encoder: Encoder): encoder is Ensemble => "partitions" in encoder;

/** The image after averaging; rows and columns that do not fill a square are dropped. */
export const reducedSize = ({ image: { channels, height, width }, reduction }: Ensemble): ImageSize => ({
  channels,
  height: Math.floor(height / reduction),
  width: Math.floor(width / reduction),
});

const reducedPixels = (ensemble: Ensemble): number => {
  const { channels, height, width } = reducedSize(ensemble);
  return channels * height * width;
};

/** The number of clusters of all partitions together. */
export const membershipCount = ({ partitions }: Ensemble): number => partitions.reduce((a, b) => a + b, 0);

export const ensembleFeatureSize = (ensemble: Ensemble): number =>
  ensemble.partitions.length === 0 ? reducedPixels(ensemble) : membershipCount(ensemble);

export function ensembleParameters(ensemble: Ensemble): ParameterSpec[] {
  const memberships = membershipCount(ensemble);
  if (memberships === 0) return [];
  return [
    { name: "partitions.centres", shape: [memberships, reducedPixels(ensemble)], initial: { value: 0 } },
    { name: "embedding.weight", shape: [memberships, memberships], initial: { value: 0 } },
  ];
}

/** Features [batch, d] of `images` [batch, channels·height·width]. */
export function ensembleFeatures(images: Tensor, ensemble: Ensemble, { parameters }: TrainedValues): Tensor {
  const reduced = reduce(images, ensemble);
  if (ensemble.partitions.length === 0) return reduced;
  const specs = ensembleParameters(ensemble);
  const [centres, weight] = specs.map(({ name, shape }) =>
    constant(parameterView(parameters, specs, name).slice(), shape, "float32"),
  );
  return matmul(memberships(reduced, centres, ensemble.partitions), weight);
}

function reduce(images: Tensor, ensemble: Ensemble): Tensor {
  const { reduction, image } = ensemble;
  if (reduction === 1) return images;
  const [batch] = images.shape;
  const maps = reshape(images, [batch, image.channels, image.height, image.width]);
  const { channels, height, width } = reducedSize(ensemble);
  const shape: Dimension[] = [batch, channels, height, width];
  const window = [reduction, reduction];
  const pooled = emit(
    "AveragePool",
    [maps],
    { type: images.type, shape },
    { attributes: { kernel_shape: window, strides: window } },
  );
  return reshape(pooled, [batch, reducedPixels(ensemble)]);
}

/** 1 for the nearest centre of each partition, 0 for the others: the nearest has the largest 2x·c − ‖c‖². */
function memberships(x: Tensor, centres: Tensor, partitions: readonly number[]): Tensor {
  const nearness = subtract(multiply(matmul(x, centres, { right: true }), 2), sumSquare(centres, [1]));
  const nearest = split(nearness, partitions, 1).map((part) =>
    emit("Hardmax", [part], part, { attributes: { axis: 1 } }),
  );
  return concatenate(nearest, 1);
}
