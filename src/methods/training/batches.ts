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

/**
 * Images in an order that depends on the seed, the use and the epoch alone, cut into batches of one size: after the
 * last image the order starts again.
 */
export function* shuffledBatches(
  count: number,
  batch: number,
  { seed, use, epoch, batches = Math.ceil(count / batch) }: BatchOptions,
): Generator<Uint32Array> {
  const order = new Random(seed, `${use}, epoch ${epoch}`).permutation(count);
  for (let number = 0; number < batches; number++)
    yield Uint32Array.from({ length: batch }, (_, index) => order[(number * batch + index) % count]);
}
