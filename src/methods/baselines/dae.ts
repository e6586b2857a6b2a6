/**
 * The stacked denoising auto-encoder of DEC (Xie et al. 2016), d-500-500-2000-10: layer by layer on corrupted inputs, then
 * all layers at once on clean ones. DAE-KMS, DEC and DCN begin with it; AEC and DEN with others of its kind.
 */
import { alone } from "../../engine/ranks/collective.ts";
import type { Images } from "../../images/dataset.ts";
import { pixelCount } from "../../images/image.ts";
import { shrinkFactor, shrunkDataset } from "../../images/shrunk-dataset.ts";
import { type Architecture, denseArchitecture, paperNetworkFor } from "../../network/architecture.ts";
import type { TrainedValues } from "../../network/trained.ts";
import type { MethodOptions } from "../method.ts";
import type { Known, OptionsOf, OptionTable, SettingsOf } from "../options.ts";
import { trainAutoEncoder } from "../training/auto-encoder.ts";
import {
  batchOption,
  commonOptions,
  epochsOrSteps,
  networkSideOption,
  pretrainEpochsOption,
  pretrainOptimizerOption,
} from "../training/common-options.ts";
import { ownImages, type PartsOptions, partsOption } from "../training/parts.ts";
import { pretrainedOnce } from "../training/pretrained.ts";
import type { PlannedStage } from "../training/progress.ts";
import type { TrainingContext } from "../training/training-loop.ts";
import { forgetLayers, trainLayers } from "./layer-wise.ts";

/** Larger images are shrunk to this: a first layer of 128x128 in colour would have 25 million weights. */
const usualSide = 32;

/** From so many images on, schedules are the authors' own. */
const manyImages = 12_000;

/** Of methods that take mini-batches whole. */
export const undividedOptions = {
  networkSide: {
    ...networkSideOption,
    default: {
      words: `${usualSide}; the paper's sets are not shrunk`,
      value: ({ images }: Known) => (isOfPaper(images) ? undefined : usualSide),
    },
  },
  units: {
    kind: "counts",
    least: 1,
    help: "Units of the encoder's layers, the last of which is the feature.",
    group: "network",
    default: [500, 500, 2000, 10],
  },
  batch: {
    ...batchOption,
    default: {
      words: `256, or 64 for under ${manyImages.toLocaleString("en-US")} images; 256 on the paper's sets`,
      value: ({ images }: Known) => (isOfPaper(images) || images.count >= manyImages ? 256 : 64),
    },
  },
  layerEpochs: {
    kind: "count",
    least: 0,
    help: "Epochs of each layer by itself, on corrupted inputs.",
    group: "stageOne",
    default: epochsOfSteps(10, 500),
  },
  pretrainEpochs: { ...pretrainEpochsOption, default: epochsOfSteps(50, 2000) },
  corruption: {
    kind: "number",
    from: 0,
    to: 1,
    help: "Share of a layer's inputs, and outputs, that are set to zero at random while it learns by itself.",
    group: "stageOne",
    default: 0.2,
  },
  pretrainOptimizer: pretrainOptimizerOption,
  decayEvery: {
    kind: "count",
    least: 1,
    help: "Epochs of the auto-encoder after which its learning rate is divided by ten, again and again.",
    group: "stageOne",
    optional: "the rate stays",
    default: undefined,
  },
  ...commonOptions,
} as const satisfies OptionTable;

export const daeOptions = { ...undividedOptions, parts: partsOption } as const satisfies OptionTable;

export interface DaeOptions extends MethodOptions, OptionsOf<typeof daeOptions> {}
export type DaeSettings = SettingsOf<typeof undividedOptions> & Pick<SettingsOf<typeof daeOptions>, "parts">;

/** Their schedules are the authors': nothing is cut short. */
function isOfPaper({ name }: Images): boolean {
  return paperNetworkFor(name) !== undefined;
}

/**
 * So many epochs, or as many as make so many steps; for few images a share of both, as they would be seen hundreds of
 * times for nothing.
 */
export function epochsOfSteps(epochs: number, steps: number) {
  const words = `${epochs}, or as many as make ${steps.toLocaleString("en-US")} steps`;
  return {
    words: `${words}, and a share of that for under ${manyImages.toLocaleString("en-US")} images`,
    value: ({ images, number }: Known) => {
      const whole = epochsOrSteps(epochs, steps, images, number("batch"));
      if (isOfPaper(images) || images.count >= manyImages) return whole;
      const share = Math.max(smallestShare, images.count / manyImages);
      return Math.ceil((share * steps) / Math.ceil(images.count / number("batch")));
    },
  };
}

/** Of the steps, however few the images. */
const smallestShare = 0.02;

/** So many rounds of targets, fewer for few images: they settle sooner. */
export const roundsOf = (rounds: number) => ({
  words: `${rounds}, and a share of that for under ${manyImages.toLocaleString("en-US")} images`,
  value: ({ images }: Known) =>
    isOfPaper(images) ? rounds : Math.ceil(rounds * Math.max(0.2, Math.min(1, images.count / manyImages))),
});

/** The images as a dense network sees them, and the factor by which they were shrunk. */
export function seenBy(dataset: Images, { networkSide }: Pick<DaeSettings, "networkSide">) {
  const shrink = networkSide === undefined ? 1 : shrinkFactor(dataset.image, networkSide);
  return { shrink, seen: shrunkDataset(dataset, shrink) };
}

/** ReLU except on the feature and on the output; images are scaled so that a pixel's square is 1 on average. */
export function daeNetwork(dataset: Images, units: readonly number[], options: PartsOptions): Architecture {
  return denseArchitecture(dataset.image, units, { scale: 1 / Math.sqrt(meanSquare(dataset, options) || 1) });
}

/** Images looked at for their scale. */
const scaleSamples = 10_000;

/** Each rank looks at its own of them. */
function meanSquare(dataset: Images, { collective = alone }: PartsOptions): number {
  const { count } = dataset;
  const samples = Math.min(count, scaleSamples);
  const pixels = new Float32Array(pixelCount(dataset.image));
  const isOwn = ownImages(count, collective);
  const total = new Float64Array(1);
  for (let sample = 0; sample < samples; sample++) {
    const image = Math.floor((sample * count) / samples);
    if (!isOwn(image)) continue;
    dataset.read([image], pixels);
    for (const value of pixels) total[0] += value * value;
  }
  collective.sum(total);
  return total[0] / (samples * pixels.length);
}

/** Parameters of encoder, then decoder; there are no statistics. */
export async function trainDae(
  architecture: Architecture,
  settings: DaeSettings,
  context: TrainingContext,
): Promise<TrainedValues> {
  const { layerEpochs, pretrainEpochs, corruption, batch, seed, decayEvery } = settings;
  const { pretrainOptimizer: optimizer, threads, device, parts } = settings;
  const schedule = { layerEpochs, pretrainEpochs, corruption, batch, seed, decayEvery };
  const decisive = { ...schedule, optimizer, threads, device, parts };
  return pretrainedOnce(architecture, decisive, context, async () => {
    const layers = { epochs: layerEpochs, seed, batch, corruption, optimizer };
    const parameters = layerEpochs === 0 ? undefined : await trainLayers(architecture, layers, context);
    const trained = await trainAutoEncoder(
      architecture,
      {
        name: "auto-encoder training",
        stage: "auto-encoder",
        epochs: pretrainEpochs,
        seed,
        batch,
        optimizer,
        rateScale: (epoch) => (decayEvery === undefined ? 1 : 0.1 ** Math.floor((epoch - 1) / decayEvery)),
        ...(parameters === undefined ? {} : { parameters }),
      },
      context,
    );
    forgetLayers(architecture, context.run);
    return trained;
  });
}

/** The stages of a dense method, the last of them clustering, if it has one. */
export function plannedDense(
  { units, layerEpochs, pretrainEpochs, batch }: DaeSettings,
  { count }: Images,
  clustering?: Pick<PlannedStage, "epochs"> & Partial<PlannedStage>,
): readonly PlannedStage[] {
  const batches = Math.ceil(count / batch);
  return [
    { stage: "layers", epochs: units.length * layerEpochs, batches, batch },
    { stage: "auto-encoder", epochs: pretrainEpochs, batches, batch },
    { stage: "clustering", batches, batch, ...(clustering ?? { epochs: 0 }) },
  ];
}
