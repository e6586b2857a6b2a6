/** Images as a backbone sees them: a vector each, computed once and kept by the content of image and model. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { expectFloats } from "../engine/program.ts";
import { Session, type SessionOptions, sessionOptions } from "../engine/session.ts";
import { InputError, reasonOf } from "../files/errors.ts";
import { userCacheFolder } from "../files/user-folders.ts";
import type { Dataset } from "../images/dataset.ts";
import { pixelCount } from "../images/image.ts";
import { type Preparation, prepareImage } from "../images/preparation.ts";
import { defaultCacheLimit, noteUse, trimCache, vectorsFolder } from "../images/sources/decoded-cache.ts";
import { mapInOrder } from "../images/sources/in-order.ts";
import { prepareContent } from "../images/sources/prepared-file.ts";
import { type Backbone, backboneRecord } from "./backbone.ts";
import { VectorCache } from "./vector-cache.ts";

export interface VectorsOptions extends SessionOptions {
  /** Where vectors are kept. Default: the user's cache folder. */
  readonly cacheFolder?: string | undefined;
  /** The most bytes that are kept there, beside what is in use. Default: 4 GiB. */
  readonly cacheLimit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called while vectors are computed; not for those that are kept. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Part of the key of every kept vector: to be raised when the same image and model would give another. */
const vectorsVersion = 1;

/** Images per run of the model: enough to keep the processor busy, few enough for large models. */
const usualBatch = 16;

/**
 * The same images as vectors: images of 1x1 with as many channels as the backbone has features. Files are decoded anew,
 * at the size that the backbone takes; images of other sources are resized to it.
 */
export async function backboneVectors(
  pictures: Dataset,
  backbone: Backbone,
  options: VectorsOptions = {},
): Promise<Dataset> {
  const { cacheFolder = userCacheFolder(), cacheLimit = defaultCacheLimit } = options;
  const key = keyOf(backbone);
  const file = join(vectorsFolder(cacheFolder), `${key}.vectors`);
  const cache = VectorCache.open(file, backbone.size);
  try {
    const values = await computeVectors(pictures, backbone, cache, options);
    noteUse(file);
    trimCache(cacheFolder, { limit: cacheLimit, inUse: file });
    return vectorDataset(pictures, { values, size: backbone.size, key });
  } finally {
    cache.close();
  }
}

/** Whatever it is called: what decides its vectors. */
function keyOf(backbone: Backbone): string {
  const { name, ...deciding } = backboneRecord(backbone);
  return createHash("sha256")
    .update(JSON.stringify({ vectorsVersion, ...deciding }))
    .digest("hex");
}

interface KeptVectors {
  readonly values: Float32Array;
  readonly size: number;
  readonly key: string;
}

function vectorDataset(pictures: Dataset, { values, size, key }: KeptVectors): Dataset {
  const { name, origin, count, labels, skipped } = pictures;
  return {
    name,
    origin,
    count,
    labels,
    skipped,
    image: { channels: size, height: 1, width: 1 },
    fingerprint: createHash("sha256").update(`${pictures.fingerprint} ${key}`).digest("hex"),
    pictures,
    itemName: (index) => pictures.itemName(index),
    read: (indices, target) => {
      for (let place = 0; place < indices.length; place++)
        target.set(values.subarray(indices[place] * size, (indices[place] + 1) * size), place * size);
    },
    close: () => pictures.close(),
  };
}

/** An image that is known, or ready for the backbone. */
interface Looked {
  readonly index: number;
  readonly key: Uint8Array;
  /** [3, height, width]; undefined where the vector is known. */
  readonly pixels: Uint8Array | undefined;
}

async function computeVectors(
  pictures: Dataset,
  backbone: Backbone,
  cache: VectorCache,
  options: VectorsOptions,
): Promise<Float32Array> {
  const values = new Float32Array(pictures.count * backbone.size);
  const keep = (index: number, vector: Float32Array): void => values.set(vector, index * backbone.size);
  const encoder = new Encoder(backbone, sessionOptions(options));
  const { signal, onProgress } = options;
  let done = 0;
  const flush = async (batch: readonly Unknown[]): Promise<void> => {
    const vectors = await encoder.vectors(batch.map(({ pixels }) => pixels));
    cache.append(batch.map(({ key }, place) => ({ key, vector: vectors[place] })));
    batch.forEach(({ index }, place) => {
      keep(index, vectors[place]);
    });
    done += batch.length;
    onProgress?.(done, pictures.count);
  };
  try {
    let batch: Unknown[] = [];
    const indices = Array.from({ length: pictures.count }, (_, index) => index);
    // Decoding goes on in threads of its own while the model runs: so many images are ready before they are needed.
    const ahead = Math.max(2 * encoder.batch, 2 * availableParallelism());
    const look = lookAt(pictures, backbone.preparation, cache);
    for await (const { failure, looked } of mapInOrder(indices, (index) => settled(look(index)), ahead)) {
      signal?.throwIfAborted();
      if (looked === undefined) throw failure;
      const { index, key, pixels } = looked;
      const known = pixels === undefined ? cache.get(key) : undefined;
      if (known !== undefined) {
        keep(index, known);
        done++;
      } else if (pixels !== undefined) batch.push({ index, key, pixels });
      if (batch.length === encoder.batch) {
        await flush(batch);
        batch = [];
      }
    }
    if (batch.length > 0) await flush(batch);
    return values;
  } finally {
    await encoder.close();
  }
}

interface Unknown extends Looked {
  readonly pixels: Uint8Array;
}

/** So that one that fails does not end the others unheard. */
const settled = (work: Promise<Looked>): Promise<{ looked?: Looked; failure?: unknown }> =>
  work.then(
    (looked) => ({ looked }),
    (failure) => ({ failure }),
  );

/** Files are known by their bytes, wherever they lie; other images by their pixels. */
function lookAt(pictures: Dataset, preparation: Preparation, cache: VectorCache): (index: number) => Promise<Looked> {
  const { origin, image } = pictures;
  if (origin.fit !== undefined) return (index) => lookAtFile(join(origin.source, pictures.itemName(index)), index);
  const { channels, height, width } = image;
  const area = height * width;
  return async (index) => {
    const values = new Float32Array(pixelCount(image));
    pictures.read([index], values);
    const data = new Uint8Array(values.length);
    for (let channel = 0; channel < channels; channel++)
      for (let at = 0; at < area; at++) data[at * channels + channel] = Math.round(255 * values[channel * area + at]);
    const key = createHash("sha256").update(`${height}x${width}x${channels} `).update(data).digest();
    if (cache.has(key)) return { index, key, pixels: undefined };
    return { index, key, pixels: prepareImage({ data, height, width, channels: channels === 1 ? 1 : 3 }, preparation) };
  };

  async function lookAtFile(file: string, index: number): Promise<Looked> {
    const content = await readFile(file).catch((error) => {
      throw new InputError(`${file}: it could be read before, and cannot be any more (${reasonOf(error)})`);
    });
    const key = createHash("sha256").update(content).digest();
    if (cache.has(key)) return { index, key, pixels: undefined };
    const outcome = await prepareContent(content, preparation);
    if ("reason" in outcome) throw new InputError(`${file}: it has changed meanwhile: ${outcome.reason}`);
    return { index, key, pixels: outcome.result };
  }
}

/** The backbone at work; it begins with the first image that is not known. */
class Encoder {
  readonly batch: number;
  readonly #backbone: Backbone;
  readonly #options: SessionOptions;
  readonly #images: Float32Array;
  #session: Session | undefined;

  constructor(backbone: Backbone, options: SessionOptions) {
    this.batch = backbone.batch ?? usualBatch;
    this.#backbone = backbone;
    this.#options = options;
    this.#images = new Float32Array(this.batch * pixelCount(backbone.image));
  }

  /** Of at most `batch` images; where the model takes no fewer, the rest is what was there before. */
  async vectors(images: readonly Uint8Array[]): Promise<Float32Array[]> {
    this.#session ??= await Session.open(
      this.#backbone.program((vectors) => ({ vectors })),
      { ...this.#options, optimization: "all" },
    );
    const { size, batch, image } = this.#backbone;
    const pixels = pixelCount(image);
    images.forEach((bytes, place) => {
      const target = this.#images.subarray(place * pixels, (place + 1) * pixels);
      for (let at = 0; at < pixels; at++) target[at] = bytes[at] / 255;
    });
    const fed = batch === undefined ? this.#images.subarray(0, images.length * pixels) : this.#images;
    const results = await this.#session.run({ images: fed });
    const vectors = expectFloats(results.vectors);
    return images.map((_, place) => vectors.slice(place * size, (place + 1) * size));
  }

  async close(): Promise<void> {
    await this.#session?.close();
  }
}
