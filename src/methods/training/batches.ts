/** The order in which a method sees its images. */
import { Random } from "../../numeric/random.ts";

export interface BatchOptions {
  readonly seed: number;
  /** What for: another use sees another order. */
  readonly use: string;
  readonly epoch: number;
  /** How many batches. Default: as many as see each image. */
  readonly batches?: number;
}

/** The images that these batches see, in ascending order; undefined where that is all of them. */
export function drawnImages(count: number, batch: number, options: BatchOptions): Uint32Array | undefined {
  const { seed, use, epoch, batches = Math.ceil(count / batch) } = options;
  if (batches * batch >= count) return undefined;
  return orderOf(count, { seed, use, epoch })
    .slice(0, batches * batch)
    .sort();
}

const orderOf = (count: number, { seed, use, epoch }: Omit<BatchOptions, "batches">): Uint32Array =>
  new Random(seed, `${use}, epoch ${epoch}`).permutation(count);

/**
 * Images in an order that depends on the seed, the use and the epoch alone, cut into batches of one size: after the
 * last image the order starts again.
 */
export function* shuffledBatches(
  count: number,
  batch: number,
  { seed, use, epoch, batches = Math.ceil(count / batch) }: BatchOptions,
): Generator<Uint32Array> {
  const order = orderOf(count, { seed, use, epoch });
  for (let number = 0; number < batches; number++)
    yield Uint32Array.from({ length: batch }, (_, index) => order[(number * batch + index) % count]);
}
