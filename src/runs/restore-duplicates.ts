/** Clusters of all images, from those of the distinct ones: a copy has what the picture has that stands for it. */
import { distinctPlaces, type Stack } from "../images/duplicates/stacks.ts";
import type { Fitted } from "./fitted.ts";
import type { SnapshotRecorder } from "./snapshots.ts";

/** Of `count` images, from what a method made of `distinctImages`. */
export function restoreDuplicates(fitted: Fitted, stacks: readonly Stack[], count: number): Fitted {
  if (stacks.length === 0) return fitted;
  const places = distinctPlaces(count, stacks);
  return {
    ...fitted,
    assignments: Int32Array.from(places, (place) => fitted.assignments[place]),
    scores: spread(fitted.scores, fitted.k, places),
    features: spread(fitted.features, fitted.features.length / fitted.assignments.length, places),
  };
}

/** Snapshots of all images, while a method knows only the distinct ones. */
export function restoredSnapshots(
  recorder: SnapshotRecorder,
  stacks: readonly Stack[],
  count: number,
): SnapshotRecorder {
  if (stacks.length === 0) return recorder;
  const places = distinctPlaces(count, stacks);
  const firsts = firstImages(places);
  return {
    wantsFeatures: (epoch) => recorder.wantsFeatures(epoch),
    record: (epoch, { scores, features, k, images }) => {
      if (images !== undefined)
        return recorder.record(epoch, { scores, features, k, images: images.map((place) => firsts[place]) });
      const size = features.length / (scores.length / k);
      recorder.record(epoch, { k, scores: spread(scores, k, places), features: spread(features, size, places) });
    },
  };
}

/** For each place the first image that is there. */
function firstImages(places: Int32Array): Int32Array {
  const firsts = new Int32Array(places.length);
  for (let image = places.length - 1; image >= 0; image--) firsts[places[image]] = image;
  return firsts;
}

/** The rows of [images, size], one for each place. */
function spread(rows: Float32Array, size: number, places: Int32Array): Float32Array {
  const all = new Float32Array(places.length * size);
  places.forEach((place, image) => {
    all.set(rows.subarray(place * size, (place + 1) * size), image * size);
  });
  return all;
}
