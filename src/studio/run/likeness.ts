/** Which images are like which: distances between the features of a run, from one image to all. */
import { join } from "node:path";
import { InputError } from "../../files/errors.ts";
import { openNpy } from "../../files/npy.ts";
import type { NumericArray } from "../../files/numeric-array.ts";
import type { Matrix } from "../../numeric/matrix.ts";

/** Numbers that are read at once. */
const blockLength = 1 << 20;
/** Larger files, in bytes, are not kept in memory: each look at all images reads the file. */
const memoryLimit = 2 ** 28;

/** The features of all images, a row for each. Opened when they are needed first. */
export class Likeness {
  readonly #path: string;
  #opened: NumericArray | undefined;

  constructor(run: string) {
    this.#path = join(run, "features.npy");
  }

  /** Squared distances from an image to all. */
  distances(image: number): Float32Array {
    const { rows, columns } = this.shape;
    const own = this.rows([image]).values;
    const distances = new Float32Array(rows);
    for (const { first, values } of this.#blocks()) {
      for (let row = 0; row * columns < values.length; row++) {
        let sum = 0;
        for (let d = 0, at = row * columns; d < columns; d++, at++) sum += (values[at] - own[d]) ** 2;
        distances[first + row] = sum;
      }
    }
    return distances;
  }

  /** The images that are most similar to one, nearest first, without itself. */
  nearest(image: number, count: number): number[] {
    const distances = this.distances(image);
    const found: number[] = [];
    for (let other = 0; other < distances.length; other++) {
      if (other === image || (found.length === count && distances[other] >= distances[found[count - 1]])) continue;
      let place = found.length === count ? count - 1 : found.length;
      while (place > 0 && distances[found[place - 1]] > distances[other]) {
        found[place] = found[place - 1];
        place--;
      }
      found[place] = other;
    }
    return found;
  }

  /** The features of some images. */
  rows(images: ArrayLike<number>): Matrix {
    const { bytes, offset } = this.#array();
    const { columns } = this.shape;
    const values = new Float32Array(images.length * columns);
    const target = new Uint8Array(values.buffer);
    for (let place = 0; place < images.length; place++)
      bytes.read(offset + images[place] * columns * 4, target.subarray(place * columns * 4, (place + 1) * columns * 4));
    return { rows: images.length, columns, values };
  }

  close(): void {
    this.#opened?.bytes.close();
  }

  *#blocks(): Generator<{ readonly first: number; readonly values: Float32Array }> {
    const { bytes, offset } = this.#array();
    const { rows, columns } = this.shape;
    const size = Math.max(1, Math.floor(blockLength / columns));
    const block = new Float32Array(size * columns);
    for (let first = 0; first < rows; first += size) {
      const values = block.subarray(0, Math.min(size, rows - first) * columns);
      bytes.read(offset + first * columns * 4, new Uint8Array(values.buffer, 0, values.byteLength));
      yield { first, values };
    }
  }

  get shape(): { readonly rows: number; readonly columns: number } {
    const [rows, columns] = this.#array().shape;
    return { rows, columns };
  }

  #array(): NumericArray {
    this.#opened ??= openNpy(this.#path, memoryLimit);
    if (this.#opened.type !== "float32" || this.#opened.shape.length !== 2)
      throw new InputError(`${this.#path}: holds no matrix of float32; the run must be made again`);
    return this.#opened;
  }
}
