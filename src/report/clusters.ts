/** The clusters as galleries: one card per cluster. */

import { groupColours } from "../figures/colours.ts";
import type { ClusterRow } from "../figures/gallery.ts";
import { counted, percent, scoreText } from "../numeric/format.ts";
import { type Html, html } from "./html.ts";
import { imageList } from "./image-list.ts";
import { levelsControl } from "./levels.ts";
import { boxFor } from "./pictures.ts";
import type { Section } from "./section.ts";
import type { Subject } from "./subject.ts";
import { typicalRows } from "./typical.ts";

/** More cards would not help; the largest clusters have one. */
const mostCards = 400;
/** The approximate number of images on all cards together. */
const imagesShared = 2400;
const mostImages = 12;
const fewestImages = 4;
const mostPixels = 5_000_000;

export async function clustersSection(subject: Subject): Promise<Section> {
  const { k, titles } = subject.shown;
  const count = Math.max(fewestImages, Math.min(mostImages, Math.floor(imagesShared / k)));
  const stacks = new Map(subject.stacks.map((members) => [members[0].image, members.length]));
  const copies = new Set(subject.stacks.flatMap(([, ...others]) => others.map(({ image }) => image)));
  // A copy has its picture's score: each would stand beside it.
  const rows = typicalRows(subject, count + mostCopies(subject)).map((row) => ({
    ...row,
    typical: row.typical.filter(({ image }) => !copies.has(image)).slice(0, count),
  }));
  const shown = shownClusters(rows);
  const box = boxFor(subject.dataset.image, shown.length * count, mostPixels);
  const colours = groupColours(k);
  const labels = frequentLabels(subject);
  const cards = await Promise.all(
    shown.map(async (row) => {
      const images = await imageList(
        subject,
        row.typical.map(({ image }) => ({ image, ...badgeOf(stacks.get(image)) })),
        box,
      );
      return card(row, {
        title: titles[row.cluster],
        colour: colours[row.cluster],
        label: labels?.[row.cluster],
        images,
      });
    }),
  );
  return {
    id: "clusters",
    title: "The clusters",
    body: html`<p>Each cluster with its most typical images, those with the highest scores. The numbers are those in <code>assignments.csv</code>.</p>
${await levelsControl(subject)}<div class="cards">${cards}</div>
${omitted(subject.run.decided === undefined ? rows : rows.filter(({ size }) => size > 0), shown.length)}`,
  };
}

/** Of all stacks of one cluster together, in the cluster that has the most. */
function mostCopies({ stacks, shown: { k, assignments } }: Subject): number {
  const counts = new Array<number>(k).fill(0);
  for (const [best, ...copies] of stacks) counts[assignments[best.image]] += copies.length;
  return counts.reduce((a, b) => Math.max(a, b), 0);
}

const badgeOf = (size: number | undefined): { badge?: string } => (size === undefined ? {} : { badge: `×${size}` });

/** The clusters that have images, by number; if there are very many, the largest. */
function shownClusters(rows: readonly ClusterRow[]): ClusterRow[] {
  const filled = rows.filter(({ size }) => size > 0);
  if (filled.length <= mostCards) return filled;
  const largest = filled.toSorted((a, b) => b.size - a.size || a.cluster - b.cluster).slice(0, mostCards);
  return largest.sort((a, b) => a.cluster - b.cluster);
}

function omitted(rows: readonly ClusterRow[], shown: number): Html | undefined {
  const empty = rows.filter(({ size }) => size === 0);
  const small = rows.length - empty.length - shown;
  const parts = [
    ...(small > 0 ? [`${counted(small, "smaller cluster")} ${small === 1 ? "is" : "are"} not shown.`] : []),
    ...(empty.length > 0
      ? [`${counted(empty.length, "cluster")} ended empty: ${empty.map(({ cluster }) => cluster).join(", ")}.`]
      : []),
  ];
  return parts.length === 0 ? undefined : html`<p>${parts.join(" ")}</p>`;
}

interface FrequentLabel {
  readonly name: string;
  /** Its share of the cluster's images. */
  readonly share: number;
}

interface CardParts {
  readonly title: string;
  readonly colour: string;
  readonly label: FrequentLabel | undefined;
  readonly images: Html;
}

function card({ cluster, size, meanScore }: ClusterRow, { title, colour, label, images }: CardParts): Html {
  return html`<article class="card" id="cluster-${cluster}">
<header>
<h3><i class="dot" style="background:${colour}"></i>${title}</h3>
<a class="to-map" href="#map" data-cluster="${cluster}">on the map</a>
</header>
<p>${counted(size, "image")}, mean score ${scoreText(meanScore)}${label === undefined ? undefined : html`<br>${percent(label.share)} are labelled <b>${label.name}</b>`}</p>
${label === undefined ? undefined : html`<div class="share"><i style="width:${(100 * label.share).toFixed(1)}%;background:${colour}"></i></div>`}
${images}
</article>
`;
}

/** The most frequent label of each cluster that has images. */
function frequentLabels({ labels, shown: { k, assignments } }: Subject): (FrequentLabel | undefined)[] | undefined {
  if (labels === undefined) return undefined;
  const counts = Array.from({ length: k }, () => new Uint32Array(labels.names.length));
  labels.values.forEach((label, image) => {
    counts[assignments[image]][label]++;
  });
  return counts.map((row) => {
    const total = row.reduce((a, b) => a + b, 0);
    const most = row.reduce((a, b) => Math.max(a, b), 0);
    return total === 0 ? undefined : { name: labels.names[row.indexOf(most)], share: most / total };
  });
}
