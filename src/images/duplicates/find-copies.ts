/**
 * Which pictures are copies of which, in stacks. A stack is one picture and all that are shown to be copies of this one,
 * not of another copy: so it cannot wander from picture to picture as a burst goes on.
 */
import { CropFinder, picturesAtOnce } from "./crops.ts";
import { isSamePicture, smallestCropped } from "./same-picture.ts";
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

/** Stacks of two or more, in the order of their best. Of equally good ones, the first is the best. */
export async function findCopies(thumbnails: readonly Thumbnail[], options: FindOptions = {}): Promise<CopyStack[]> {
  const contents = byContent(thumbnails);
  const same = await samePictures(
    contents.map(([first]) => thumbnails[first]),
    options,
  );
  const files = same.map((others, content) =>
    others.reduce((sum, other) => sum + contents[other].length, contents[content].length),
  );
  const isTaken = new Uint8Array(contents.length);
  const stacks: CopyStack[] = [];
  // Those with the most copies first: a picture rather than a crop of it, which another crop may not be like.
  for (const centre of [...contents.keys()].sort((a, b) => files[b] - files[a] || a - b)) {
    if (isTaken[centre]) continue;
    const members = [centre, ...same[centre].filter((content) => !isTaken[content])];
    for (const member of members) isTaken[member] = 1;
    const pictures = members.flatMap((member) => contents[member]);
    if (pictures.length > 1) stacks.push(stackOf(pictures, thumbnails));
  }
  return stacks.sort((a, b) => a.best - b.best);
}

/** The pictures that have the same bytes, in order: any one of them stands for the others. */
function byContent(thumbnails: readonly Thumbnail[]): readonly number[][] {
  const contents = new Map<string, number[]>();
  for (const [picture, { digest }] of thumbnails.entries()) {
    const same = contents.get(digest);
    if (same === undefined) contents.set(digest, [picture]);
    else same.push(picture);
  }
  return [...contents.values()];
}

/** For each picture the others that are the same, in order. */
async function samePictures(
  thumbnails: readonly Thumbnail[],
  { signal, onProgress }: FindOptions,
): Promise<readonly number[][]> {
  const same = thumbnails.map(() => new Set<number>());
  const finder = new CropFinder(thumbnails.length, (picture) => {
    const { luma, shortestSide } = thumbnails[picture].picture();
    return { luma, hasCrops: shortestSide >= smallestCropped };
  });
  for (let from = 0; from < thumbnails.length; from += picturesAtOnce) {
    const to = Math.min(thumbnails.length, from + picturesAtOnce);
    for (const { whole, candidates } of finder.candidates(from, to)) {
      await breathe();
      signal?.throwIfAborted();
      for (const { crop, window } of candidates) {
        if (same[whole].has(crop)) continue;
        if (!isSamePicture(thumbnails[whole].picture(), thumbnails[crop].picture(), window)) continue;
        same[whole].add(crop);
        same[crop].add(whole);
      }
      onProgress?.(whole + 1, thumbnails.length);
    }
  }
  return same.map((others) => [...others].sort((a, b) => a - b));
}

/** Others may work meanwhile, and an abort be noticed. */
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function stackOf(members: readonly number[], thumbnails: readonly Thumbnail[]): CopyStack {
  const [best, ...others] = members.toSorted((a, b) => byQuality(thumbnails[a], thumbnails[b]) || a - b);
  const kindOf = (picture: number): CopyKind =>
    thumbnails[picture].digest === thumbnails[best].digest ? "exact" : "near";
  return { best, copies: others.sort((a, b) => a - b).map((picture) => ({ picture, kind: kindOf(picture) })) };
}

/** The largest first, then the sharpest. */
const byQuality = (a: Thumbnail, b: Thumbnail): number =>
  b.width * b.height - a.width * a.height || b.sharpness - a.sharpness;
