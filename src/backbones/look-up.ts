/** Images one by one: the vector of each, where it is kept, and otherwise its pixels as the backbone takes them. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError, reasonOf } from "../files/errors.ts";
import { fileHash, pixelHash } from "../images/content-hash.ts";
import type { Dataset } from "../images/dataset.ts";
import { formatImageSize, pixelCount } from "../images/image.ts";
import { interleaved, type Preparation, prepareImage } from "../images/preparation.ts";
import { prepareContent } from "../images/sources/prepared-file.ts";
import type { VectorCache } from "./vector-cache.ts";

export interface NewImage {
  readonly index: number;
  /** SHA-256 of its content. */
  readonly key: Uint8Array;
  /** [3, height, width]. */
  readonly pixels: Uint8Array;
}

export interface KnownImage {
  readonly index: number;
  readonly vector: Float32Array;
}

export type LookUp = (index: number) => Promise<NewImage | KnownImage>;

/** Files are known by their bytes, wherever they lie; other images by their pixels. */
export function lookUpIn(pictures: Dataset, preparation: Preparation, cache: VectorCache): LookUp {
  const source = pictures.origin.fit === undefined ? arrayImages(pictures) : imageFiles(pictures);
  return async (index) => {
    const { key, prepare } = await source(index);
    const vector = cache.get(key);
    return vector === undefined ? { index, key, pixels: await prepare(preparation) } : { index, vector };
  };
}

interface Content {
  readonly key: Uint8Array;
  prepare(preparation: Preparation): Promise<Uint8Array>;
}

/** Files are decoded anew: a dataset has them smaller than a backbone wants them. */
const imageFiles =
  (pictures: Dataset) =>
  async (index: number): Promise<Content> => {
    const file = join(pictures.origin.source, pictures.itemName(index));
    const content = await readFile(file).catch((error) => {
      throw new InputError(
        `${file}: it could be read before, and cannot be any more (${reasonOf(error)}); put it back, or start again`,
      );
    });
    return {
      key: fileHash(content),
      prepare: async (preparation) => {
        const outcome = await prepareContent(content, file, preparation);
        if ("reason" in outcome)
          throw new InputError(`${file}: it has changed meanwhile (${outcome.reason}); put it back, or start again`);
        return outcome.result;
      },
    };
  };

function arrayImages(pictures: Dataset): (index: number) => Promise<Content> {
  const { image, name } = pictures;
  const { channels } = image;
  if (channels !== 1 && channels !== 3)
    throw new InputError(
      `${name}: its images are ${formatImageSize(image)}, and a backbone takes one channel or three; leave it out`,
      { option: "backbone" },
    );
  const values = new Float32Array(pixelCount(image));
  return async (index) => {
    pictures.read([index], values);
    const pixels = interleaved(values, image);
    return {
      key: pixelHash(pixels),
      prepare: async (preparation) => prepareImage(pixels, preparation),
    };
  };
}
