/** The images that belong nowhere, the least belonging first. */
import { counted, percent, whole } from "../numeric/format.ts";
import { html } from "./html.ts";
import { clusterMark, imageList } from "./image-list.ts";
import { boxFor } from "./pictures.ts";
import type { Section } from "./section.ts";
import type { Subject } from "./subject.ts";
import { isNone } from "./typical.ts";

const mostImages = 72;
const mostPixels = 1_500_000;

/** Undefined where there are none, and where nobody looked. */
export async function belongsNowhereSection(subject: Subject): Promise<Section | undefined> {
  const { dataset, run, certain, shown: clusters } = subject;
  const belongingOf = (image: number): number => run.assignments[image].belonging ?? 0;
  const aside = Array.from({ length: dataset.count }, (_, image) => image)
    .filter((image) => isNone(subject, image))
    .sort((a, b) => belongingOf(a) - belongingOf(b) || a - b);
  if (aside.length === 0) return undefined;
  const shown = aside.slice(0, mostImages);
  const images = shown.map((image) => ({
    image,
    caption: html`${belongingOf(image).toFixed(1).replace("-", "−")}<br>${clusterMark(certain.assignments[image], clusters.k)}`,
  }));
  return {
    id: "none",
    title: "Belongs nowhere",
    body: html`<p>${explanation(aside.length, dataset.count)} Below each is how well it belongs, where 0 is usual, and the cluster that the model gives it all the same: sizes and metrics count it there.</p>
${await imageList(subject, images, boxFor(dataset.image, shown.length, mostPixels))}
${aside.length > shown.length ? html`<p>${whole(aside.length - shown.length)} more are marked in <code>assignments.csv</code>.</p>` : undefined}`,
  };
}

const explanation = (aside: number, count: number): string =>
  `${counted(aside, "image")} (${percent(aside / count)}) ${aside === 1 ? "is" : "are"} far from all other images, as the method was given them; the farthest come first.`;
