/** Images as a backbone sees them: a vector each, computed once and kept by the content of image and model. */
import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { SessionOptions } from "../engine/session.ts";
import { InputError } from "../files/errors.ts";
import { userCacheFolder } from "../files/user-folders.ts";
import type { Dataset } from "../images/dataset.ts";
import { defaultCacheLimit, noteUse, trimCache, vectorsFolder } from "../images/sources/decoded-cache.ts";
import { mapInOrder } from "../images/sources/in-order.ts";
import { type Backbone, backboneRecord } from "../network/backbone.ts";
import { BackboneEncoder } from "./encoder.ts";
import { type KnownImage, lookUpIn, type NewImage } from "./look-up.ts";
import { VectorCache } from "./vector-cache.ts";

export interface BackboneVectorsOptions extends SessionOptions {
  /** Where vectors are kept. Default: the user's cache folder. */
  readonly cacheFolder?: string | undefined;
  /** The most bytes that are kept there, beside what is in use. Default: 4 GiB. */
  readonly cacheLimit?: number | undefined;
  /** What was computed until then is kept. */
  readonly signal?: AbortSignal | undefined;
  /** Called while vectors are computed; those that were kept count as done. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Part of the key of every kept vector: to be raised when the same image and model would give another. */
const vectorsVersion = 1;

/**
 * The same images as vectors: images of 1x1 with as many channels as the backbone has features. Files are decoded anew,
 * at the size that the backbone takes; images of other sources are resized to it.
 */
export async function backboneVectors(
  pictures: Dataset,
  backbone: Backbone,
  options: BackboneVectorsOptions = {},
): Promise<Dataset> {
  const { cacheFolder = userCacheFolder(), cacheLimit = defaultCacheLimit } = options;
  const key = keyOf(backbone);
  const file = join(vectorsFolder(cacheFolder), `${key}.vectors`);
  // Before it is read, so that no other process takes it for something that nobody uses.
  noteUse(file);
  const cache = VectorCache.open(file, backbone.size);
  try {
    const values = await computeVectors(pictures, backbone, cache, options);
    trimCache(cacheFolder, { limit: cacheLimit, inUse: file });
    return vectorDataset(pictures, { values, size: backbone.size, key });
  } finally {
    cache.close();
  }
}

/** Of all that decides a vector, which its name does not. */
function keyOf(backbone: Backbone): string {
  const { name, ...deciding } = backboneRecord(backbone);
  return createHash("sha256")
    .update(JSON.stringify({ vectorsVersion, ...deciding }))
    .digest("hex");
}

async function computeVectors(
  pictures: Dataset,
  backbone: Backbone,
  cache: VectorCache,
  options: BackboneVectorsOptions,
): Promise<Float32Array> {
  const { signal, onProgress } = options;
  const { count } = pictures;
  const values = new Float32Array(count * backbone.size);
  let done = 0;
  const keep = ({ index, vector }: KnownImage): void => {
    values.set(vector, index * backbone.size);
    done++;
  };
  const encoder = new BackboneEncoder(backbone, count, options);
  let batch: NewImage[] = [];
  const underWay: Promise<Outcome<void>>[] = [];
  const encodeBatch = (): void => {
    const images = batch;
    batch = [];
    underWay.push(
      outcomeOf(encoder.vectors(images.map(({ pixels }) => pixels)).then((vectors) => keepAll(images, vectors))),
    );
  };
  const keepAll = (images: readonly NewImage[], vectors: readonly Float32Array[]): void => {
    const encoded = images.map((image, place) => ({ ...image, vector: vectors[place] }));
    for (const { index, vector } of encoded) expectFinite(vector, pictures.itemName(index), backbone);
    cache.append(encoded);
    encoded.forEach(keep);
    onProgress?.(done, count);
  };
  const finish = async (left: number): Promise<void> => {
    while (underWay.length > left) {
      const outcome = await underWay.shift();
      if (outcome !== undefined && "failure" in outcome) throw outcome.failure;
    }
  };
  try {
    for await (const image of lookedUp(pictures, { backbone, cache, atOnce: encoder.batch * encoder.atOnce })) {
      signal?.throwIfAborted();
      if ("vector" in image) keep(image);
      else batch.push(image);
      if (batch.length < encoder.batch) continue;
      encodeBatch();
      await finish(encoder.atOnce - 1);
    }
    signal?.throwIfAborted();
    if (batch.length > 0) encodeBatch();
    await finish(0);
    return values;
  } finally {
    await Promise.all(underWay);
    await encoder.close();
  }
}

type Outcome<Result> = { readonly result: Result } | { readonly failure: unknown };

/** Work that fails while others are waited for is heard of in its turn. */
const outcomeOf = <Result>(work: Promise<Result>): Promise<Outcome<Result>> =>
  work.then(
    (result) => ({ result }),
    (failure: unknown) => ({ failure }),
  );

interface LookUpSettings {
  readonly backbone: Backbone;
  readonly cache: VectorCache;
  readonly atOnce: number;
}

/** In their order, and some images ahead of the model, which runs in threads of its own. */
async function* lookedUp(
  pictures: Dataset,
  { backbone, cache, atOnce }: LookUpSettings,
): AsyncGenerator<NewImage | KnownImage> {
  const lookUp = lookUpIn(pictures, backbone.preparation, cache);
  const work = (index: number) => outcomeOf(lookUp(index));
  const ahead = Math.max(2 * atOnce, 2 * availableParallelism());
  for await (const outcome of mapInOrder(Array(pictures.count).keys(), work, ahead)) {
    if ("failure" in outcome) throw outcome.failure;
    yield outcome.result;
  }
}

/** Half precision overflows; no clustering could do anything with that. */
function expectFinite(vector: Float32Array, item: string, { name }: Backbone): void {
  if (vector.every(Number.isFinite)) return;
  throw new InputError(
    `backbone ${name}: gives numbers that are not finite for image ${item}; take it in single precision, or another`,
    { option: "backbone" },
  );
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
