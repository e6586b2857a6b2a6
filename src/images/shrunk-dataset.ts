/** A dataset with smaller images: each pixel is the mean of a square of pixels. */
import type { Images } from "./dataset.ts";
import { type ImageSize, pixelCount, shortestSide, shrunkSize } from "./image.ts";

/** The largest factor that divides both sides, the longer one to at least `side`, the other to a network's shortest. */
export function shrinkFactor({ height, width }: ImageSize, side: number): number {
  const most = Math.min(Math.max(height, width) / side, Math.min(height, width) / shortestSide);
  for (let factor = Math.floor(most); factor > 1; factor--)
    if (height % factor === 0 && width % factor === 0) return factor;
  return 1;
}

/** Shrunk images are cached in memory if all of them take no more than this many bytes. */
const mostKept = 1 << 29;

export function shrunkDataset(dataset: Images, factor: number): Images {
  if (factor === 1) return dataset;
  const { name, count, origin, skipped, fingerprint } = dataset;
  const image = shrunkSize(dataset.image, factor);
  const images = new ShrunkImages(dataset, factor, pixelCount(image));
  return {
    name,
    count,
    origin,
    skipped,
    fingerprint,
    image,
    itemName: (index) => dataset.itemName(index),
    read: (indices, target) => images.read(indices, target),
    close: () => dataset.close(),
  };
}

class ShrunkImages {
  readonly #dataset: Images;
  readonly #factor: number;
  readonly #pixels: number;
  readonly #large: Float32Array;
  readonly #kept: Float32Array;
  readonly #isKept: Uint8Array;

  constructor(dataset: Images, factor: number, pixels: number) {
    this.#dataset = dataset;
    this.#factor = factor;
    this.#pixels = pixels;
    this.#large = new Float32Array(pixelCount(dataset.image));
    const count = 4 * dataset.count * pixels <= mostKept ? dataset.count : 0;
    this.#kept = new Float32Array(count * pixels);
    this.#isKept = new Uint8Array(count);
  }

  read(indices: ArrayLike<number>, target: Float32Array): void {
    for (let place = 0; place < indices.length; place++)
      this.#readOne(indices[place], target.subarray(place * this.#pixels, (place + 1) * this.#pixels));
  }

  #readOne(index: number, target: Float32Array): void {
    const kept = this.#kept.subarray(index * this.#pixels, (index + 1) * this.#pixels);
    if (this.#isKept[index]) {
      target.set(kept);
      return;
    }
    this.#dataset.read([index], this.#large);
    shrinkImage(this.#large, this.#dataset.image, this.#factor, target);
    if (kept.length === 0) return;
    kept.set(target);
    this.#isKept[index] = 1;
  }
}

function shrinkImage(large: Float32Array, { width }: ImageSize, factor: number, small: Float32Array): void {
  const columns = width / factor;
  for (let place = 0; place < small.length; place++) {
    // Channels lie one below another, so that rows count on.
    const row = Math.floor(place / columns);
    const corner = row * factor * width + (place % columns) * factor;
    let total = 0;
    for (let y = 0; y < factor; y++) for (let x = 0; x < factor; x++) total += large[corner + y * width + x];
    small[place] = total / (factor * factor);
  }
}
