/**
 * The library's seeded random numbers: xoshiro128** (Blackman & Vigna, 2018) on 32-bit integers, its state filled by
 * splitmix32 from the seed and a label. All arithmetic is on integers or exact: the same seed gives the same numbers on
 * every platform and in every JavaScript engine.
 */
import { InputError } from "../files/errors.ts";

export class Random {
  readonly #state: Uint32Array;

  /** `label` names the use, so that streams of one seed for different uses are independent. */
  constructor(seed: number, label = "") {
    if (!Number.isSafeInteger(seed) || seed < 0)
      throw new InputError(`seed must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, not ${seed}`);
    const mix = splitmix32([seed >>> 0, Math.floor(seed / 2 ** 32), ...new TextEncoder().encode(label)]);
    this.#state = Uint32Array.from({ length: 4 }, mix);
  }

  /** A whole number from 0 up to, not including, 2³². */
  uint32(): number {
    const s = this.#state;
    const result = Math.imul(rotateLeft(Math.imul(s[1], 5), 7), 9) >>> 0;
    const shifted = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotateLeft(s[3], 11);
    return result;
  }

  /** The next numbers of `uint32`, many at a time: several times as fast. */
  fill(target: Uint32Array): void {
    let [a, b, c, d] = this.#state;
    for (let i = 0; i < target.length; i++) {
      target[i] = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9);
      const shifted = b << 9;
      c ^= a;
      d ^= b;
      b ^= c;
      a ^= d;
      c ^= shifted;
      d = rotateLeft(d, 11);
    }
    this.#state.set([a, b, c, d]);
  }

  /** A number from 0 up to, not including, 1, with 53 random bits. */
  uniform(): number {
    return ((this.uint32() >>> 5) * 2 ** 26 + (this.uint32() >>> 6)) / 2 ** 53;
  }

  /** A whole number from 0 up to, not including, `count`. */
  integer(count: number): number {
    return Math.floor(this.uniform() * count);
  }

  /** The numbers from 0 to count − 1 in random order (Fisher & Yates). */
  permutation(count: number): Uint32Array {
    const order = Uint32Array.from({ length: count }, (_, index) => index);
    for (let last = count - 1; last > 0; last--) {
      const other = this.integer(last + 1);
      [order[last], order[other]] = [order[other], order[last]];
    }
    return order;
  }

  /** The state, from which `restore` continues: four numbers. */
  save(): number[] {
    return [...this.#state];
  }

  restore(state: readonly number[]): void {
    if (state.length !== 4) throw new InputError(`a random state is 4 numbers, not ${state.length}`);
    this.#state.set(state);
  }
}

const rotateLeft = (x: number, bits: number): number => (x << bits) | (x >>> (32 - bits));

/** A generator whose start is a hash of `values`. */
function splitmix32(values: readonly number[]): () => number {
  let state = 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let z = state ^ (state >>> 16);
    z = Math.imul(z, 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  };
  for (const value of values) state = next() ^ value;
  return next;
}
