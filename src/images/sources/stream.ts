/** Images one by one, for callers who do not need all of them at once. */
import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { InputError } from "../../files/errors.ts";
import { formatImageSize, pixelCount } from "../image.ts";
import { type DecodeSettings, decodeImage, isImageName } from "./decode.ts";
import { listImageFiles } from "./image-files.ts";
import { mapInOrder } from "./in-order.ts";
import { isNamedSet } from "./named-sets.ts";
import { type OpenOptions, openDataset } from "./open.ts";
import { rawTwins } from "./raw-twins.ts";

/** An image as numbers from 0 to 1, or why there is none. */
export type StreamedImage =
  | { readonly item: string; readonly pixels: Float32Array }
  | { readonly item: string; readonly reason: string };

/** The images of one source after another: image files, folders of them, files of arrays and named sets. */
export async function* streamImages(
  sources: readonly string[],
  settings: DecodeSettings,
  options: OpenOptions = {},
): AsyncGenerator<StreamedImage> {
  for (const source of sources) {
    if (isNamedSet(source)) {
      yield* streamDataset(source, settings, options);
      continue;
    }
    const status = statSync(source, { throwIfNoEntry: false });
    if (status?.isDirectory()) yield* streamFolder(source, settings);
    else if (isImageName(source)) {
      if (status === undefined) throw new InputError(`${source}: there is no such file`);
      yield* streamFiles([source], settings);
    } else yield* streamDataset(source, settings, options);
  }
}

async function* streamFolder(folder: string, settings: DecodeSettings): AsyncGenerator<StreamedImage> {
  const files = listImageFiles(folder).map(({ path }) => join(folder, path));
  const twins = rawTwins(files);
  for (const [item, reason] of twins) yield { item, reason };
  yield* streamFiles(
    files.filter((file) => !twins.has(file)),
    settings,
  );
}

async function* streamFiles(files: readonly string[], settings: DecodeSettings): AsyncGenerator<StreamedImage> {
  let next = 0;
  for await (const outcome of mapInOrder(files, (file) => decodeImage(file, settings), availableParallelism())) {
    const item = files[next++];
    yield "reason" in outcome
      ? { item, reason: outcome.reason }
      : { item, pixels: Float32Array.from(outcome.result, (value) => value / 255) };
  }
}

async function* streamDataset(
  source: string,
  { image }: DecodeSettings,
  options: OpenOptions,
): AsyncGenerator<StreamedImage> {
  const dataset = await openDataset(source, options);
  try {
    if (formatImageSize(dataset.image) !== formatImageSize(image))
      throw new InputError(
        `${source}: its images are ${formatImageSize(dataset.image)}, and the model takes ${formatImageSize(image)}`,
      );
    for (let index = 0; index < dataset.count; index++) {
      const pixels = new Float32Array(pixelCount(image));
      dataset.read([index], pixels);
      yield { item: dataset.itemName(index), pixels };
    }
  } finally {
    dataset.close();
  }
}
