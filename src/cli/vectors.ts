/** What methods see in place of pixels: vectors of a backbone, or vectors from a file. */
import { resolve } from "node:path";
import { openBackbone } from "../backbones/backbone.ts";
import { addedBackbone } from "../backbones/backbone-folder.ts";
import { backboneVectors } from "../backbones/vectors.ts";
import { InputError } from "../files/errors.ts";
import { userCacheFolder } from "../files/user-folders.ts";
import { haveOneBackground } from "../images/background.ts";
import type { Dataset } from "../images/dataset.ts";
import { formatImageSize } from "../images/image.ts";
import { openDataset } from "../images/sources/open.ts";
import { openVectors } from "../images/sources/vectors-file.ts";
import { vectorPictures } from "../images/vector-pictures.ts";
import type { Backbone } from "../network/backbone.ts";
import type { CommandContext } from "./command.ts";
import { type dataOptions, openOptions } from "./data-options.ts";
import { offeredBackbone } from "./offered-backbone.ts";
import { given, type OptionSpecs, type OptionValues } from "./options.ts";
import type { ProgressDisplay } from "./progress-display.ts";

const group = "Images";

export const vectorOptions = {
  backbone: {
    kind: "text",
    value: "NAME|FILE|FOLDER|none",
    help: 'Pretrained network that looks at the images first: one of "boostcluster backbone list", an ONNX file, or a folder in Hugging Face\'s layout.',
    defaults: "for photographs the best that was added, else none",
    group,
  },
  "backbone-output": {
    kind: "text",
    value: "TENSOR[:cls|:mean]",
    help: "Which tensor of the backbone describes an image.",
    defaults: "its embedding, else its CLS token, else the mean of its tokens or map",
    group,
    basic: false,
  },
  features: {
    kind: "text",
    value: "FILE",
    help: "Vectors to cluster, one for each image, or with no images at all: .npy, .npz, .parquet or .csv.",
    group,
    basic: false,
  },
} as const satisfies OptionSpecs;

type Values = OptionValues<typeof vectorOptions & typeof dataOptions> & {
  readonly labels?: string | undefined;
  readonly threads?: number | undefined;
};

/** Images or, where there are none, vectors that are drawn; opened by whoever asks for vectors. */
export async function openPictures(
  source: string | undefined,
  values: Values,
  { signal }: CommandContext,
  display: ProgressDisplay,
): Promise<Dataset> {
  if (values.features !== undefined && values.backbone !== undefined && values.backbone !== "none")
    throw new InputError("--features has vectors already; leave out --backbone");
  const labels = given({ labels: values.labels });
  if (source !== undefined)
    return openDataset(source, {
      ...openOptions(values),
      ...labels,
      signal,
      onProgress: (done, total) => display.step("reading images", done, total),
    });
  if (values.features === undefined)
    throw new InputError("give a folder of images, a file or the name of a set; or vectors with --features FILE");
  return vectorPictures(await openVectors(values.features, { ...labels, signal }));
}

export interface Seen {
  /** What methods see. */
  readonly dataset: Dataset;
  readonly backbone?: Backbone;
}

/** `automatic`: whether photographs get a backbone unasked. */
export async function seenBy(
  pictures: Dataset,
  values: Values,
  { automatic }: { readonly automatic: boolean },
  context: CommandContext,
  display: ProgressDisplay,
): Promise<Seen> {
  if (values.features !== undefined)
    return { dataset: await withFeatures(pictures, values.features, context, display) };
  const photographs = automatic && values.backbone === undefined && arePhotographs(pictures);
  const wanted = photographs ? await offeredBackbone(values["cache-folder"], context, display) : values.backbone;
  if (wanted === undefined || wanted === "none")
    return { dataset: photographs || wanted === "none" ? noted(pictures, { backbone: "none" }) : pictures };
  const { "cache-folder": cacheFolder, "backbone-output": backboneOutput, threads } = values;
  const backbone = await openBackbone(wanted, { output: backboneOutput, cacheFolder });
  display.line(`looking at the images with ${backbone.name} (${backbone.output}, ${backbone.size} numbers)`);
  const vectors = await backboneVectors(pictures, backbone, {
    cacheFolder,
    ...given({ threads }),
    signal: context.signal,
    onProgress: (done, total) => display.step(`looking at images with ${backbone.name}`, done, total),
  });
  display.end();
  // A path must hold from wherever the command is given again.
  const asked = addedBackbone(wanted, cacheFolder ?? userCacheFolder()) === undefined ? resolve(wanted) : wanted;
  return { dataset: noted(vectors, { backbone: asked, ...given({ backboneOutput }) }), backbone };
}

/** What a run that was interrupted must find again, by what it is called where it does not. */
export function seenNotes({ dataset, backbone }: Seen): Readonly<Record<string, string>> {
  if (dataset.origin.features !== undefined) return { vectors: dataset.fingerprint };
  const images = { dataset: dataset.fingerprint };
  if (backbone === undefined) return images;
  return { backbone: `${backbone.name} (${backbone.output}), SHA-256 ${backbone.hash}`, ...images };
}

/** The options that make another command see the same. */
export const vectorArguments = (values: Values): string[] =>
  (["backbone", "backbone-output", "features"] as const).flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [`--${name}`, value];
  });

const noted = (dataset: Dataset, notes: Partial<Dataset["origin"]>): Dataset => ({
  ...dataset,
  origin: { ...dataset.origin, ...notes },
});

/** Vectors for each of the images, in their order. */
async function withFeatures(
  pictures: Dataset,
  features: string,
  { signal }: CommandContext,
  display: ProgressDisplay,
): Promise<Dataset> {
  const vectors = await openVectors(features, { labels: "none", signal });
  if (vectors.count !== pictures.count) {
    vectors.close();
    throw new InputError(
      `${features}: has ${vectors.count} vectors for the ${pictures.count} images of ${pictures.name}; there must be one for each`,
      { option: "features" },
    );
  }
  display.line(`${features}: ${vectors.count} ${formatImageSize(vectors.image)}`);
  const { name, labels, skipped, origin } = pictures;
  return {
    ...vectors,
    ...{ name, labels, skipped, pictures },
    origin: { ...origin, features: resolve(features) },
    itemName: (index) => pictures.itemName(index),
    close: () => {
      vectors.close();
      pictures.close();
    },
  };
}

/** Colour images from files, without a common background. */
const arePhotographs = (pictures: Dataset): boolean =>
  pictures.origin.fit !== undefined && pictures.image.channels === 3 && !haveOneBackground(pictures);
