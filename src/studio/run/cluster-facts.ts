/** What there is to say of each cluster, from one look at all images. */
import { plainColour } from "../../figures/colours.ts";
import type { Decided } from "../../runs/decisions/fold-decisions.ts";
import type { ClusterFacts } from "../api.ts";
import type { RunTable } from "./run-table.ts";

const mostTypical = 12;

/** All images, the highest score first; images with equal scores in their order. */
export const byScore = ({ scores }: RunTable): Int32Array =>
  Int32Array.from(scores.keys()).sort((a, b) => scores[b] - scores[a] || a - b);

/** `ranked`: all images by score. */
export function clusterFacts(decided: Decided, table: RunTable, ranked: Int32Array, k: number): ClusterFacts[] {
  const sums = new Float64Array(decided.nextCluster);
  const typical = Array.from({ length: decided.nextCluster }, (): number[] => []);
  for (const image of ranked) {
    const cluster = decided.cluster[image];
    if (cluster < 0) continue;
    sums[cluster] += table.scores[image];
    if (typical[cluster].length < mostTypical) typical[cluster].push(image);
  }
  return decided.clusters.map(({ cluster, size, ...rest }) => ({
    cluster,
    colour: plainColour(cluster, k),
    size,
    ...(size === 0 ? {} : { meanScore: sums[cluster] / size }),
    typical: typical[cluster],
    ...rest,
  }));
}
