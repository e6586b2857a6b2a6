/**
 * Smoothing, an addition to the end of stage II: of images that look alike, most are right. What the network says of each
 * is weighed with what it says of its neighbours, in features of the auto-encoder and of the network side by side.
 */
import { mostLandmarks, neighboursFor } from "../../clustering/graph-clusters.ts";
import { type NeighbourGraph, neighbourGraph } from "../../clustering/neighbour-graph.ts";
import { nearestNeighbours } from "../../clustering/neighbours.ts";
import { smoothScores } from "../../clustering/smoothed-scores.ts";
import { sharedOptions } from "../../engine/ranks/collective.ts";
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

/** `before`: the auto-encoder's features, if there is one. */
export async function jointGraph(
  before: Matrix | undefined,
  features: Matrix,
  options: MethodOptions,
): Promise<JointGraph> {
  const joint = before === undefined ? features : sideBySide(before, features);
  const neighbours = neighboursFor(joint.rows, options.k);
  const { signal } = options;
  const graph = neighbourGraph(await nearestNeighbours(joint, { neighbours, signal, ...sharedOptions(options) }));
  return { joint, graph };
}

export interface Smoothing {
  /** The share of an image's scores that comes from its neighbours. */
  readonly share: number;
  /** The auto-encoder's features, if there is one. */
  readonly before: () => Promise<Matrix | undefined>;
}

/**
 * A result whose scores and clusters are smoothed; its model stays what it is. The same result where nothing is smoothed:
 * by choice, or of more images than are linked.
 */
export async function smoothedFit(
  fitted: Fitted,
  { share, before }: Smoothing,
  options: MethodOptions,
): Promise<Fitted> {
  const { k, assignments, features } = fitted;
  const count = assignments.length;
  if (share === 0 || count > mostLandmarks) return fitted;
  const { graph } = await jointGraph(await before(), matrix(features, features.length / count, "features"), options);
  const scores = smoothScores(graph, fitted.scores, { k, share });
  return { ...fitted, scores, assignments: hardAssignments(scores, k) };
}
