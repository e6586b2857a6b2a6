/**
 * Processes that compute together: each is a rank, from 0 to size − 1, and all of them make the same calls in the same
 * order. A call returns when every rank has made it, and leaves the same bits on all of them.
 */
import { type SessionOptions, sessionOptions } from "../session.ts";

export type SharedArray = Float32Array | Float64Array | Int32Array | Uint32Array | Uint8Array;

export interface Collective {
  readonly rank: number;
  readonly size: number;
  /** Adds up the values of all ranks, place by place, in place. */
  sum(values: Float32Array | Float64Array): void;
  /** Gives everybody the values of rank 0, in place. */
  broadcast(values: SharedArray): void;
  /** What each rank has, by rank; lengths may differ. */
  gather<Values extends SharedArray>(own: Values): Values[];
  /** Waits, without keeping a core busy, until all have come here: where one has work that others wait for. */
  meet(): Promise<void>;
  /** Whether others depend on this rank: not where there are none, nor any more after `close`. */
  readonly open: boolean;
  /** Ends every rank at once, with that exit code. */
  abort(code: number): void;
  /** The last call: after it each rank is by itself. */
  close(): void;
}

/** One process by itself. */
export const alone: Collective = {
  rank: 0,
  size: 1,
  sum() {},
  broadcast() {},
  gather: (own) => [own],
  async meet() {},
  open: false,
  abort() {},
  close() {},
};

/** Where to compute, and with whom. */
export interface SharedOptions extends SessionOptions {
  /** The processes that share the work. Default: this one alone. */
  readonly collective?: Collective;
}

/** Those alone, where a method has more options. */
export const sharedOptions = ({ collective, ...options }: SharedOptions): SharedOptions => ({
  ...sessionOptions(options),
  ...(collective === undefined ? {} : { collective }),
});

/** The rows of a matrix that are a rank's: equally many for each, but for one, one after another. */
export function ownRows(rows: number, { rank, size }: Collective): { readonly from: number; readonly to: number } {
  const start = (of: number): number => Math.floor((of * rows) / size);
  return { from: start(rank), to: start(rank + 1) };
}

/** What the ranks have, one after another by rank. */
export function joined<Values extends SharedArray>(own: Values, collective: Collective): Values {
  const parts = collective.gather(own);
  if (parts.length === 1) return parts[0];
  const whole = emptyLike(
    own,
    parts.reduce((total, { length }) => total + length, 0),
  );
  let before = 0;
  for (const part of parts) {
    whole.set(part, before);
    before += part.length;
  }
  return whole;
}

/** An array of the same type. */
export function emptyLike<Values extends SharedArray>(values: Values, length: number): Values;
export function emptyLike(values: SharedArray, length: number): SharedArray {
  if (values instanceof Float32Array) return new Float32Array(length);
  if (values instanceof Float64Array) return new Float64Array(length);
  if (values instanceof Int32Array) return new Int32Array(length);
  return values instanceof Uint32Array ? new Uint32Array(length) : new Uint8Array(length);
}

/** A text that rank 0 makes, for all of them. */
export function fromFirst(collective: Collective, make: () => string): string {
  const own = new TextEncoder().encode(collective.rank === 0 ? make() : "");
  return new TextDecoder().decode(collective.gather(own)[0]);
}

/** One text of each rank, by rank. */
export const gatherTexts = (collective: Collective, own: string): string[] =>
  collective.gather(new TextEncoder().encode(own)).map((bytes) => new TextDecoder().decode(bytes));
