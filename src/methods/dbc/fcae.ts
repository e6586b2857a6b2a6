/** The fully convolutional auto-encoder (M1), line 1 of Algorithm 1: its options, its network, its training. */
import { InputError } from "../../files/errors.ts";
import { augmentations } from "../../images/augmentation.ts";
import type { Images } from "../../images/dataset.ts";
import { formatImageSize, type ImageSize, isVector, pixelCount } from "../../images/image.ts";
import { shrinkFactor } from "../../images/shrunk-dataset.ts";
import {
  type Architecture,
  activations,
  deriveArchitecture,
  deriveShrinking,
  paperArchitecture,
  paperNetworkFor,
  vectorArchitectures,
} from "../../network/architecture.ts";
import type { TrainedValues } from "../../network/trained.ts";
import type { Trainer } from "../../network/trainer.ts";
import type { MethodOptions } from "../method.ts";
import type { Known, OptionsOf, OptionTable, SettingsOf } from "../options.ts";
import { trainAutoEncoder } from "../training/auto-encoder.ts";
import { shuffledBatches } from "../training/batches.ts";
import {
  batchOption,
  commonOptions,
  convolutionalBatch,
  networkSideOption,
  passOver,
  pretrainBatchesOption,
  pretrainEpochsOption,
  pretrainOptimizerOption,
  settingsFor,
} from "../training/common-options.ts";
import { ownParts, partSize, partsOption } from "../training/parts.ts";
import { pretrainedOnce } from "../training/pretrained.ts";
import type { PlannedStage } from "../training/progress.ts";
import type { TrainingContext } from "../training/training-loop.ts";

/** How far the auto-encoder is trained, as in the paper's ablation: all epochs, half of them, none. */
export const initializations = ["trained", "half-trained", "random"] as const;
export type Initialization = (typeof initializations)[number];

/** Encoders of vectors; images have a convolutional one. */
export const vectorEncoders = ["dense", "linear"] as const;

/** A default for vectors alone. */
export function ofVectors(encoder: (typeof vectorEncoders)[number]) {
  return {
    words: `${encoder} for vectors`,
    value: ({ images }: Known) => (isVector(images.image) ? encoder : undefined),
  };
}

/** Options of FCAE-KMS, and those that DBC shares with it. */
export const fcaeOptions = {
  vectorEncoder: {
    kind: "choice",
    choices: vectorEncoders,
    help: "Encoder of vectors: dense, two layers that are trained; or linear, one layer, which begins as principal components.",
    group: "network",
    optional: "images have a convolutional one",
    default: ofVectors("dense"),
  },
  networkSide: { ...networkSideOption, default: undefined },
  batch: { ...batchOption, default: convolutionalBatch },
  pretrainEpochs: { ...pretrainEpochsOption, default: 30 },
  pretrainBatches: { ...pretrainBatchesOption, default: passOver },
  initialization: {
    kind: "choice",
    choices: initializations,
    help: "How far the auto-encoder is trained, as in the paper's ablation: all its epochs, half of them, or none.",
    group: "stageOne",
    default: "trained",
  },
  augmentation: {
    kind: "choice",
    choices: augmentations,
    help: "How images are changed each time they are learned from: moved (shifted, rotated, scaled), or as photographs may differ (also mirrored, lit).",
    group: "additions",
    default: "none",
  },
  pretrainOptimizer: pretrainOptimizerOption,
  activation: {
    kind: "choice",
    choices: activations,
    help: "Activation after each batch normalization, except on the feature and on the output.",
    group: "network",
    default: "relu",
  },
  featureActivation: {
    kind: "choice",
    choices: activations,
    help: "Activation of the feature layer.",
    group: "network",
    default: "linear",
  },
  featureBatchNormalization: {
    kind: "switch",
    help: "Batch normalization on the feature layer.",
    group: "network",
    default: true,
  },
  parts: partsOption,
  ...commonOptions,
} as const satisfies OptionTable;

export interface FcaeOptions extends MethodOptions, OptionsOf<typeof fcaeOptions> {
  /** Default: the paper's network for the paper's datasets, else one derived from the image size. */
  readonly architecture?: Architecture;
}

export type FcaeSettings = SettingsOf<typeof fcaeOptions>;

/** The options of FCAE-KMS, checked and with their defaults. */
export const fcaeSettings = (dataset: Images, options: FcaeOptions) =>
  withNetwork(settingsFor(fcaeOptions, dataset, options), networkFor(dataset, options));

/** What settings of a convolutional auto-encoder and of DBC have in common. */
type SomeSettings = Pick<FcaeSettings, "augmentation" | "vectorEncoder">;

/** The settings, where a network that was given has the last word on what it is made of. */
export function withNetwork<Settings extends SomeSettings>(settings: Settings, { name, image, layers }: Architecture) {
  expectSuitable(settings, image);
  const [first, feature] = [layers[0], layers.at(-1)];
  if (first?.kind !== "convolution" || feature?.kind !== "convolution")
    throw new InputError("a network begins and ends with a convolution", { option: "architecture" });
  return {
    ...settings,
    network: name,
    activation: first.activation,
    featureActivation: feature.activation,
    featureBatchNormalization: feature.batchNormalization,
  };
}

function expectSuitable({ augmentation, vectorEncoder }: SomeSettings, image: ImageSize): void {
  if (isVector(image) && augmentation !== "none")
    throw new InputError(
      `augmentation "${augmentation}" changes images, and these are vectors; leave it out, or cluster the images themselves`,
      { option: "augmentation" },
    );
  if (!isVector(image) && vectorEncoder !== undefined)
    throw new InputError(`vectorEncoder is for vectors, and these are images; leave it out`, {
      option: "vectorEncoder",
    });
}

/** The network asked for; else the paper's for its own datasets, and one by its rules for any other. */
export function networkFor(
  dataset: Images,
  options: Pick<FcaeOptions, "architecture" | "networkSide" | "activation" | "featureActivation" | "vectorEncoder"> & {
    readonly featureBatchNormalization?: boolean;
  },
): Architecture {
  const { architecture, networkSide, vectorEncoder = "dense" } = options;
  if (architecture !== undefined) return expectFitting(dataset, architecture);
  if (isVector(dataset.image)) return vectorArchitectures[vectorEncoder](dataset.image, options);
  if (networkSide !== undefined)
    return deriveShrinking(dataset.image, shrinkFactor(dataset.image, networkSide), options);
  const name = paperNetworkFor(dataset.name);
  const paper = name === undefined ? undefined : paperArchitecture(name, options);
  return paper !== undefined && sameSize(paper.image, dataset.image)
    ? paper
    : deriveArchitecture(dataset.image, options);
}

function expectFitting({ name, image }: Images, network: Architecture): Architecture {
  if (sameSize(network.image, image)) return network;
  throw new InputError(
    `network "${network.name}" takes images of ${formatImageSize(network.image)}, and ${name} has ${formatImageSize(image)}`,
    { option: "architecture" },
  );
}

const sameSize = (a: ImageSize, b: ImageSize): boolean => formatImageSize(a) === formatImageSize(b);

/** Which of the auto-encoders that a run trains. */
export interface EnsembleMember {
  /** From 0. */
  readonly number: number;
  readonly total: number;
}

export const onlyMember: EnsembleMember = { number: 0, total: 1 };

/** What tells its work from that of the others; the first is called as if it were the only one. */
export const memberSuffix = ({ number }: EnsembleMember): string => (number === 0 ? "" : ` ${number + 1}`);

/** Where its epochs are among those of all. */
export const withinMembers = (epochs: number, { number, total }: EnsembleMember) => ({
  before: number * epochs,
  total: total * epochs,
});

/** Another seed for each, that no other run is likely to have. */
const memberSeed = (seed: number, { number }: EnsembleMember): number => (seed + number * 1_000_003) % 2 ** 53;

/** (θ_e*, θ_d*) ← argmin Σ_i ‖x_i − g(f(x_i))‖²: the parameters and statistics of encoder, then decoder. */
export async function trainFcae(
  architecture: Architecture,
  settings: FcaeSettings,
  context: TrainingContext,
  member = onlyMember,
): Promise<TrainedValues> {
  const { batch, pretrainBatches: batches, augmentation, pretrainOptimizer: optimizer } = settings;
  const { threads, device, parts } = settings;
  const epochs = autoEncoderEpochs(settings);
  const seed = memberSeed(settings.seed, member);
  const network = { batch, batches, augmentation, optimizer };
  const deciding = { epochs, seed, member: member.number, ...network, threads, device, parts };
  const suffix = memberSuffix(member);
  const train = (): Promise<TrainedValues> =>
    trainAutoEncoder(
      architecture,
      {
        name: `auto-encoder training${suffix}`,
        stage: "auto-encoder",
        epochs,
        seed,
        batch,
        batches,
        augmentation,
        within: withinMembers(epochs, member),
        optimizer,
        afterTraining: (trainer) => settleStatistics(trainer, { seed, batch }, context),
      },
      context,
    );
  return pretrainedOnce(architecture, deciding, context, train, `auto-encoder${suffix}`);
}

export function autoEncoderEpochs({
  pretrainEpochs,
  initialization,
}: Pick<FcaeSettings, "pretrainEpochs" | "initialization">): number {
  return { trained: pretrainEpochs, "half-trained": Math.ceil(pretrainEpochs / 2), random: 0 }[initialization];
}

/** Stage I of so many auto-encoders, as it is announced. */
export const plannedAutoEncoders = (
  settings: Pick<FcaeSettings, "pretrainEpochs" | "pretrainBatches" | "initialization" | "batch">,
  members = 1,
): PlannedStage => ({
  stage: "auto-encoder",
  epochs: members * autoEncoderEpochs(settings),
  batches: settings.pretrainBatches,
  batch: settings.batch,
});

/** Each batch replaces a tenth: after so many, 0.9^50 of the start is left. */
const settlingSteps = 50;

/** The running statistics of a network that was hardly trained, or not at all: steps at learning rate zero. */
async function settleStatistics(
  trainer: Trainer,
  { seed, batch }: { readonly seed: number; readonly batch: number },
  { dataset, options }: TrainingContext,
): Promise<void> {
  if (trainer.steps >= settlingSteps) return;
  const size = partSize(batch, options);
  const images = new Float32Array(size * pixelCount(dataset.image));
  const order = { seed, use: "statistics", epoch: 1, batches: settlingSteps };
  const drawn = ownParts(options).map((part) => shuffledBatches(dataset.count, size, { ...order, part }));
  const parts = function* () {
    for (const part of drawn) {
      dataset.read(part.next().value ?? [], images);
      yield { images };
    }
  };
  for (let step = 0; step < settlingSteps; step++) {
    options.signal?.throwIfAborted();
    await trainer.advance(parts(), 0);
  }
}
