/** The two ways to run DBC: as the paper says, and with what we add. Any option that is given counts before a preset's. */
import type { Augmentation } from "../augmentation.ts";
import { haveOneBackground } from "../background.ts";
import type { Images } from "../dataset.ts";
import { InputError } from "../errors.ts";
import { shortestSide, shrunkSize } from "../image.ts";
import { imagesAtOnce } from "../network/predictor.ts";
import { shrinkFactor } from "../shrunk-dataset.ts";
import type { DbcOptions } from "./dbc.ts";
import { commonSettings, epochsOrSteps, expectCount } from "./settings.ts";

/** "boosted": the best clusters that we know how to find. "paper": nothing but what the paper says. */
export const presets = ["boosted", "paper"] as const;
export type Preset = (typeof presets)[number];

/** Larger images are shrunk to this by the boosted preset: what tells groups apart is seldom finer. */
const networkSide = 32;

/** The options with the preset's where none are given. */
export function withPreset(dataset: Images, options: DbcOptions): DbcOptions & { readonly preset: Preset } {
  const { preset = "boosted" } = options;
  if (!presets.includes(preset))
    throw new InputError(`there is no preset "${preset}"; use one of: ${presets.join(", ")}`);
  return {
    ...(preset === "paper" ? options : { ...boosted(dataset, options), ...options, ...optimizerOf(options) }),
    preset,
  };
}

function boosted(dataset: Images, options: DbcOptions): Partial<DbcOptions> {
  expectDeciding(dataset, options);
  const { image, count } = dataset;
  const seen = shrunkSize(image, shrinkFactor(image, options.networkSide ?? networkSide));
  const { batch = Math.min(imagesAtOnce(seen), batchFor(count)) } = options;
  const epochsFor = (epochs: number, steps: number): number => epochsOrSteps(epochs, steps, dataset, batch);
  const { k, epochs = epochsFor(20, Math.max(1200, 30 * k)), repairs = 0 } = options;
  // Where someone wants it short, all of it is short.
  const fineEpochs = Math.min(epochsFor(4, Math.max(300, 5 * k)), Math.ceil(epochs / 4));
  const { autoEncoders = autoEncodersFor(count, k) } = options;
  const plainEpochs = Math.floor(epochs / 3);
  return {
    ...(options.architecture === undefined ? { networkSide } : {}),
    batch,
    augmentation: options.augmentation ?? augmentationFor(dataset),
    pretrainEpochs: Math.max(
      epochsFor(10, image.channels === 1 ? 900 : 1000),
      Math.min(Math.ceil(100_000 / count), epochsFor(1, 3200)),
    ),
    autoEncoders,
    fineEpochs: autoEncoders < manyAutoEncoders ? fineEpochs : 0,
    centres: "graph",
    warmEpochs: Math.floor((epochs - plainEpochs) / (repairs + 1)),
    plainEpochs,
    epochs,
    finalRate: 0.05,
    trust: 1,
  };
}

/** Ours, of which a learning rate alone may be another. */
const optimizerOf = ({ optimizer }: DbcOptions): Pick<DbcOptions, "optimizer"> => ({
  optimizer: optimizer?.kind === "sgd" ? optimizer : { kind: "adam", learningRate: 0.003, ...optimizer },
});

/** Checked before others follow from them: a mistake is told by the name of the option that was given. */
function expectDeciding(dataset: Images, options: DbcOptions): void {
  commonSettings(dataset, options);
  const { epochs, batch, networkSide, repairs } = options;
  if (epochs !== undefined) expectCount("epochs", epochs, 0);
  if (batch !== undefined) expectCount("batch", batch, 2);
  if (networkSide !== undefined) expectCount("networkSide", networkSide, shortestSide);
  if (repairs !== undefined) expectCount("repairs", repairs, 0);
}

/** A power of two from 32 to 256 that makes some thirty steps an epoch: more, smaller ones where images are few. */
const batchFor = (count: number): number =>
  Math.min(count, 2 ** Math.max(5, Math.min(8, Math.round(Math.log2(count / 32)))));

/** So many need no fine groups. */
const manyAutoEncoders = 3;

/**
 * Clusters of fewer than 100 images are easily split or merged, and several auto-encoders differ in what they get wrong.
 * Where all images are few, too, fine groups have too little to learn anything general from.
 */
function autoEncodersFor(count: number, k: number): number {
  if (count / k >= 100) return 1;
  return count <= 3000 ? manyAutoEncoders : 2;
}

/** Grey images may be digits or letters, which mean something else in a mirror; one light may tell things apart. */
const augmentationFor = (dataset: Images): Augmentation =>
  dataset.image.channels === 1 || haveOneBackground(dataset) ? "move" : "photo";
