/** Centres that move with each sample they are given (DCN, eq. 8; the rule of mini-batch k-means). */
import { nearestCentre } from "../../clustering/hard-assignment.ts";

/** Samples each centre is taken to have seen before the first: without, it would jump to it. DCN's authors' value. */
const initialCount = 100;

export class OnlineCentres {
  /** [k, d]. */
  readonly centres: Float32Array;
  /** How many samples each centre has seen. */
  readonly counts: Float32Array;
  readonly #size: number;

  constructor(centres: Float32Array, counts: Float32Array | number) {
    this.centres = centres.slice();
    this.counts = typeof counts === "number" ? new Float32Array(counts).fill(initialCount) : counts.slice();
    this.#size = centres.length / this.counts.length;
  }

  /** The nearest centre. */
  nearest(sample: Float32Array): number {
    return nearestCentre(sample, this.centres);
  }

  /** c ← c + (z − c) / n, where n counts this sample too. */
  move(j: number, sample: Float32Array): void {
    const rate = 1 / ++this.counts[j];
    for (let d = 0; d < this.#size; d++) {
      const place = j * this.#size + d;
      this.centres[place] += rate * (sample[d] - this.centres[place]);
    }
  }
}
