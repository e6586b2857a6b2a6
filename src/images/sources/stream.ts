/** Images one by one, for callers who do not need all of them at once. */
import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { InputError } from "../../files/errors.ts";
import type { Dataset } from "../dataset.ts";
import { formatImageSize, type ImageSize, isVector, pixelCount } from "../image.ts";
import { interleaved, type Preparation, prepareImage } from "../preparation.ts";
import { type DecodeSettings, decodeImage, isImageName, type Outcome } from "./decode.ts";
import { listImageFiles } from "./image-files.ts";
import { mapInOrder } from "./in-order.ts";
import { isNamedSet } from "./named-sets.ts";
import { type OpenOptions, openDataset } from "./open.ts";
import { prepareFile } from "./prepared-file.ts";
import { rawTwins } from "./raw-twins.ts";
import { openVectors } from "./vectors-file.ts";

/** An image as numbers from 0 to 1, or why there is none. */
export type StreamedImage =
  | { readonly item: string; readonly pixels: Float32Array }
  | { readonly item: string; readonly reason: string };

/** How images come to be what a model takes: at its size, prepared for a backbone, or vectors as they are. */
export type StreamSettings = DecodeSettings | { readonly image: ImageSize; readonly preparation: Preparation };

/**
 * The images of one source after another: image files, folders of them, files of arrays and named sets; files of
 * vectors for a model that takes those.
 */
export async function* streamImages(
  sources: readonly string[],
  settings: StreamSettings,
  options: OpenOptions = {},
): AsyncGenerator<StreamedImage> {
  for (const source of sources) {
    if (isVector(settings.image)) {
      yield* streamDataset(await openVectors(source, { labels: "none" }), settings);
      continue;
    }
    if (isNamedSet(source)) {
      yield* streamDataset(await openDataset(source, options), settings);
      continue;
    }
    const status = statSync(source, { throwIfNoEntry: false });
    if (status?.isDirectory()) yield* streamFolder(source, settings);
    else if (isImageName(source)) {
      if (status === undefined) throw new InputError(`${source}: there is no such file`);
      yield* streamFiles([source], settings);
    } else yield* streamDataset(await openDataset(source, options), settings);
  }
}

/** Images of an array that are read together. */
const readAtOnce = 64;

async function* streamFolder(folder: string, settings: StreamSettings): AsyncGenerator<StreamedImage> {
  const files = listImageFiles(folder).map(({ path }) => join(folder, path));
  const twins = rawTwins(files);
  for (const [item, reason] of twins) yield { item, reason };
  yield* streamFiles(
    files.filter((file) => !twins.has(file)),
    settings,
  );
}

/** Files one after another, several of which are decoded at a time. */
export async function* streamFiles(files: readonly string[], settings: StreamSettings): AsyncGenerator<StreamedImage> {
  const decode = (file: string): Promise<Outcome<Uint8Array>> =>
    "preparation" in settings ? prepareFile(file, settings.preparation) : decodeImage(file, settings);
  let next = 0;
  for await (const outcome of mapInOrder(files, decode, availableParallelism())) {
    const item = files[next++];
    yield "reason" in outcome
      ? { item, reason: outcome.reason }
      : { item, pixels: Float32Array.from(outcome.result, (value) => value / 255) };
  }
}

/** The images of a dataset, which is closed at the end. */
export async function* streamDataset(dataset: Dataset, settings: StreamSettings): AsyncGenerator<StreamedImage> {
  try {
    const prepare = "preparation" in settings ? preparingFor(settings.preparation, dataset) : asIs(settings, dataset);
    const size = pixelCount(dataset.image);
    for (let start = 0; start < dataset.count; start += readAtOnce) {
      const indices = Array.from({ length: Math.min(readAtOnce, dataset.count - start) }, (_, place) => start + place);
      const pixels = new Float32Array(indices.length * size);
      dataset.read(indices, pixels);
      for (const [place, index] of indices.entries())
        yield { item: dataset.itemName(index), pixels: prepare(pixels.subarray(place * size, (place + 1) * size)) };
    }
  } finally {
    dataset.close();
  }
}

type Prepare = (pixels: Float32Array) => Float32Array;

function asIs({ image }: StreamSettings, { name, image: given }: Dataset): Prepare {
  if (formatImageSize(given) !== formatImageSize(image))
    throw new InputError(
      isVector(image)
        ? `${name}: holds ${formatImageSize(given)}, and the run was made of ${formatImageSize(image)}; compute them as those were`
        : `${name}: its images are ${formatImageSize(given)}, and the model takes ${formatImageSize(image)}`,
    );
  return (pixels) => pixels;
}

const preparingFor =
  (preparation: Preparation, { image }: Dataset): Prepare =>
  (pixels) =>
    Float32Array.from(prepareImage(interleaved(pixels, image), preparation), (value) => value / 255);
