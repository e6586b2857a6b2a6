/**
 * Which pictures may be crops of others: a coarse look at every pair, so cheap that there may be very many pairs.
 *
 * Of each picture, the descriptions of many crops of it are known: the lowest product of one of these with the whole says
 * how like it another picture must be at least to be one of its crops. Of those that are as like it as that, the ones
 * that are very like one of its crops are candidates.
 */
import { AlikeFinder } from "./alike.ts";
import { describe, descriptionLength, product, SummedPlane, type Window, wholePicture } from "./description.ts";
import type { Plane } from "./plane.ts";

/** Cut off at each side, as shares of it: of crops up to 0.05, none is further than 0.0125 from one of these. */
const cuts = [0.0125, 0.0375];
/** What is lost grows with the square of what is cut off: from 0.0375 to 0.05, nearly twofold. */
const growth = 2;

/** Descriptions lose a little when a picture is compressed, shrunk or brightened. */
const slack = 0.05;

/** Of the crop that is nearest, and of the whole where there are no crops; what is below shows something else. */
const [leastLikeness, leastOfWhole] = [0.95, 0.985];

/** The whole comes first. */
const windows: readonly Window[] = [
  wholePicture,
  ...cuts.flatMap((left) =>
    cuts.flatMap((right) =>
      cuts.flatMap((top) => cuts.map((bottom) => ({ left, right: 1 - right, top, bottom: 1 - bottom }))),
    ),
  ),
];

/** What is looked at of a picture. */
export interface Looked {
  readonly luma: Plane;
  /** Whether crops of it are looked for. Where it is small, what was cut off would be a pixel or two. */
  readonly hasCrops: boolean;
}

export interface Candidate {
  readonly crop: number;
  /** The part of the whole that the crop may show; it may be all of it. */
  readonly window: Window;
}

/** Pictures that are looked at together: what they are compared with is then read once for all. */
export const picturesAtOnce = 64;

export class CropFinder {
  readonly #look: (picture: number) => Looked;
  readonly #descriptions: AlikeFinder;
  /** How like it a picture must be at least to be a crop of it. */
  readonly #least: Float32Array;
  readonly #hasCrops: Uint8Array;

  constructor(count: number, look: (picture: number) => Looked) {
    this.#look = look;
    this.#descriptions = new AlikeFinder(count, descriptionLength);
    this.#least = new Float32Array(count);
    this.#hasCrops = new Uint8Array(count);
    for (let picture = 0; picture < count; picture++) {
      const { luma, hasCrops } = look(picture);
      const crops = describeWindows(luma, hasCrops ? windows : [wholePicture]);
      this.#descriptions.description(picture).set(crops[0]);
      this.#hasCrops[picture] = hasCrops ? 1 : 0;
      this.#least[picture] = hasCrops ? leastOf(crops) : leastOfWhole;
    }
  }

  /** For each picture from `from` up to `to`, one after another, those that may be crops of it. */
  *candidates(
    from: number,
    to: number,
  ): Generator<{ readonly whole: number; readonly candidates: readonly Candidate[] }> {
    const alike = this.#descriptions.alike(from, to, (picture) => this.#least[picture]);
    for (let whole = from; whole < to; whole++) yield { whole, candidates: this.#among(whole, alike[whole - from]) };
  }

  #among(whole: number, others: readonly number[]): readonly Candidate[] {
    const pictures = others.filter((other) => this.#isOpen(whole, other));
    if (pictures.length === 0) return [];
    const crops = this.#hasCrops[whole] ? describeWindows(this.#look(whole).luma, windows) : [this.#of(whole)];
    return pictures.flatMap((crop) => {
      const small = !this.#hasCrops[crop];
      const { index, likeness } = nearestTo(this.#of(crop), small ? crops.slice(0, 1) : crops);
      return likeness >= (small ? leastOfWhole : leastLikeness) ? [{ crop, window: windows[index] }] : [];
    });
  }

  /** Two of which neither has crops are looked at once; one that has none is a copy of one that has, not the reverse. */
  #isOpen(whole: number, other: number): boolean {
    if (whole === other) return false;
    return this.#hasCrops[whole] === 1 || (this.#hasCrops[other] === 0 && other > whole);
  }

  #of(picture: number): Float32Array {
    return this.#descriptions.description(picture);
  }
}

function describeWindows(plane: Plane, parts: readonly Window[]): readonly Float32Array[] {
  const summed = new SummedPlane(plane);
  return parts.map((part) => {
    const description = new Float32Array(descriptionLength);
    describe(summed, part, description);
    return description;
  });
}

function leastOf([whole, ...crops]: readonly Float32Array[]): number {
  return 1 - growth * (1 - Math.min(...crops.map((crop) => product(whole, crop)))) - slack;
}

function nearestTo(description: Float32Array, crops: readonly Float32Array[]): { index: number; likeness: number } {
  let nearest = { index: 0, likeness: Number.NEGATIVE_INFINITY };
  for (const [index, crop] of crops.entries()) {
    const likeness = product(crop, description);
    if (likeness > nearest.likeness) nearest = { index, likeness };
  }
  return nearest;
}
