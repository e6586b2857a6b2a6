/** How clear the clusters are, in a sentence. */
import type { Evaluation } from "../metrics/external.ts";
import { percent } from "../numeric/format.ts";

/** Against labels: ACC and NMI. */
export function clarityByLabels({ acc, nmi }: Pick<Evaluation, "acc" | "nmi">): string {
  const verdict =
    acc >= 0.9
      ? "The clusters follow the labels closely"
      : acc >= 0.7
        ? "The clusters follow the labels, with some mixing"
        : acc >= 0.5
          ? "The clusters follow the labels in part"
          : "The clusters are sorted by something other than the labels";
  return `${verdict}: ${percent(acc)} of the images are in the cluster that stands for their label (ACC ${acc.toFixed(3)}, NMI ${nmi.toFixed(3)}). The labels were used to measure, never to cluster.`;
}

/** Without labels: the silhouette, by the limits of Kaufman and Rousseeuw (1990). */
export function clarityBySilhouette(silhouette: number): string {
  const verdict =
    silhouette > 0.7
      ? "The clusters are clearly separated"
      : silhouette > 0.5
        ? "The clusters are well separated, with some images between them"
        : silhouette > 0.25
          ? "The clusters can be told apart, but many images lie between them"
          : "The clusters run into each other: take them as a rough sorting";
  return `${verdict}. Their silhouette is ${silhouette.toFixed(2)}: 1 would mean that every image is far nearer to its own cluster than to the next one, 0 that it is as near to both.`;
}
