/**
 * The kernel 1 / (1 + s) of a squared distance s, in two parts. The integral 1 / (1 + s) = ∫ exp(−t (1 + s)) dt is
 * split at some t, as Ewald (1921) did for 1 / r: the lower part is smooth on the scale of a grid, the upper is short.
 */
import type { ShortKernel } from "./near-field.ts";

export interface SplitKernel {
  /** The smooth part less the kernel at the farthest distance: a constant exerts no force and costs digits. */
  readonly smooth: (squaredDistance: number) => number;
  /** That constant. */
  readonly offset: number;
  /** The smooth part at distance zero, with the constant. */
  readonly own: number;
  /** The short part; none where the grid is fine enough for the whole kernel. */
  readonly short: ShortKernel | undefined;
}

/** On a grid of this spacing the whole kernel is smooth. */
const fineSpacing = 0.28;
/** The t at which the kernel is split, in units of 1 / spacing². */
const splitPoint = 0.3;
/** The range of the short part, in spacings. */
const shortRange = 4.5;

/** For a grid whose nodes are `spacing` apart and distances of up to `farthest`. */
export function splitKernel(spacing: number, farthest: number): SplitKernel {
  const offset = 1 / (1 + farthest ** 2);
  // 1 / (1 + s) − offset, without subtracting nearly equal numbers.
  const whole = (s: number): number => ((farthest ** 2 - s) * offset) / (1 + s);
  if (spacing <= fineSpacing) return { smooth: whole, offset, own: 1, short: undefined };
  const t = splitPoint / spacing ** 2;
  const value = (s: number): number => Math.exp(-t * (1 + s)) / (1 + s);
  const fall = (s: number): number => value(s) * (t + 1 / (1 + s));
  return {
    smooth: (s) => whole(s) - value(s),
    offset,
    own: 1 - value(0),
    short: { range: shortRange * spacing, value, fall },
  };
}
