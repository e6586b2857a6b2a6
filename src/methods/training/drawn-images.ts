/** The images that an epoch sees: all of them, or some where its mini-batches are fewer than a pass. */
import { gatherRows } from "../../numeric/matrix.ts";

/**
 * The images of the longest epoch of the boosted preset: what is learned follows from steps, so that of more images an
 * epoch sees some, and others each time. Only where there are more does Algorithm 2 score no others.
 */
export const longestEpoch = 70_000;

export class DrawnImages {
  readonly #count: number;
  /** In ascending order; undefined where all are drawn. */
  readonly images: Uint32Array | undefined;

  /** Of `count` images; all of them where `images` is undefined. */
  constructor(count: number, images?: Uint32Array) {
    this.#count = count;
    this.images = images;
  }

  /** What is known of those that were drawn, out of what is known of all. */
  select(labels: Int32Array): Int32Array {
    return this.images === undefined ? labels : Int32Array.from(this.images, (image) => labels[image]);
  }

  /** What is known of all, of which `labels` is what has become known now; −1 where nothing is. */
  merge(before: Int32Array | undefined, labels: Int32Array): Int32Array {
    if (this.images === undefined) return labels;
    const all = before?.slice() ?? new Int32Array(this.#count).fill(-1);
    this.images.forEach((image, place) => {
      all[image] = labels[place];
    });
    return all;
  }

  /** Out of `rows`, one for each image that was drawn: those of some of them, copied into `target`. */
  gather(rows: Float32Array, columns: number, indices: Uint32Array, target: Float32Array): Float32Array {
    const places = this.images === undefined ? indices : indices.map((image) => this.#placeOf(image));
    return gatherRows(rows, columns, places, target);
  }

  #placeOf(image: number): number {
    const images = this.images ?? new Uint32Array(0);
    let [low, high] = [0, images.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (images[middle] < image) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
