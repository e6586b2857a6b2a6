/**
 * Which part of one picture another one shows, and how its brightness changed: found by Gauss-Newton steps on the
 * squared difference of the two, as Lucas and Kanade register images.
 *
 * The second picture at (u, v), each from -1 to 1, is the first one at (scaleX u + shiftX, scaleY v + shiftY), its
 * brightness taken through gain, offset and curve, and cut off at black and white as cameras and editors do.
 */
import type { Plane } from "./plane.ts";
import { sample } from "./plane.ts";

export interface Alignment {
  readonly scaleX: number;
  readonly shiftX: number;
  readonly scaleY: number;
  readonly shiftY: number;
  readonly gain: number;
  readonly offset: number;
  /** How much middle tones are raised, beside black and white: nearly a gamma correction. */
  readonly curve: number;
}

const unknowns = 7;
/** A step of this many half pixels, at the edge of the picture, is the last one. */
const closeEnough = 0.05;

/** Pixels from the edge up to which a picture is known well enough to be compared. */
const margin = 0.25;

export interface RefineOptions {
  /** How far what a picture shows may lie from where the other one shows it, as a share of the side. */
  readonly mostShift: number;
  /** The most steps that are taken. */
  readonly steps: number;
}

/** Better than `start`, at the size of these two; undefined where it leads astray. */
export function refine(
  first: Plane,
  second: Plane,
  start: Alignment,
  { mostShift, steps }: RefineOptions,
): Alignment | undefined {
  const slopes = slopesOf(second);
  let alignment = start;
  for (let step = 0; step < steps; step++) {
    const change = solved(normalEquations(first, second, slopes, alignment));
    if (change === undefined) return undefined;
    alignment = moved(alignment, change);
    if (isAstray(alignment, mostShift)) return undefined;
    if (Math.max(...change.subarray(0, 4).map(Math.abs)) < closeEnough / second.side) break;
  }
  return alignment;
}

/** The first picture as the second one would show it; NaN where the first one does not reach. */
export function predicted(first: Plane, second: Plane, alignment: Alignment): Float32Array {
  const values = overlaid(first, second.side, alignment);
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    const expected = Math.max(0, Math.min(255, toned(value, alignment)));
    values[at] = wasCutOff(value, second.values[at] - expected) ? second.values[at] : expected;
  }
  return values;
}

/** What is white may have been brighter, and what is black darker, before it was cut off: the other picture may know. */
const wasCutOff = (value: number, difference: number): boolean =>
  (value > nearlyWhite && difference > 0) || (value < nearlyBlack && difference < 0);

const [nearlyBlack, nearlyWhite] = [4, 251];

const toned = (value: number, { gain, offset, curve }: Alignment): number =>
  gain * value + offset + curve * arch(value);

/** Zero at black and white. */
const arch = (value: number): number => (value * (255 - value)) / 255;

/** The first picture at the places that the second one's pixels show; NaN where it does not reach. */
function overlaid(first: Plane, side: number, { scaleX, shiftX, scaleY, shiftY }: Alignment): Float32Array {
  const values = new Float32Array(side * side).fill(Number.NaN);
  const last = first.side - 1 + margin;
  for (let row = 0; row < side; row++) {
    const v = (2 * row + 1) / side - 1;
    const y = ((scaleY * v + shiftY + 1) / 2) * first.side - 0.5;
    if (y < -margin || y > last) continue;
    for (let column = 0; column < side; column++) {
      const u = (2 * column + 1) / side - 1;
      const x = ((scaleX * u + shiftX + 1) / 2) * first.side - 0.5;
      if (x >= -margin && x <= last) values[row * side + column] = sample(first, x, y);
    }
  }
  return values;
}

interface Slopes {
  readonly x: Float32Array;
  readonly y: Float32Array;
}

/** Per half of the picture's side, which is the unit of u and v. */
function slopesOf({ side, values }: Plane): Slopes {
  const slopes = { x: new Float32Array(side * side), y: new Float32Array(side * side) };
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++) {
      const at = row * side + column;
      const [left, right] = [Math.max(0, column - 1), Math.min(side - 1, column + 1)];
      const [above, below] = [Math.max(0, row - 1), Math.min(side - 1, row + 1)];
      slopes.x[at] = ((values[row * side + right] - values[row * side + left]) / (right - left)) * (side / 2);
      slopes.y[at] = ((values[below * side + column] - values[above * side + column]) / (below - above)) * (side / 2);
    }
  return slopes;
}

/**
 * [unknowns, unknowns + 1]. The slopes are the second picture's, which near the solution are those of the first one, so
 * that they need no sampling. Where the prediction is cut off, nothing depends on the unknowns.
 */
function normalEquations(first: Plane, second: Plane, slopes: Slopes, alignment: Alignment): Float64Array {
  const width = unknowns + 1;
  const columns = equationsOfPixels(first, second, slopes, alignment);
  const equations = new Float64Array(unknowns * width);
  for (let i = 0; i < unknowns; i++) {
    for (let j = i; j < width; j++) equations[i * width + j] = product(columns[i], columns[j]);
    for (let j = 0; j < i; j++) equations[i * width + j] = equations[j * width + i];
    // Where a picture does not tell, as a plain wall does not, the unknown stays where it is.
    equations[i * width + i] += damping * equations[i * width + i] + 1;
  }
  return equations;
}

/** What each pixel says of the unknowns, and by how much the prediction misses it; zeros where it says nothing. */
function equationsOfPixels(
  first: Plane,
  { side, values }: Plane,
  slopes: Slopes,
  alignment: Alignment,
): readonly Float64Array[] {
  const columns = Array.from({ length: unknowns + 1 }, () => new Float64Array(values.length));
  const [scaleX, shiftX, scaleY, shiftY, gain, offset, curve, missed] = columns;
  const shown = overlaid(first, side, alignment);
  for (let at = 0; at < shown.length; at++) {
    const value = shown[at];
    const expected = toned(value, alignment);
    // Not so where it is NaN: there the first picture does not reach.
    if (!(expected >= 0 && expected <= 255) || wasCutOff(value, values[at] - expected)) continue;
    scaleX[at] = slopes.x[at] * ((2 * (at % side) + 1) / side - 1);
    shiftX[at] = slopes.x[at];
    scaleY[at] = slopes.y[at] * ((2 * Math.floor(at / side) + 1) / side - 1);
    shiftY[at] = slopes.y[at];
    gain[at] = value;
    offset[at] = 1;
    curve[at] = arch(value);
    missed[at] = values[at] - expected;
  }
  return columns;
}

/** By four sums, since an addition waits for the one before it. The length is a multiple of four. */
function product(a: Float64Array, b: Float64Array): number {
  let [first, second, third, fourth] = [0, 0, 0, 0];
  for (let at = 0; at < a.length; at += 4) {
    first += a[at] * b[at];
    second += a[at + 1] * b[at + 1];
    third += a[at + 2] * b[at + 2];
    fourth += a[at + 3] * b[at + 3];
  }
  return first + second + third + fourth;
}

const damping = 1e-3;

/** By Gauss-Jordan elimination with pivots. */
function solved(equations: Float64Array): Float64Array | undefined {
  const width = unknowns + 1;
  const rows = Array.from({ length: unknowns }, (_, i) => equations.subarray(i * width, (i + 1) * width));
  for (let i = 0; i < unknowns; i++) {
    const candidates = rows.slice(i);
    const pivot = candidates.reduce((a, b) => (Math.abs(b[i]) > Math.abs(a[i]) ? b : a));
    if (Math.abs(pivot[i]) < 1e-9) return undefined;
    rows[i + candidates.indexOf(pivot)] = rows[i];
    rows[i] = pivot;
    for (const other of rows) {
      if (other === pivot) continue;
      const factor = other[i] / pivot[i];
      for (let j = i; j < width; j++) other[j] -= factor * pivot[j];
    }
  }
  return Float64Array.from(rows, (row, i) => row[unknowns] / row[i]);
}

const moved = (from: Alignment, change: Float64Array): Alignment => ({
  scaleX: from.scaleX + change[0],
  shiftX: from.shiftX + change[1],
  scaleY: from.scaleY + change[2],
  shiftY: from.shiftY + change[3],
  gain: from.gain + change[4],
  offset: from.offset + change[5],
  curve: from.curve + change[6],
});

/** Shifts and scales are in halves of the side. */
const isAstray = ({ scaleX, shiftX, scaleY, shiftY }: Alignment, mostShift: number): boolean =>
  [scaleX - 1, scaleY - 1, shiftX, shiftY].some((change) => Math.abs(change) > 2 * mostShift);
