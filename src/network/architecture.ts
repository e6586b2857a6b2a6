/**
 * An architecture is data: the encoder's layers, from image to feature. The decoder is its mirror image and never
 * listed. The paper's four have names; `deriveArchitecture` makes one for any other image size.
 */
import { InputError } from "../files/errors.ts";
import { type ImageSize, shortestSide, shrunkSize } from "../images/image.ts";

/** Height, width. */
export type Pair = readonly [number, number];

export type Activation = "relu" | "leaky-relu" | "tanh" | "sigmoid" | "linear";
export const activations: readonly Activation[] = ["relu", "leaky-relu", "tanh", "sigmoid", "linear"];

/** Convolution, batch normalization (or a bias), activation. A dense layer is one whose kernel covers its input. */
export interface ConvolutionLayer {
  readonly kind: "convolution";
  readonly name: string;
  readonly kernel: Pair;
  readonly filters: number;
  readonly padding: Pair;
  readonly batchNormalization: boolean;
  readonly activation: Activation;
}

export interface PoolLayer {
  readonly kind: "pool";
  readonly name: string;
  readonly size: Pair;
}

export type Layer = ConvolutionLayer | PoolLayer;

export interface Architecture {
  readonly name: string;
  readonly image: ImageSize;
  /** The encoder; its last layer gives the feature, a map of 1x1. Without layers the feature is the image itself. */
  readonly layers: readonly Layer[];
  /** Images are shrunk by this whole factor before they enter: the mean of each square of pixels. Default: 1. */
  readonly shrink?: number;
  /** Images are multiplied by this before they enter. Default: 1. */
  readonly scale?: number;
  /** The activation of the decoder's output. Default: "linear". */
  readonly outputActivation?: Activation;
}

/** Choices that the paper leaves open. */
export interface ArchitectureOptions {
  /** After each batch normalization, except on the feature and on the output. Default: "relu". */
  readonly activation?: Activation;
  /** On the feature layer. Default: "linear". */
  readonly featureActivation?: Activation;
  /** Batch normalization on the feature layer. Default: true, as "after each convolutional layer" says. */
  readonly featureBatchNormalization?: boolean;
}

/** A row of the paper's table: (kernel, filters) of each block of convolution and 2x2 pooling, then of the feature. */
interface TableRow {
  readonly image: ImageSize;
  readonly padding: number;
  readonly blocks: readonly Pair[];
  readonly feature: Pair;
}

const coil = {
  padding: 0,
  blocks: [
    [9, 20],
    [5, 20],
    [5, 20],
    [5, 40],
  ],
  feature: [4, 320],
} as const;

const table = {
  mnist: {
    image: { channels: 1, height: 28, width: 28 },
    padding: 0,
    blocks: [
      [5, 6],
      [5, 16],
    ],
    feature: [4, 120],
  },
  usps: {
    image: { channels: 1, height: 16, width: 16 },
    padding: 1,
    blocks: [
      [3, 20],
      [3, 20],
    ],
    feature: [4, 160],
  },
  "coil-20": { image: { channels: 1, height: 128, width: 128 }, ...coil },
  "coil-100": { image: { channels: 3, height: 128, width: 128 }, ...coil },
} as const satisfies Record<string, TableRow>;

export type PaperNetwork = keyof typeof table;
export const paperNetworks: readonly PaperNetwork[] = ["mnist", "usps", "coil-20", "coil-100"];

/** The paper's network for the dataset of that name or for its test images. */
export const paperNetworkFor = (dataset: string): PaperNetwork | undefined =>
  paperNetworks.find((network) => dataset === network || dataset === `${network}-test`);

/** One of the paper's four networks. */
export function paperArchitecture(name: string, options: ArchitectureOptions = {}): Architecture {
  const known = paperNetworks.find((network) => network === name);
  if (known === undefined)
    throw new InputError(`there is no network "${name}"; the paper's are: ${paperNetworks.join(", ")}`);
  const { image, padding, blocks, feature }: TableRow = table[known];
  const layers = blocks.flatMap(([kernel, filters], index) =>
    block(index + 1, filters, { kernel: [kernel, kernel], padding: [padding, padding], pool: [2, 2] }, options),
  );
  return { name, image, layers: [...layers, featureLayer([feature[0], feature[0]], feature[1], options)] };
}

/** A map of at most this size along both axes is covered by the feature layer's kernel. */
const largestFeatureKernel = 7;
/** Images up to this size are padded, as USPS is in the paper: without padding their maps would vanish too soon. */
const largestPadded = 16;
/** From this size on a kernel is 9 wide, like COIL's first. */
const smallestWide = 96;

/**
 * An architecture by the paper's rules for any image from 8x8 to 256x256: convolution and pooling by two until the map
 * is small, then a feature layer whose kernel covers it. The rules reproduce the kernels of the paper's
 * networks; along an odd axis a kernel is even, so that pooling drops nothing. An axis that is already small stays
 * unpooled until the other one is small too.
 */
export function deriveArchitecture(image: ImageSize, options: ArchitectureOptions = {}): Architecture {
  expectImageSize(image);
  const padded = Math.max(image.height, image.width) <= largestPadded;
  const layers: Layer[] = [];
  let size: Pair = [image.height, image.width];
  const plans: BlockPlan[] = [];
  while (Math.max(...size) > largestFeatureKernel) {
    const axes = [planAxis(size[0], padded), planAxis(size[1], padded)];
    plans.push({
      kernel: [axes[0].kernel, axes[1].kernel],
      padding: [axes[0].padding, axes[1].padding],
      pool: [axes[0].pool, axes[1].pool],
    });
    size = [axes[0].size, axes[1].size];
  }
  plans.forEach((plan, index) => {
    const deepest = plans.length > 2 && index === plans.length - 1;
    layers.push(...block(index + 1, deepest ? 40 : 20, plan, options));
  });
  const filters = plans.length > 2 ? 320 : 160;
  return {
    name: `derived-${image.height}x${image.width}x${image.channels}`,
    image,
    layers: [...layers, featureLayer(size, filters, options)],
  };
}

export interface DenseOptions extends ArchitectureOptions, Pick<Architecture, "scale" | "outputActivation"> {
  /** Default: false. */
  readonly batchNormalization?: boolean;
}

/** A dense auto-encoder: units `[500, 500, 2000, 10]` make the stacked auto-encoder of DEC. */
export function denseArchitecture(
  image: ImageSize,
  units: readonly number[],
  options: DenseOptions = {},
): Architecture {
  const { activation = "relu", featureActivation = "linear", batchNormalization = false } = options;
  const { scale, outputActivation } = options;
  const layers = units.map((filters, index): ConvolutionLayer => {
    const last = index === units.length - 1;
    return {
      kind: "convolution",
      name: last ? "feature" : `dense${index + 1}`,
      kernel: index === 0 ? [image.height, image.width] : [1, 1],
      filters,
      padding: [0, 0],
      batchNormalization: last ? (options.featureBatchNormalization ?? batchNormalization) : batchNormalization,
      activation: last ? featureActivation : activation,
    };
  });
  return {
    name: `dense-${units.join("-")}`,
    image,
    layers,
    ...(scale === undefined ? {} : { scale }),
    ...(outputActivation === undefined ? {} : { outputActivation }),
  };
}

/** What stands for a convolutional network where images are vectors; both have at most as many units as the vector. */
export const vectorArchitectures = {
  /** One linear layer, whose best auto-encoder is known: the principal components. */
  linear: (image: ImageSize): Architecture => denseArchitecture(image, [Math.min(128, image.channels)]),
  /** The feature is as long as that of the paper's network for digits. */
  dense: (image: ImageSize, options: ArchitectureOptions = {}): Architecture =>
    denseArchitecture(image, [Math.min(500, image.channels), Math.min(120, image.channels)], {
      ...options,
      batchNormalization: true,
    }),
};

/** `deriveArchitecture` for images that are shrunk by a whole factor before they enter. */
export const deriveShrinking = (image: ImageSize, shrink: number, options: ArchitectureOptions = {}): Architecture =>
  withShrinking(deriveArchitecture(shrunkSize(image, shrink), options), shrink);

/** The same network for images that are `shrink` times as large and shrunk before they enter. */
export function withShrinking(network: Architecture, shrink: number): Architecture {
  if (shrink === 1) return network;
  const { channels, height, width } = network.image;
  const image = { channels, height: height * shrink, width: width * shrink };
  return { ...network, name: `${network.name}-shrunk-${shrink}`, image, shrink };
}

/** The same network for images that have already been shrunk. */
export function withoutShrinking({ shrink = 1, image, ...network }: Architecture): Architecture {
  return { ...network, image: shrunkSize(image, shrink) };
}

/** No network at all: the feature is the image. */
export const pixelArchitecture = (image: ImageSize): Architecture => ({ name: "pixels", image, layers: [] });

interface BlockPlan {
  readonly kernel: Pair;
  readonly padding: Pair;
  readonly pool: Pair;
}

function planAxis(size: number, padded: boolean): { kernel: number; padding: number; pool: number; size: number } {
  if (size <= largestFeatureKernel) return { kernel: 3, padding: 1, pool: 1, size };
  const odd = size % 2;
  const [kernel, padding] = padded ? [3 + odd, 1] : [(size >= smallestWide ? 9 : 5) - odd, 0];
  return { kernel, padding, pool: 2, size: (size + 2 * padding - kernel + 1) / 2 };
}

function block(number: number, filters: number, plan: BlockPlan, options: ArchitectureOptions): Layer[] {
  const { kernel, padding, pool } = plan;
  const { activation = "relu" } = options;
  return [
    { kind: "convolution", name: `conv${number}`, kernel, filters, padding, batchNormalization: true, activation },
    { kind: "pool", name: `pool${number}`, size: pool },
  ];
}

function featureLayer(kernel: Pair, filters: number, options: ArchitectureOptions): ConvolutionLayer {
  return {
    kind: "convolution",
    name: "feature",
    kernel,
    filters,
    padding: [0, 0],
    batchNormalization: options.featureBatchNormalization ?? true,
    activation: options.featureActivation ?? "linear",
  };
}

/** Of an image that a convolutional network takes. */
const longestSide = 256;

function expectImageSize({ channels, height, width }: ImageSize): void {
  for (const side of [height, width])
    if (!Number.isInteger(side) || side < shortestSide || side > longestSide)
      throw new InputError(
        `images must be from ${shortestSide}x${shortestSide} to ${longestSide}x${longestSide}, not ${height}x${width}; ` +
          "resize them first",
      );
  if (channels !== 1 && channels !== 3)
    throw new InputError(`images must have 1 (grey) or 3 (colour) channels, not ${channels}`);
}
