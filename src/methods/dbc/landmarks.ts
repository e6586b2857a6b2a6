/**
 * Landmarks, an addition for very many images: a random sample that clusters are learned from, since the work of linking
 * grows with its square, and what a network learns with its steps. The auto-encoder still sees all images, and all are
 * scored in the end.
 */
import { chooseLandmarks } from "../../clustering/graph-clusters.ts";
import { constraintsAmong, type SampleConstraints } from "../../clustering/sample-constraints.ts";
import { selectImages } from "../../images/dataset.ts";
import type { SnapshotRecorder } from "../../runs/snapshots.ts";
import type { MethodOptions } from "../method.ts";
import type { TrainingContext } from "../training/training-loop.ts";

export interface LandmarkOptions extends Pick<MethodOptions, "constraints"> {
  /** The most images that need no sample. */
  readonly landmarks: number;
  readonly seed: number;
}

/** In ascending order: all images, or some at random and those that something was said about. */
export function landmarksAmong(count: number, { landmarks, seed, constraints }: LandmarkOptions): Uint32Array {
  const chosen = chooseLandmarks(count, landmarks, seed);
  if (constraints === undefined || chosen.length === count) return chosen;
  return Uint32Array.from(new Set([...chosen, ...mentioned(constraints)])).sort();
}

function mentioned({ known, together, apart }: SampleConstraints): number[] {
  const labelled = Array.from(known.keys()).filter((image) => known[image] >= 0);
  return [...labelled, ...together.flat(), ...apart.flat()];
}

/** The same training, of landmarks alone; whoever looks on hears of them by their places among all images. */
export function contextOf(context: TrainingContext, landmarks: Uint32Array): TrainingContext {
  const { dataset, run, options } = context;
  if (landmarks.length === dataset.count) return context;
  return { dataset: { ...dataset, ...selectImages(dataset, landmarks) }, run, options: optionsFor(options, landmarks) };
}

function optionsFor(
  { evaluate, snapshots, constraints, ...options }: MethodOptions,
  landmarks: Uint32Array,
): MethodOptions {
  const placesOf = (images: Uint32Array | undefined): Uint32Array =>
    images === undefined ? landmarks : images.map((image) => landmarks[image]);
  return {
    ...options,
    ...(evaluate && { evaluate: (assignments, images) => evaluate(assignments, placesOf(images)) }),
    ...(snapshots && { snapshots: recorderOf(snapshots, placesOf) }),
    ...(constraints && { constraints: constraintsAmong(constraints, landmarks) }),
  };
}

const recorderOf = (
  recorder: SnapshotRecorder,
  placesOf: (images: Uint32Array | undefined) => Uint32Array,
): SnapshotRecorder => ({
  wantsFeatures: (epoch) => recorder.wantsFeatures(epoch),
  record: (epoch, source) => recorder.record(epoch, { ...source, images: placesOf(source.images) }),
});
