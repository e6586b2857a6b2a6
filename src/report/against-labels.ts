/** The clusters against the labels: which cluster stands for which label, and confident disagreements. */
import { confusionFigure } from "../figures/confusion.ts";
import { selectMistakes } from "../figures/mistakes.ts";
import { shortName } from "../numeric/format.ts";
import { Html, html } from "./html.ts";
import { imageList } from "./image-list.ts";
import { boxFor } from "./pictures.ts";
import { type Section, scrollingFigure } from "./section.ts";
import type { Subject } from "./subject.ts";

const mostMistakes = 36;
const threshold = 0.6;
const mostPixels = 1_500_000;
/** Longer labels are shortened. */
const longestName = 14;

export async function againstLabelsSection(subject: Subject): Promise<Section | undefined> {
  const { labels, certain } = subject;
  if (labels === undefined) return undefined;
  const matrix = confusionFigure({ truth: labels.values, predicted: certain.assignments, names: labels.names });
  return {
    id: "labels",
    title: "Against the labels",
    body: html`<p>Rows are labels, columns clusters; each cluster is in the column of the label that it is matched with, so that agreement is on the framed diagonal.</p>
${scrollingFigure(new Html(matrix))}
${await mistakes(subject)}`,
  };
}

async function mistakes(subject: Subject): Promise<Html | undefined> {
  const { labels, certain } = subject;
  if (labels === undefined) return undefined;
  const found = selectMistakes({ ...certain, labels: labels.values, threshold, most: mostMistakes });
  if (found.length === 0) return undefined;
  const name = (label: number | undefined): string =>
    label === undefined ? "–" : shortName(labels.names[label], longestName);
  const listed = found.map(({ image, label, mapped }) => ({
    image,
    caption: html`${name(mapped)}<br><del>${name(label)}</del>`,
  }));
  return html`<h3>Sure, but not as labelled</h3>
<p>Images with high scores for a cluster that stands for another label. Below each image are the label of its cluster and, struck out, its own. Some labels may well be wrong.</p>
${await imageList(subject, listed, boxFor(subject.dataset.image, listed.length, mostPixels))}
`;
}
