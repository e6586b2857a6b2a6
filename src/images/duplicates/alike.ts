/**
 * Which of many descriptions are like a given one: whose product with it is at least so much. There are as many products
 * as pairs of pictures, so WebAssembly computes them, four numbers at once.
 */
import {
  advance,
  assemble,
  float,
  isBelow,
  loopWhile,
  type Routine,
  shiftLeft,
  whole,
  write,
} from "../../numeric/web-assembly.ts";

/** Sums that grow side by side: an addition need not wait for the one before. */
const sums = 4;

/** Writes the numbers of the others that are like `own`, and at `result` where the next one would go. Addresses. */
const find = (length: number): Routine => ({
  parameters: 7,
  integers: 0,
  vectors: sums,
  write: ([own, other, end, number, least, found, result], _, parts) => {
    const fours = Array.from({ length: length / 4 }, (__, place) =>
      float.multiplyFours(float.readFour(own.get, 16 * place), float.readFour(other.get, 16 * place)),
    );
    const added = fours.map((four, place) => {
      const sum = parts[place % sums];
      return sum.set(place < sums ? four : float.addFours(sum.get, four));
    });
    const all = parts.map(({ get }) => get).reduce(float.addFours);
    const lanes = [0, 1, 2, 3].map((lane) => float.lane(parts[0].get, lane));
    return [
      ...loopWhile(
        isBelow(other.get, end.get),
        ...added,
        parts[0].set(all),
        // Every number is written, and the next one over it unless it counts: no branch to mispredict.
        write(found.get, number.get),
        advance(found, shiftLeft(float.isAtLeast(lanes.reduce(float.add), float.read(least.get)), 2)),
        advance(other, whole(4 * length)),
        advance(number, whole(1)),
      ),
      ...write(result.get, found.get),
    ];
  },
});

/** Others between two looks at the next picture: what they take stays in the processor's cache meanwhile. */
const othersAtOnce = 512;

/** So many floats before the descriptions: the least product, where the result ends, and the result. */
const [leastPlace, resultPlace, foundPlace] = [0, 1, 4];
const descriptionsPlace = foundPlace + othersAtOnce + 4;

export class AlikeFinder {
  readonly #count: number;
  readonly #length: number;
  readonly #routines;
  readonly #floats: Float32Array;
  readonly #numbers: Uint32Array;

  /** Room for so many descriptions of `length` numbers, a multiple of four. */
  constructor(count: number, length: number) {
    this.#count = count;
    this.#length = length;
    this.#routines = assemble({ find: find(length) });
    const { memory } = this.#routines;
    memory.grow(Math.ceil((4 * (descriptionsPlace + count * length)) / 2 ** 16));
    this.#floats = new Float32Array(memory.buffer);
    this.#numbers = new Uint32Array(memory.buffer);
  }

  /** The numbers of one description, to be read and written. */
  description(picture: number): Float32Array {
    const place = descriptionsPlace + picture * this.#length;
    return this.#floats.subarray(place, place + this.#length);
  }

  /**
   * For each picture from `from` up to `to` those that are like it, in ascending order: their product is at least what
   * `least` says of the picture. It is among them if it is like itself.
   */
  alike(from: number, to: number, least: (picture: number) => number): number[][] {
    const found = Array.from({ length: to - from }, (): number[] => []);
    for (let first = 0; first < this.#count; first += othersAtOnce) {
      const last = Math.min(this.#count, first + othersAtOnce);
      for (let picture = from; picture < to; picture++)
        this.#among(picture, first, last, least(picture), found[picture - from]);
    }
    return found;
  }

  #among(picture: number, first: number, last: number, least: number, found: number[]): void {
    const addressOf = (number: number): number => 4 * (descriptionsPlace + number * this.#length);
    this.#floats[leastPlace] = least;
    this.#routines.find(
      ...[addressOf(picture), addressOf(first), addressOf(last), first],
      ...[4 * leastPlace, 4 * foundPlace, 4 * resultPlace],
    );
    const end = this.#numbers[resultPlace] / 4;
    for (let place = foundPlace; place < end; place++) found.push(this.#numbers[place]);
  }
}
