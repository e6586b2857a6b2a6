/** The sizes of a convolution and its two relatives. */

/** Vertical, horizontal. */
export type Pair = readonly [number, number];

export interface Geometry {
  /** The large map: [channels, height, width, batch]. */
  readonly channels: number;
  readonly height: number;
  readonly width: number;
  readonly batch: number;
  readonly filters: number;
  readonly kernel: Pair;
  readonly padding: Pair;
  /** Phases along each axis: the pooling window. */
  readonly phases: Pair;
  /** Pixels of one phase along each axis. The small map is [filters, phases, grid rows, grid columns, batch]. */
  readonly grid: Pair;
}

/** The digits of a number in a mixed radix given by `bases`; the last digit counts fastest. */
export function digits(value: number, bases: readonly number[]): number[] {
  const result = new Array<number>(bases.length);
  let rest = value;
  for (let place = bases.length - 1; place >= 0; place--) {
    result[place] = rest % bases[place];
    rest = Math.floor(rest / bases[place]);
  }
  return result;
}
