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

/** The images that the batches of all parts see, in ascending order; undefined where that is all of them. */
export function drawnImages(
  count: number,
  batch: number,
  { parts = 1, ...options }: Omit<BatchOptions, "part"> & { readonly parts?: number },
): Uint32Array | undefined {
  const { batches = Math.ceil(count / (batch * parts)) } = options;
  if (batches * batch * parts >= count) return undefined;
  const drawn = sharesOf(count, parts).map((share, number) =>
    orderOf(share, { ...options, part: { number, of: parts } }).subarray(0, batches * batch),
  );
  const all = new Uint32Array(drawn.reduce((total, { length }) => total + length, 0));
  let before = 0;
  for (const images of drawn) {
    all.set(images, before);
    before += images.length;
  }
  return all.sort();
}

/** The images of a part's share, in the order in which an epoch sees them. */
function orderOf(
  images: Uint32Array,
  { seed, use, epoch, part = wholeBatch }: Omit<BatchOptions, "batches">,
): Uint32Array {
  const order = new Random(seed, partStream(`${use}, epoch ${epoch}`, part)).permutation(images.length);
  return order.map((place) => images[place]);
}

/**
 * Images in an order that depends on the seed, the use and the epoch alone, cut into batches of one size: after the
 * last image the order starts again.
 */
export function* shuffledBatches(
  count: number,
  batch: number,
  { seed, use, epoch, part = wholeBatch, batches = Math.ceil(count / (batch * part.of)) }: BatchOptions,
): Generator<Uint32Array> {
  const order = orderOf(sharesOf(count, part.of)[part.number], { seed, use, epoch, part });
  for (let number = 0; number < batches; number++)
    yield Uint32Array.from({ length: batch }, (_, index) => order[(number * batch + index) % order.length]);
}
