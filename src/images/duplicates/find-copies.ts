/**
 * Which pictures are copies of which, in stacks. A stack is one picture and all that are shown to be copies of this one,
 * not of another copy: so it cannot wander from picture to picture as a burst goes on.
 */
import { CropFinder } from "./crops.ts";
import { isSamePicture } from "./same-picture.ts";
import type { Thumbnail } from "./thumbnail.ts";

export type CopyKind = "exact" | "near";

export interface Copy {
  /** Which of the thumbnails. */
  readonly picture: number;
  /** "exact": the same bytes. */
  readonly kind: CopyKind;
}

export interface CopyStack {
  readonly best: number;
  readonly copies: readonly Copy[];
}

export interface FindOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Pictures between two breaths, in which others may work and an abort be noticed. */
const picturesPerBreath = 50;

/** Stacks of two or more, in the order of their best. Of equally good ones, the first is the best. */
export async function findCopies(thumbnails: readonly Thumbnail[], options: FindOptions = {}): Promise<CopyStack[]> {
  const copies = await samePictures(thumbnails, options);
  const isTaken = new Uint8Array(thumbnails.length);
  const stacks: CopyStack[] = [];
  // Those with the most copies first: a picture rather than a crop of it, which another crop may not be like.
  for (const centre of [...copies.keys()].sort((a, b) => copies[b].length - copies[a].length || a - b)) {
    if (isTaken[centre]) continue;
    const members = [centre, ...copies[centre].filter((picture) => !isTaken[picture])];
    for (const member of members) isTaken[member] = 1;
    if (members.length > 1) stacks.push(stackOf(members, thumbnails));
  }
  return stacks.sort((a, b) => a.best - b.best);
}

/** For each picture those that are the same, in order. */
async function samePictures(
  thumbnails: readonly Thumbnail[],
  { signal, onProgress }: FindOptions,
): Promise<readonly number[][]> {
  const exact = byDigest(thumbnails);
  const finder = new CropFinder(thumbnails.length, (picture) => thumbnails[picture].picture().luma);
  const same = thumbnails.map((): number[] => []);
  for (const picture of thumbnails.keys()) {
    if (picture % picturesPerBreath === 0) await breathe();
    signal?.throwIfAborted();
    const found = new Set(exact.get(thumbnails[picture].digest)?.filter((other) => other > picture));
    for (const other of sameAs(picture, found, thumbnails, finder)) {
      same[picture].push(other);
      same[other].push(picture);
    }
    onProgress?.(picture + 1, thumbnails.length);
  }
  return same;
}

const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The pictures that have each content, in order. */
function byDigest(thumbnails: readonly Thumbnail[]): ReadonlyMap<string, readonly number[]> {
  const pictures = new Map<string, number[]>();
  for (const [picture, { digest }] of thumbnails.entries()) {
    const same = pictures.get(digest);
    if (same === undefined) pictures.set(digest, [picture]);
    else same.push(picture);
  }
  return pictures;
}

/** Later ones that are the same picture, in order; those that have been found are among them. */
function sameAs(
  picture: number,
  found: Set<number>,
  thumbnails: readonly Thumbnail[],
  finder: CropFinder,
): Iterable<number> {
  const isOpen = (other: number): boolean => other > picture && !found.has(other);
  for (const { whole, crop, window } of finder.candidates(picture, isOpen)) {
    const other = whole === picture ? crop : whole;
    if (!found.has(other) && isSamePicture(thumbnails[whole].picture(), thumbnails[crop].picture(), window))
      found.add(other);
  }
  return [...found].sort((a, b) => a - b);
}

function stackOf(members: readonly number[], thumbnails: readonly Thumbnail[]): CopyStack {
  const [best, ...others] = members.toSorted((a, b) => byQuality(thumbnails[a], thumbnails[b]) || a - b);
  const kindOf = (picture: number): CopyKind =>
    thumbnails[picture].digest === thumbnails[best].digest ? "exact" : "near";
  return { best, copies: others.sort((a, b) => a - b).map((picture) => ({ picture, kind: kindOf(picture) })) };
}

/** The largest first, then the sharpest. */
const byQuality = (a: Thumbnail, b: Thumbnail): number =>
  b.width * b.height - a.width * a.height || b.sharpness - a.sharpness;
