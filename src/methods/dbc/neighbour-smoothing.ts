/**
 * Smoothing, an addition to the end of stage II: of images that look alike, most are right. What the network says of each
 * is weighed with what it says of its neighbours, in features of the auto-encoder and of the network side by side.
 */
import { neighbourGraphOf } from "../../clustering/graph-clusters.ts";
import type { NeighbourGraph } from "../../clustering/neighbour-graph.ts";
import { type SmoothingOptions, smoothScores } from "../../clustering/smoothed-scores.ts";
import { type Matrix, matrix } from "../../numeric/matrix.ts";
import type { Fitted } from "../../runs/fitted.ts";
import type { MethodOptions } from "../method.ts";
import { hardAssignments } from "../training/assignments.ts";
import { sideBySide } from "./joint-features.ts";

export interface JointGraph {
  /** The auto-encoder's features and the trained network's, side by side; of a run without the first, the second. */
  readonly joint: Matrix;
  readonly graph: NeighbourGraph;
}

export async function jointGraph(
  autoEncoderFeatures: Matrix | undefined,
  features: Matrix,
  options: MethodOptions,
): Promise<JointGraph> {
  const joint = autoEncoderFeatures === undefined ? features : sideBySide([autoEncoderFeatures, features]);
  return { joint, graph: await neighbourGraphOf(joint, options) };
}

/** Smoothed scores; none of the clusters is lost. */
export const smoothedScores = (graph: NeighbourGraph, scores: Float32Array, options: SmoothingOptions): Float32Array =>
  withAllClusters(smoothScores(graph, scores, options), scores, options.k);

/** A cluster of so few images that none would be left keeps those that it has. */
export function withAllClusters(smooth: Float32Array, scores: Float32Array, k: number): Float32Array {
  const left = new Set(hardAssignments(smooth, k));
  const own = hardAssignments(scores, k);
  if (own.every((cluster) => left.has(cluster))) return smooth;
  const kept = smooth.slice();
  own.forEach((cluster, image) => {
    if (!left.has(cluster)) kept.set(scores.subarray(image * k, (image + 1) * k), image * k);
  });
  return kept;
}

export interface Smoothing extends Pick<SmoothingOptions, "share" | "known"> {
  /** If there is an auto-encoder. */
  readonly autoEncoderFeatures: () => Promise<Matrix | undefined>;
}

/** A result whose scores and clusters are smoothed; its model stays what it is. */
export async function smoothedFit(
  fitted: Fitted,
  { autoEncoderFeatures, ...smoothing }: Smoothing,
  options: MethodOptions,
): Promise<Fitted> {
  if (smoothing.share === 0) return fitted;
  const { k } = fitted;
  const { graph } = await jointGraph(await autoEncoderFeatures(), featuresIn(fitted), options);
  const scores = smoothedScores(graph, fitted.scores, { k, ...smoothing });
  return { ...fitted, scores, assignments: hardAssignments(scores, k) };
}

/** Z of the trained network. */
export const featuresIn = ({ features, assignments }: Fitted): Matrix =>
  matrix(features, features.length / assignments.length, "features");
