/** Options that all methods share, and rules that several defaults follow. */
import { devices } from "../../engine/device.ts";
import { defaultThreads } from "../../engine/session.ts";
import { InputError } from "../../files/errors.ts";
import type { Images } from "../../images/dataset.ts";
import { type ImageSize, shortestSide } from "../../images/image.ts";
import { imagesAtOnce } from "../../network/predictor.ts";
import type { MethodOptions } from "../method.ts";
import {
  type CountOption,
  expectCount,
  type Known,
  type NumberOption,
  type OptimizerOption,
  type Option,
  type OptionsOf,
  type OptionTable,
  resolveOptions,
  type SettingsOf,
} from "../options.ts";
import { expectDivisible, type PartsOptions, partsOf } from "./parts.ts";

export const commonOptions = {
  seed: {
    kind: "count",
    least: 0,
    help: "Seed of everything random: the same seed gives the same clusters.",
    group: "run",
    default: 0,
  },
  restarts: {
    kind: "count",
    least: 1,
    help: "Starts of k-means, of which the best is kept; fewer where it only competes with the neighbour graph.",
    group: "run",
    default: 20,
  },
  threads: {
    kind: "count",
    least: 1,
    help: "Threads to compute with. Another number may change the last bits of a result.",
    group: "machine",
    default: { words: "all cores, shared among the ranks of a machine", value: defaultThreads },
  },
  device: {
    kind: "choice",
    choices: devices,
    help: "Device to compute on.",
    group: "machine",
    default: "cpu",
  },
} as const satisfies OptionTable;

/** What every method computes with, whether it was given or not. */
export const resolved = <Options extends MethodOptions>(
  options: Options,
  { seed, restarts, threads, device }: SettingsOf<typeof commonOptions>,
): Options => ({ ...options, seed, restarts, threads, device });

/** The settings of a method: k, what its table says, and what all methods share. */
export function settingsFor<Table extends OptionTable>(
  table: Table,
  images: Images,
  given: OptionsOf<Table> & PartsOptions & { readonly k: number },
): { readonly k: number } & SettingsOf<Table> {
  const { name, count } = images;
  const k = expectCount("k", given.k, 1);
  if (count < 2) throw new InputError(`${name}: clustering needs at least 2 images, not ${count}`);
  if (k > count) throw new InputError(`k = ${k} is more than the number of images, ${count}`, { option: "k" });
  expectDivisible(images, given);
  // What ranks compute is what as many parts do, so a run says how many there were.
  const parts = partsOf(given);
  return { k, ...resolveOptions(table, images, parts > 1 && "parts" in table ? { ...given, parts } : given) };
}

type WithoutDefault<One extends Option> = Omit<One, "default">;

/** What several methods take; each adds its own default. */
export const networkSideOption = {
  kind: "count",
  least: shortestSide,
  help: "Side that larger images are shrunk to, by a whole factor, before they enter the network.",
  group: "network",
  optional: "images are not shrunk",
} as const satisfies WithoutDefault<CountOption>;

export const batchOption = {
  kind: "count",
  least: 2,
  most: ({ count }: Images) => count,
  help: "Images per training step.",
  group: "network",
} as const satisfies WithoutDefault<CountOption>;

export const pretrainEpochsOption = {
  kind: "count",
  least: 0,
  help: "Epochs of the auto-encoder.",
  group: "stageOne",
} as const satisfies WithoutDefault<CountOption>;

export const pretrainBatchesOption = {
  kind: "count",
  least: 1,
  help: "Mini-batches per epoch of the auto-encoder.",
  group: "stageOne",
} as const satisfies WithoutDefault<CountOption>;

export const pretrainOptimizerOption = {
  kind: "optimizer",
  help: "Optimizer of the auto-encoder.",
  group: "stageOne",
  default: { kind: "adam", learningRate: 1e-3 },
} as const satisfies OptimizerOption;

export const epochsOption = {
  kind: "count",
  least: 0,
  help: "T, the most epochs of stage II.",
  group: "stageTwo",
} as const satisfies WithoutDefault<CountOption>;

export const batchesOption = {
  kind: "count",
  least: 1,
  help: "B, mini-batches per epoch of stage II.",
  group: "stageTwo",
} as const satisfies WithoutDefault<CountOption>;

export const toleranceOption = {
  kind: "number",
  from: 0,
  to: 1,
  help: "Share of the images that may change cluster in an epoch for training to stop.",
  group: "stageTwo",
} as const satisfies WithoutDefault<NumberOption>;

export const optimizerOption = {
  kind: "optimizer",
  help: "Optimizer of stage II.",
  group: "stageTwo",
} as const satisfies WithoutDefault<OptimizerOption>;

export const weightOption = {
  kind: "number",
  from: 0,
  help: "Weight of the distance to centres beside the reconstruction error.",
  group: "stageTwo",
} as const satisfies WithoutDefault<NumberOption>;

/** How the clusters are found that stage II begins with. */
export const initialClustersOption = {
  kind: "choice",
  help: "How the clusters are found that stage II begins with: in the neighbour graph of the features (dbc), by k-means, or at random, as AEC's authors have it (aec).",
} as const;

/** The usual batch for convolutional networks. */
export const convolutionalBatch = {
  words: "256, or 32 where images are larger than 64x64",
  value: ({ images }: { readonly images: { readonly image: ImageSize } }) => imagesAtOnce(images.image),
};

/** Mini-batches that see each image once. */
export const passOver = {
  words: "as many as see each image once",
  value: ({ images, number }: Known): number => Math.ceil(images.count / number("batch")),
};

/** So many epochs, or as many as make so many steps: a small collection has few steps per epoch. */
export const epochsOrSteps = (epochs: number, steps: number, { count }: Images, batch: number): number =>
  Math.max(epochs, Math.ceil(steps / Math.ceil(count / batch)));
