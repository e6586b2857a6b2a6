/** The two ways to run DBC: as the paper says, and with what we add. Any option that is given counts before a preset's. */
import type { Augmentation } from "../augmentation.ts";
import type { Dataset } from "../dataset.ts";
import { InputError } from "../errors.ts";
import { type ImageSize, shrunkSize } from "../image.ts";
import { imagesAtOnce } from "../network/predictor.ts";
import { shrinkFactor } from "../shrunk-dataset.ts";
import type { DbcOptions } from "./dbc.ts";
import { epochsOrSteps } from "./settings.ts";

/** "boosted": the best clusters that we know how to find. "paper": nothing but what the paper says. */
export const presets = ["boosted", "paper"] as const;
export type Preset = (typeof presets)[number];

/** Larger images are shrunk to this by the boosted preset: what tells groups apart is seldom finer. */
const networkSide = 32;

/** The options with the preset's where none are given. */
export function withPreset(dataset: Dataset, options: DbcOptions): DbcOptions & { readonly preset: Preset } {
  const { preset = "boosted" } = options;
  if (!presets.includes(preset))
    throw new InputError(`there is no preset "${preset}"; use one of: ${presets.join(", ")}`);
  return { ...(preset === "paper" ? {} : boosted(dataset, options)), ...options, preset };
}

function boosted(dataset: Dataset, options: DbcOptions): Partial<DbcOptions> {
  const { image, count } = dataset;
  const seen = shrunkSize(image, shrinkFactor(image, options.networkSide ?? networkSide));
  const { batch = Math.min(imagesAtOnce(seen), batchFor(count)) } = options;
  const epochsFor = (epochs: number, steps: number): number => epochsOrSteps(epochs, steps, dataset, batch);
  const { k, epochs = epochsFor(20, Math.max(1600, 30 * k)) } = options;
  // Where someone wants it short, all of it is short.
  const fineEpochs = Math.min(epochsFor(4, Math.max(400, 10 * k)), Math.ceil(epochs / 4));
  const autoEncoders = options.autoEncoders ?? autoEncodersFor(count, k);
  const plainEpochs = Math.floor(epochs / 3);
  return {
    ...(options.architecture === undefined ? { networkSide } : {}),
    batch,
    augmentation: augmentationFor(image),
    pretrainEpochs: Math.max(epochsFor(10, 900), Math.ceil(100_000 / count)),
    autoEncoders,
    fineEpochs: autoEncoders === 1 ? fineEpochs : 0,
    centres: "graph",
    warmEpochs: epochs - plainEpochs,
    plainEpochs,
    epochs,
    optimizer: { kind: "adam", learningRate: 0.003 },
    finalRate: 0.05,
    trust: 1,
  };
}

/** A power of two from 32 to 256 that makes some thirty steps an epoch: more, smaller ones where images are few. */
const batchFor = (count: number): number =>
  Math.min(count, 2 ** Math.max(5, Math.min(8, Math.round(Math.log2(count / 32)))));

/** Where clusters have fewer images, fine groups have too few each to learn anything general from. */
const imagesForFineGroups = 100;

/** Then several auto-encoders are asked, which differ in what they get wrong; unless they would take long. */
const autoEncodersFor = (count: number, k: number): number =>
  count / k < imagesForFineGroups ? Math.max(1, Math.min(3, Math.round(5000 / count))) : 1;

/** Grey images may be digits or letters, which mean something else in a mirror. */
const augmentationFor = ({ channels }: ImageSize): Augmentation => (channels === 1 ? "move" : "photo");
