/** Datasets one after another as one, and a dataset without some of its images. */
import { createHash } from "node:crypto";
import { type Dataset, selectImages } from "./dataset.ts";
import { pixelCount } from "./image.ts";

/** The fingerprint of images and those that follow them. */
export const joinedFingerprint = (before: string, after: string): string =>
  createHash("sha256").update(`${before}\n${after}`).digest("hex");

/** Of one image size. Name and origin are those of the first. Images that are no files are called by their place in all. */
export function joinDatasets([first, ...others]: readonly [Dataset, ...Dataset[]]): Dataset {
  if (others.length === 0) return first;
  const parts = [first, ...others];
  const starts = [0];
  for (const part of parts) starts.push(starts[starts.length - 1] + part.count);
  const pixels = pixelCount(first.image);
  const areFiles = first.origin.fit !== undefined;
  const partOf = (index: number): number => starts.findLastIndex((start) => start <= index);
  return {
    ...first,
    count: starts[parts.length],
    skipped: parts.flatMap(({ skipped }) => skipped),
    labels: undefined,
    fingerprint: parts.map(({ fingerprint }) => fingerprint).reduce(joinedFingerprint),
    itemName: (index) => (areFiles ? parts[partOf(index)].itemName(index - starts[partOf(index)]) : String(index)),
    read(indices, target) {
      for (const [number, part] of parts.entries()) {
        const places = placesWithin(indices, starts[number], starts[number + 1]);
        if (places.length === 0) continue;
        const values = new Float32Array(places.length * pixels);
        part.read(
          places.map((place) => indices[place] - starts[number]),
          values,
        );
        places.forEach((place, at) => {
          target.set(values.subarray(at * pixels, (at + 1) * pixels), place * pixels);
        });
      }
    },
    close() {
      for (const part of parts) part.close();
    },
  };
}

const placesWithin = (indices: ArrayLike<number>, start: number, end: number): number[] =>
  Array.from({ length: indices.length }, (_, place) => place).filter(
    (place) => indices[place] >= start && indices[place] < end,
  );

/** Without the images at these places. */
export function withoutImages(dataset: Dataset, leftOut: readonly number[]): Dataset {
  if (leftOut.length === 0) return dataset;
  const absent = new Set(leftOut);
  const kept = Uint32Array.from({ length: dataset.count }, (_, image) => image).filter((image) => !absent.has(image));
  return {
    ...dataset,
    ...selectImages(dataset, kept),
    labels: undefined,
    fingerprint: createHash("sha256").update(`${dataset.fingerprint}\nwithout ${leftOut.join()}`).digest("hex"),
  };
}
