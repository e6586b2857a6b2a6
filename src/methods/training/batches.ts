/** The order in which a method sees its images. */
import { Random } from "../../numeric/random.ts";
import { type Part, partStream, sharesOf } from "./parts.ts";

export interface BatchOptions {
  readonly seed: number;
  /** What for: another use sees another order. */
  readonly use: string;
  readonly epoch: number;
  /** How many batches. Default: as many as see each image. */
  readonly batches?: number;
  /** Of whose share of the images. Default: of all. */
  readonly part?: Part;
}

const wholeBatch: Part = { number: 0, of: 1 };

/**
 * Images in an order that depends on the seed, the use and the epoch alone, cut into batches of one size: after the
 * last image the order starts again.
 */
export function* shuffledBatches(
  count: number,
  batch: number,
  { seed, use, epoch, part = wholeBatch, batches = Math.ceil(count / (batch * part.of)) }: BatchOptions,
): Generator<Uint32Array> {
  const images = sharesOf(count, part.of)[part.number];
  const order = new Random(seed, partStream(`${use}, epoch ${epoch}`, part)).permutation(images.length);
  for (let number = 0; number < batches; number++)
    yield Uint32Array.from({ length: batch }, (_, index) => images[order[(number * batch + index) % images.length]]);
}
