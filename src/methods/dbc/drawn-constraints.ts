/**
 * Constraints as Algorithm 2 learns from them: some in every step, each in its turn. How much they count follows from how
 * many there are: each is seen ten times as often as an image, and those of one kind are a quarter of the mini-batch at
 * the most. More would not only count for too much: what a batch is normalized by would be theirs.
 */

import type { ConstraintCounts } from "../../network/programs.ts";
import type { Batch } from "../../network/trainer.ts";
import type { Constraints } from "../../runs/decisions/constraints.ts";
import { shuffledBatches } from "../training/batches.ts";
import { type Part, partStream } from "../training/parts.ts";

export interface DrawOptions {
  readonly k: number;
  /** Images in all. */
  readonly images: number;
  /** Images of a mini-batch, or of a part of it. */
  readonly batch: number;
  /** Mini-batches of an epoch. */
  readonly batches: number;
  readonly seed: number;
}

/** The most of one kind in a step, as a share of the mini-batch. */
const mostShare = 1 / 4;

/** How often a constraint is seen for each time that an image is. */
const timesAsOften = 10;

export class DrawnConstraints {
  /** Of each step. */
  readonly counts: ConstraintCounts;
  readonly #constraints: Constraints;
  readonly #knownImages: Uint32Array;
  readonly #options: DrawOptions;

  constructor(constraints: Constraints, options: DrawOptions) {
    const { known, together, apart } = constraints;
    this.#constraints = constraints;
    this.#knownImages = Uint32Array.from([...known.keys()].filter((image) => known[image] >= 0));
    this.#options = options;
    const { batch, images } = options;
    const most = Math.max(1, Math.floor(batch * mostShare));
    const inStep = (count: number): number => Math.min(most, count, Math.ceil((timesAsOften * count * batch) / images));
    this.counts = {
      known: inStep(this.#knownImages.length),
      together: inStep(together.length),
      apart: inStep(apart.length),
    };
  }

  /** The images of each step of an epoch: those that are known, then pairs, all firsts first. */
  *drawn(epoch: number, part: Part = { number: 0, of: 1 }): Generator<Uint32Array> {
    const { together, apart } = this.#constraints;
    const { counts } = this;
    const known = this.#turns(partStream("known images", part), this.#knownImages.length, counts.known, epoch);
    const pairs = this.#turns(partStream("pairs together", part), together.length, counts.together, epoch);
    const others = this.#turns(partStream("pairs apart", part), apart.length, counts.apart, epoch);
    for (let step = 0; step < this.#options.batches; step++) {
      const [ones, links, gaps] = [next(known), next(pairs), next(others)];
      yield Uint32Array.from([
        ...ones.map((one) => this.#knownImages[one]),
        ...[0, 1].flatMap((end) => [...links].map((link) => together[link][end])),
        ...[0, 1].flatMap((end) => [...gaps].map((gap) => apart[gap][end])),
      ]);
    }
  }

  /** `images` as they were drawn. */
  feeds(images: Uint32Array): Batch {
    const { k } = this.#options;
    if (this.counts.known === 0) return {};
    const known = new Float32Array(this.counts.known * k);
    for (let row = 0; row < this.counts.known; row++) known[row * k + this.#constraints.known[images[row]]] = 1;
    return { known };
  }

  #turns(use: string, count: number, size: number, epoch: number): Iterator<Uint32Array> {
    const { seed, batches } = this.#options;
    return shuffledBatches(count, size, { seed, use, epoch, batches });
  }
}

function next(turns: Iterator<Uint32Array>): Uint32Array {
  const { value } = turns.next();
  return value ?? new Uint32Array(0);
}
