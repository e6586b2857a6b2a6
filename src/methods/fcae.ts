/** Stage I of Algorithm 1: train the fully convolutional auto-encoder. FCAE-KMS and DBC begin with it. */
import { type Augmentation, augmentations } from "../augmentation.ts";
import type { Images } from "../dataset.ts";
import { InputError } from "../errors.ts";
import { formatImageSize, type ImageSize, pixelCount, shortestSide } from "../image.ts";
import {
  type Architecture,
  type ArchitectureOptions,
  deriveArchitecture,
  deriveShrinking,
  paperArchitecture,
  paperNetworks,
} from "../network/architecture.ts";
import { createOptimizer, type OptimizerOptions } from "../network/optimizer.ts";
import type { TrainedValues } from "../network/trained.ts";
import type { Trainer } from "../network/trainer.ts";
import { shrinkFactor } from "../shrunk-dataset.ts";
import { trainAutoEncoder } from "./auto-encoder.ts";
import { shuffledBatches } from "./batches.ts";
import type { MethodOptions } from "./method.ts";
import { pretrainedPhase } from "./pretrained.ts";
import { batchSetting, commonSettings, expectCount } from "./settings.ts";
import type { TrainingContext } from "./training.ts";

/** How far the auto-encoder is trained, as in the paper's ablation: all epochs, half of them, none. */
export const initializations = ["trained", "half-trained", "random"] as const;
export type Initialization = (typeof initializations)[number];

export interface FcaeOptions extends ArchitectureOptions, MethodOptions {
  /** Default: the paper's network for the paper's datasets, else one derived from the image size. */
  readonly architecture?: Architecture;
  /** Epochs of the auto-encoder. Default: 30. */
  readonly pretrainEpochs?: number;
  /** Default: "trained". */
  readonly initialization?: Initialization;
  /** Images a step. Default: 256, or 32 where images are larger than 64x64. */
  readonly batch?: number;
  /** Of the auto-encoder. Default: Adam, learning rate 1e-3. */
  readonly pretrainOptimizer?: OptimizerOptions;
  /** How images are changed each time they are seen in training. Default: "none". */
  readonly augmentation?: Augmentation;
  /** Larger images are made smaller, by a whole factor, but not below this, before they enter. Default: never. */
  readonly networkSide?: number;
}

type FcaeSettings = ReturnType<typeof fcaeSettings>;

/** The options, checked and with their defaults. */
export function fcaeSettings(dataset: Images, options: FcaeOptions) {
  const { pretrainEpochs = 30, initialization = "trained", pretrainOptimizer = { kind: "adam" } } = options;
  const { augmentation = "none", networkSide } = options;
  const common = commonSettings(dataset, options);
  const batch = batchSetting(dataset, options.batch);
  expectCount("pretrainEpochs", pretrainEpochs, 0);
  if (!initializations.includes(initialization))
    throw new InputError(`there is no initialization "${initialization}"; use one of: ${initializations.join(", ")}`);
  if (!augmentations.includes(augmentation))
    throw new InputError(`there is no augmentation "${augmentation}"; use one of: ${augmentations.join(", ")}`);
  if (networkSide !== undefined) expectCount("networkSide", networkSide, shortestSide);
  const architecture = networkOf(dataset, options);
  expectFitting(dataset, architecture);
  return {
    ...common,
    pretrainEpochs,
    initialization,
    batch,
    augmentation,
    ...(networkSide === undefined ? {} : { networkSide }),
    pretrainOptimizer: createOptimizer(pretrainOptimizer).settings,
    network: architecture.name,
    ...networkSettings(architecture),
  };
}

/** What the options decide of a network, told by its first and its last layer. */
function networkSettings({ layers }: Architecture) {
  const [first, feature] = [layers[0], layers.at(-1)];
  if (first?.kind !== "convolution" || feature?.kind !== "convolution")
    throw new InputError("a network begins and ends with a convolution");
  return {
    activation: first.activation,
    featureActivation: feature.activation,
    featureBatchNormalization: feature.batchNormalization,
  };
}

function expectFitting({ name, image }: Images, network: Architecture): void {
  if (!sameSize(network.image, image))
    throw new InputError(
      `network "${network.name}" takes images of ${formatImageSize(network.image)}, and ${name} has ${formatImageSize(image)}`,
    );
}

/** The network asked for; else the paper's for its own datasets, and one by its rules for any other. */
export function networkOf(dataset: Images, options: FcaeOptions): Architecture {
  const { architecture, networkSide } = options;
  if (architecture !== undefined) return architecture;
  if (networkSide !== undefined)
    return deriveShrinking(dataset.image, shrinkFactor(dataset.image, networkSide), options);
  const name = paperNetworks.find((network) => dataset.name === network || dataset.name === `${network}-test`);
  const paper = name === undefined ? undefined : paperArchitecture(name, options);
  return paper !== undefined && sameSize(paper.image, dataset.image)
    ? paper
    : deriveArchitecture(dataset.image, options);
}

/** Which of the auto-encoders that a run trains. */
export interface Turn {
  /** From 0. */
  readonly number: number;
  readonly of: number;
}

export const onlyTurn: Turn = { number: 0, of: 1 };

/** What tells its phases from those of the others; the first is called as if it were the only one. */
export const turnSuffix = ({ number }: Turn): string => (number === 0 ? "" : ` ${number + 1}`);

/** Where its epochs are among those of all. */
export const withinTurns = (epochs: number, { number, of }: Turn) => ({ before: number * epochs, total: of * epochs });

/** Step 1 of Algorithm 1: the parameters and statistics of encoder, then decoder. */
export async function trainFcae(
  options: FcaeOptions,
  context: TrainingContext,
  turn = onlyTurn,
): Promise<TrainedValues> {
  const settings = fcaeSettings(context.dataset, options);
  const { seed, batch, augmentation, pretrainOptimizer, threads, device } = settings;
  const architecture = networkOf(context.dataset, options);
  const epochs = epochsOf(settings);
  const decisive = { epochs, seed, turn: turn.number, batch, augmentation, pretrainOptimizer, threads, device };
  const train = (): Promise<TrainedValues> =>
    trainAutoEncoder(
      architecture,
      {
        phase: `auto-encoder training${turnSuffix(turn)}`,
        stage: "auto-encoder",
        epochs,
        seed,
        batch,
        augmentation,
        within: withinTurns(epochs, turn),
        optimizer: options.pretrainOptimizer ?? { kind: "adam" },
        settle: (trainer) => settleStatistics(trainer, settings, context),
      },
      context,
    );
  return pretrainedPhase(architecture, decisive, context, train, `auto-encoder${turnSuffix(turn)}`);
}

function epochsOf({ pretrainEpochs, initialization }: FcaeSettings): number {
  return { trained: pretrainEpochs, "half-trained": Math.ceil(pretrainEpochs / 2), random: 0 }[initialization];
}

/** After so many batches a tenth of each, the start is forgotten. */
const settlingSteps = 50;

/** The running statistics of a network that was hardly trained, or not at all: steps at learning rate zero. */
async function settleStatistics(
  trainer: Trainer,
  { seed, batch }: FcaeSettings,
  { dataset, options: { signal } }: TrainingContext,
): Promise<void> {
  if (trainer.steps >= settlingSteps) return;
  const images = new Float32Array(batch * pixelCount(dataset.image));
  const order = { seed, use: "statistics", epoch: 1, batches: settlingSteps };
  for (const indices of shuffledBatches(dataset.count, batch, order)) {
    signal?.throwIfAborted();
    dataset.read(indices, images);
    await trainer.step({ images }, 0);
  }
}

const sameSize = (a: ImageSize, b: ImageSize): boolean => formatImageSize(a) === formatImageSize(b);
