/** The clusters that a refined run has: those that were decided, in place of those that the model found. */
import type { Decided } from "../../runs/decisions/fold-decisions.ts";

/** Of each cluster that has images, its number in the refined run, from 0 to k − 1. */
export type ClusterNumbers = ReadonlyMap<number, number>;

/** Clusters keep their numbers; where a merge has left a gap, those with the highest numbers fill it. */
export function clusterNumbers({ clusters }: Pick<Decided, "clusters">): ClusterNumbers {
  const present = clusters.filter(({ size }) => size > 0).map(({ cluster }) => cluster);
  const taken = new Set(present);
  const gaps = Array.from(present.keys()).filter((number) => !taken.has(number));
  return new Map(
    present.map((cluster) => [cluster, cluster < present.length ? cluster : (gaps.shift() ?? cluster)] as const),
  );
}

/** Labels in the refined run; −1 stays −1. */
export const renumbered = (clusters: Int32Array, numbers: ClusterNumbers): Int32Array =>
  clusters.map((cluster) => numbers.get(cluster) ?? -1);

/** What the model says of images, [images, k], in the clusters of the refined run: of merged ones the sum. */
export function decidedScores(
  scores: Float32Array,
  { goesTo }: Pick<Decided, "goesTo">,
  numbers: ClusterNumbers,
): Float32Array {
  const before = goesTo.length;
  const places = renumbered(goesTo, numbers);
  const decided = new Float32Array((scores.length / before) * numbers.size);
  scores.forEach((score, index) => {
    const place = places[index % before];
    if (place >= 0) decided[Math.floor(index / before) * numbers.size + place] += score;
  });
  return decided;
}
