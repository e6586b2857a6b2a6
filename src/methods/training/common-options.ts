/** Options that all methods share, and rules that several defaults follow. */
import { devices } from "../../engine/device.ts";
import { defaultThreads } from "../../engine/session.ts";
import { InputError } from "../../files/errors.ts";
import type { Images } from "../../images/dataset.ts";
import type { ImageSize } from "../../images/image.ts";
import { imagesAtOnce } from "../../network/predictor.ts";
import {
  type CountOption,
  expectCount,
  type OptionsOf,
  type OptionTable,
  resolveOptions,
  type SettingsOf,
} from "../options.ts";

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
    help: "Starts of k-means, of which the best counts.",
    group: "run",
    default: 20,
  },
  threads: {
    kind: "count",
    least: 1,
    help: "Threads to compute with. Another number may change the last bits of a result.",
    group: "machine",
    default: { words: "all cores", value: defaultThreads },
  },
  device: {
    kind: "choice",
    choices: devices,
    help: "Device to compute on.",
    group: "machine",
    default: "cpu",
  },
} as const satisfies OptionTable;

/** The settings of a method: k, what its table says, and what all methods share. */
export function settingsFor<Table extends OptionTable>(
  table: Table,
  images: Images,
  given: OptionsOf<Table> & { readonly k: number },
): { readonly k: number } & SettingsOf<Table> {
  const { name, count } = images;
  const k = expectCount("k", given.k, 1);
  if (count < 2) throw new InputError(`${name}: clustering needs at least 2 images, not ${count}`);
  if (k > count) throw new InputError(`k = ${k} is more than the number of images, ${count}`, { option: "k" });
  return { k, ...resolveOptions(table, images, given) };
}

/** Images per step. */
export const batchOption = {
  kind: "count",
  least: 2,
  most: ({ count }) => count,
  help: "Images per training step.",
  group: "network",
  default: 256,
} as const satisfies CountOption;

/** The usual batch for convolutional networks. */
export const convolutionalBatch = {
  words: "256, or 32 where images are larger than 64x64",
  value: ({ images }: { readonly images: { readonly image: ImageSize } }) => imagesAtOnce(images.image),
};

/** So many epochs, or as many as make so many steps: a small collection has few steps per epoch. */
export const epochsOrSteps = (epochs: number, steps: number, { count }: Images, batch: number): number =>
  Math.max(epochs, Math.ceil(steps / Math.ceil(count / batch)));
