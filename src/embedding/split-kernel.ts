/**
 * The kernel 1 / (1 + s) of a squared distance s, in two parts. With 1 / (1 + s) = ∫ exp(−t (1 + s)) dt it is split at
 * some t, as Ewald (1921) did for 1 / r: what is below is smooth on the scale of a grid, what is above ends soon.
 */
import type { ShortKernel } from "./near-field.ts";

export interface SplitKernel {
  /** The smooth part, less its value at the farthest distance: what all pairs have exerts no force and costs digits. */
  readonly smooth: (squaredDistance: number) => number;
  /** What was taken off. */
  readonly offset: number;
  /** The smooth part at distance zero, nothing taken off. */
  readonly own: number;
  /** The other part; none where the grid is fine enough for the whole. */
  readonly short: ShortKernel | undefined;
}

/** With nodes this near to each other the whole kernel is smooth. */
const fineSpacing = 0.28;
/** Where it is split, in units of 1 / spacing². */
const splitPlace = 0.3;
/** Where the short part ends, in spacings. */
const shortRange = 4.5;

/** For a grid whose nodes are `spacing` apart and distances of up to `farthest`. */
export function splitKernel(spacing: number, farthest: number): SplitKernel {
  const offset = 1 / (1 + farthest ** 2);
  // 1 / (1 + s) − offset, not as a difference of nearly equal numbers.
  const whole = (s: number): number => ((farthest ** 2 - s) * offset) / (1 + s);
  if (spacing <= fineSpacing) return { smooth: whole, offset, own: 1, short: undefined };
  const t = splitPlace / spacing ** 2;
  const value = (s: number): number => Math.exp(-t * (1 + s)) / (1 + s);
  const fall = (s: number): number => value(s) * (t + 1 / (1 + s));
  return {
    smooth: (s) => whole(s) - value(s),
    offset,
    own: 1 - value(0),
    short: { range: shortRange * spacing, value, fall },
  };
}
