/**
 * Whether two files show the same picture: one is laid over the other, and nowhere may they differ.
 *
 * Copies that were compressed, shrunk, cropped a little or brightened differ by a few grey levels. What differs by more,
 * if only in one small place, is another picture: an object has moved, or it is another shirt of the same kind. The
 * limits are measured: docs/experiments.md#copies.
 */
import { type Alignment, predicted, refine } from "./alignment.ts";
import type { Window } from "./description.ts";
import { atSide, type Plane } from "./plane.ts";

/** What is compared: brightness from 0 to 255, and two channels of colour around `neutral`. */
export interface Picture {
  readonly luma: Plane;
  readonly blue: Plane;
  readonly red: Plane;
  /** The shorter side of the file in pixels: finer than that, there is nothing to compare. */
  readonly shortestSide: number;
}

/** The value of a colour channel where there is no colour. */
export const neutral = 128;

/**
 * By how many levels the means of two squares may differ, in brightness and in colour: of 5 by 5 pixels, and of 3 by 3.
 * What was only compressed and resized lies pixel on pixel and differs by little; what was cropped has to be
 * interpolated, and what was brightened was cut off somewhere.
 */
const limits = {
  plain: [
    { reach: 2, luma: 6, colour: 6 },
    { reach: 1, luma: 8, colour: 8 },
  ],
  altered: [
    { reach: 2, luma: 13, colour: 16 },
    { reach: 1, luma: 21, colour: 18 },
  ],
} as const;
type Limits = (typeof limits)["plain" | "altered"];
/** From here on a picture counts as altered: shares of its side, of brightness, and levels. */
const [leastCrop, leastGain, leastOffset] = [0.005, 0.03, 4];

/** Less where there is little contrast: so much of its standard deviation, and what compression adds. */
const [contrastShare, compressionLevels] = [0.35, 3];
const leastCorrelation = 0.92;

/** Pixels a side of the two comparisons: most pictures differ at the coarse one already. */
const [coarse, fine] = [32, 64];

/** Of a picture with fewer pixels a side, crops have a pixel or two less: other pictures could pass for them. */
export const smallestCropped = fine;

/** How far apart copies may show the same thing: as a share of the side where one is cropped; else, in pixels. */
const [mostCropped, resampled] = [0.1, 0.5];

/** `window` is the part of the first one that the second one seems to show. */
export function isSamePicture(first: Picture, second: Picture, window: Window): boolean {
  const shortest = Math.min(first.shortestSide, second.shortestSide);
  const mostShift = shortest >= smallestCropped ? mostCropped : resampled / shortest;
  let alignment = startOf(window);
  for (const side of shortest >= fine ? [coarse, fine] : [coarse]) {
    const [a, b] = [atSide(first.luma, side), atSide(second.luma, side)];
    const nearly = refine(a, b, alignment, { mostShift, steps: 1 });
    if (nearly === undefined || differAfterAStep(predicted(a, b, nearly), b)) return false;
    const refined = refine(a, b, nearly, { mostShift, steps: mostSteps });
    if (refined === undefined || !isSamePlane(predicted(a, b, refined), b, limitsFor(refined))) return false;
    alignment = refined;
  }
  return hasSameColours(first, second, alignment);
}

const mostSteps = 5;

/** A first step brings copies to within 20 levels of one another, and further ones bring other pictures no nearer. */
const differAfterAStep = (expected: Float32Array, plane: Plane): boolean => differSomewhere(expected, plane, 2, 26);

const startOf = ({ left, right, top, bottom }: Window): Alignment => ({
  scaleX: right - left,
  shiftX: right + left - 1,
  scaleY: bottom - top,
  shiftY: bottom + top - 1,
  gain: 1,
  offset: 0,
  curve: 0,
});

function limitsFor({ scaleX, shiftX, scaleY, shiftY, gain, offset, curve }: Alignment): Limits {
  const isCropped = [scaleX - 1, scaleY - 1, shiftX, shiftY].some((change) => Math.abs(change) > 2 * leastCrop);
  const isToned = [gain - 1, curve].some((change) => Math.abs(change) > leastGain) || Math.abs(offset) > leastOffset;
  return isCropped || isToned ? limits.altered : limits.plain;
}

function isSamePlane(expected: Float32Array, plane: Plane, squares: Limits): boolean {
  const { correlation, deviation } = compare(expected, plane.values);
  const most = compressionLevels + contrastShare * deviation;
  return (
    correlation >= leastCorrelation &&
    squares.every(({ reach, luma }) => !differSomewhere(expected, plane, reach, Math.min(luma, most)))
  );
}

/** Colours are differences from brightness, which grow with it, around what stands for grey. */
function hasSameColours(first: Picture, second: Picture, alignment: Alignment): boolean {
  const coloured = { ...alignment, offset: neutral * (1 - alignment.gain), curve: 0 };
  const isSame = (a: Plane, b: Plane): boolean => {
    const expected = predicted(a, b, coloured);
    return limitsFor(alignment).every(({ reach, colour }) => !differSomewhere(expected, b, reach, colour));
  };
  return isSame(first.blue, second.blue) && isSame(first.red, second.red);
}

/** Whether the means of some square, which reaches so far from its middle, differ by more than `most`. */
function differSomewhere(expected: Float32Array, { side, values }: Plane, reach: number, most: number): boolean {
  const limit = most * (2 * reach + 1) ** 2;
  for (let y = reach; y < side - reach; y += reach)
    for (let x = reach; x < side - reach; x += reach) {
      let difference = 0;
      for (let row = y - reach; row <= y + reach; row++)
        for (let at = row * side + x - reach; at <= row * side + x + reach; at++)
          difference += values[at] - expected[at];
      // Not so where it is NaN: there the first picture does not reach.
      if (Math.abs(difference) > limit) return true;
    }
  return false;
}

/** The correlation of two pictures where both are known, and the standard deviation of the second one. */
function compare(a: Float32Array, b: Float32Array): { correlation: number; deviation: number } {
  let count = 0;
  let sumA = 0;
  let sumB = 0;
  let squaresA = 0;
  let squaresB = 0;
  let products = 0;
  for (let at = 0; at < a.length; at++) {
    if (Number.isNaN(a[at])) continue;
    count++;
    sumA += a[at];
    sumB += b[at];
    squaresA += a[at] ** 2;
    squaresB += b[at] ** 2;
    products += a[at] * b[at];
  }
  const varianceA = Math.max(0, squaresA / count - (sumA / count) ** 2);
  const varianceB = Math.max(0, squaresB / count - (sumB / count) ** 2);
  const spread = Math.sqrt(varianceA * varianceB);
  const covariance = products / count - (sumA * sumB) / count ** 2;
  return { correlation: spread > 0 ? covariance / spread : 0, deviation: Math.sqrt(varianceB) };
}
