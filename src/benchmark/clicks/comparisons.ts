/** What others make of the same answers in the same features, without training. */
import { nearestNeighbours } from "../../clustering/neighbours.ts";
import { sessionOptions } from "../../engine/session.ts";
import type { SeenImages } from "../../methods/dbc/learned.ts";
import { clusterNumbers, renumbered } from "../../methods/dbc/refined-clusters.ts";
import type { MethodOptions } from "../../methods/method.ts";
import type { DecidedConstraints } from "../../runs/decisions/constraints.ts";
import { constrainedKMeans } from "./constrained-k-means.ts";
import { largestShares, propagateLabels, propagationNeighbours } from "./label-propagation.ts";

export const comparisonNames = ["label propagation", "constrained k-means"] as const;
export type ComparisonName = (typeof comparisonNames)[number];

/** The clusters of all images, by each. */
export type Compare = (constraints: DecidedConstraints) => Readonly<Record<ComparisonName, Int32Array>>;

export async function comparisonsIn(
  { joint }: Pick<SeenImages, "joint">,
  options: Pick<MethodOptions, "threads" | "signal">,
): Promise<Compare> {
  const neighbours = await nearestNeighbours(joint, {
    neighbours: Math.min(propagationNeighbours, joint.rows - 1),
    signal: options.signal,
    ...sessionOptions(options),
  });
  return (constraints) => {
    const numbers = clusterNumbers(constraints.decided);
    const k = numbers.size;
    const known = renumbered(constraints.known, numbers);
    const decided = renumbered(constraints.decided.cluster, numbers);
    const propagated = largestShares(propagateLabels(neighbours, known, { k }), k);
    return {
      // Where no label arrives the model's own cluster is better than any other guess.
      "label propagation": propagated.map((label, image) => (label < 0 ? decided[image] : label)),
      "constrained k-means": constrainedKMeans(joint, known, decided, { k }),
    };
  };
}
