/** The clusters against the labels: what stands for what, and where they disagree for sure. */
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
/** A label that is not in one word or two is cut. */
const longestName = 14;

export async function againstLabelsSection(subject: Subject): Promise<Section | undefined> {
  const { labels, certain } = subject;
  if (labels === undefined) return undefined;
  const matrix = confusionFigure({ truth: labels.values, predicted: certain.assignments, names: labels.names });
  return {
    id: "labels",
    title: "Against the labels",
    body: html`<p>Rows are labels, columns clusters; each cluster stands in the column of the label that it is matched with, so that what agrees is framed.</p>
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
  return html`<h3>Sure, and not as labelled</h3>
<p>High scores for a cluster that stands for another label. Below each image what its cluster stands for, and its own label struck out. Some labels may well be wrong.</p>
${await imageList(subject, listed, boxFor(subject.dataset.image, listed.length, mostPixels))}
`;
}
