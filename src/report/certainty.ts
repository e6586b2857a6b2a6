/** How sure the clustering is: the best score of each image, and the images at both ends. */
import { surestFirst } from "../figures/ranking.ts";
import { portion, scoreText } from "../numeric/format.ts";
import { bestScoresFigure } from "./best-scores-figure.ts";
import { html } from "./html.ts";
import { clusterMark, imageList, type ListedImage } from "./image-list.ts";
import { boxFor } from "./pictures.ts";
import { responsiveFigure, type Section } from "./section.ts";
import type { Subject } from "./subject.ts";

/** The least certain images tell more. */
const shown = { most: 12, least: 24 } as const;
const mostPixels = 1_500_000;

export async function certaintySection(subject: Subject): Promise<Section> {
  const { certainty } = subject.certain;
  const { most, least } = extremes(certainty);
  const box = boxFor(subject.dataset.image, most.length + least.length, mostPixels);
  return {
    id: "certainty",
    title: "How sure it is",
    body: html`<p>${spread(certainty, subject.record.k)}</p>
${responsiveFigure((narrow) => bestScoresFigure(certainty, { width: narrow ? 264 : 680 }))}
<h3>The surest</h3>
<p>Each image with its score and its cluster.</p>
${await imageList(
  subject,
  most.map((image) => surest(subject, image)),
  box,
)}
${
  least.length === 0
    ? undefined
    : html`<h3>The least sure</h3>
<p>Each image with its score and the two clusters it could be in.</p>
${await imageList(
  subject,
  least.map((image) => leastSure(subject, image)),
  box,
)}`
}`,
  };
}

/** The images with the highest and the lowest scores; none is at both ends. */
function extremes(certainty: ArrayLike<number>): { most: number[]; least: number[] } {
  const ranked = Array.from(certainty, (score, image) => ({ image, score }))
    .sort(surestFirst)
    .map(({ image }) => image);
  const most = ranked.slice(0, Math.min(shown.most, Math.ceil(ranked.length / 2)));
  return { most, least: ranked.slice(most.length).slice(-shown.least).reverse() };
}

function surest({ certain, shown }: Subject, image: number): ListedImage {
  const cluster = clusterMark(certain.assignments[image], shown.k);
  return { image, caption: html`${scoreText(certain.certainty[image])}<br>${cluster}` };
}

function leastSure({ run, certain: { certainty }, shown: { k } }: Subject, image: number): ListedImage {
  const { cluster, secondCluster } = run.assignments[image];
  const second = secondCluster === undefined ? undefined : html` ${clusterMark(secondCluster, k)}`;
  return { image, caption: html`${scoreText(certainty[image])}<br>${clusterMark(cluster, k)}${second}` };
}

/** Explains scores, and says how many are high. */
export function spread(certainty: ArrayLike<number>, k: number): string {
  const scores = Array.from(certainty);
  const share = (counts: (score: number) => boolean): string => portion(scores.filter(counts).length / scores.length);
  return `Each image has a score for every cluster; its scores add up to 1, and a random guess would be ${(1 / k).toPrecision(2)}. The best one says how sure its cluster is: ${share((score) => score > 0.9)} of the images have one over 0.9, and ${share((score) => score < 0.5)} one under 0.5.`;
}
