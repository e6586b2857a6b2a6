/** Smoothing of very many images: landmarks as all images of fewer, the others by the landmarks that they are nearest to. */
import { neighbourGraphOf, neighboursFor } from "../../clustering/graph-clusters.ts";
import { NeighbourCells } from "../../clustering/neighbour-cells.ts";
import { smoothOutside, smoothScores } from "../../clustering/smoothed-scores.ts";
import { sharedOptions } from "../../engine/ranks/collective.ts";
import { gatherRows, type Matrix, selectRows } from "../../numeric/matrix.ts";
import type { Fitted } from "../../runs/fitted.ts";
import type { MethodOptions } from "../method.ts";
import { hardAssignments } from "../training/assignments.ts";
import { sideBySide, unitScale } from "./joint-features.ts";
import { featuresIn, withAllClusters } from "./neighbour-smoothing.ts";

export interface LandmarkSmoothing {
  /** From 0 to less than 1: the share of an image's scores that comes from its neighbours. */
  readonly share: number;
  /** In ascending order. */
  readonly landmarks: Uint32Array;
  /** Those of some images. */
  readonly autoEncoderFeatures: (images: Uint32Array) => Promise<Matrix>;
}

/** Images whose joint features are in memory at a time, beside those of the landmarks. */
const atOnce = 100_000;

export async function smoothedByLandmarks(
  fitted: Fitted,
  { share, landmarks, autoEncoderFeatures }: LandmarkSmoothing,
  options: MethodOptions,
): Promise<Fitted> {
  const { k, scores } = fitted;
  if (share === 0) return fitted;
  const features = featuresIn(fitted);
  const partsOf = async (images: Uint32Array): Promise<readonly Matrix[]> => [
    await autoEncoderFeatures(images),
    selectRows(features, images),
  ];
  const parts = await partsOf(landmarks);
  const scales = parts.map(unitScale);
  const { seed = 0, signal } = options;
  const joint = sideBySide(parts, scales);
  const wanted = { neighbours: neighboursFor(landmarks.length, k), signal, ...sharedOptions(options) };
  const graph = await neighbourGraphOf(joint, options);
  const ofLandmarks = smoothScores(graph, rowsOf(scores, k, landmarks), { k, share });
  const smooth = scores.slice();
  putRows(smooth, k, landmarks, ofLandmarks);
  const others = othersThan(landmarks, features.rows);
  const cells = await NeighbourCells.around(joint, { ...wanted, seed });
  for (let start = 0; start < others.length; start += atOnce) {
    const images = others.subarray(start, start + atOnce);
    const near = await cells.of(sideBySide(await partsOf(images), scales), wanted);
    putRows(smooth, k, images, smoothOutside(rowsOf(scores, k, images), near, ofLandmarks, { k, share }));
  }
  const all = withAllClusters(smooth, scores, k);
  return { ...fitted, scores: all, assignments: hardAssignments(all, k) };
}

const rowsOf = (values: Float32Array, columns: number, images: Uint32Array): Float32Array =>
  gatherRows(values, columns, images, new Float32Array(images.length * columns));

function putRows(target: Float32Array, columns: number, images: Uint32Array, rows: Float32Array): void {
  images.forEach((image, place) => {
    target.set(rows.subarray(place * columns, (place + 1) * columns), image * columns);
  });
}

/** All that are no landmarks, in ascending order. */
function othersThan(landmarks: Uint32Array, count: number): Uint32Array {
  const isLandmark = new Uint8Array(count);
  for (const image of landmarks) isLandmark[image] = 1;
  return Uint32Array.from(isLandmark.keys()).filter((image) => isLandmark[image] === 0);
}
