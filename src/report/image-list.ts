/** Rows of images, each with a text for pointers and screen readers, and an optional caption. */
import { groupColours } from "../figures/colours.ts";
import { scoreText, shortName } from "../numeric/format.ts";
import { type Html, type HtmlPart, html } from "./html.ts";
import { imageUri } from "./pictures.ts";
import { imageName, labelOf, type Subject } from "./subject.ts";

export interface ListedImage {
  readonly image: number;
  /** Below the image. */
  readonly caption?: HtmlPart;
  /** On its corner: how many copies there are. */
  readonly badge?: string;
}

export async function imageList(subject: Subject, images: readonly ListedImage[], box: number): Promise<Html> {
  const items = await Promise.all(images.map((listed) => listItem(subject, listed, box)));
  return html`<ul class="images">${items}</ul>`;
}

async function listItem(subject: Subject, { image, caption, badge }: ListedImage, box: number): Promise<Html> {
  const { height, width } = subject.dataset.image;
  const below = caption === undefined ? undefined : html`<span>${caption}</span>`;
  const corner = badge === undefined ? undefined : html`<b class="badge">${badge}</b>`;
  const uri = await imageUri(subject.dataset, image, box);
  return html`<li><img src="${uri}" width="${width}" height="${height}" alt="${shortName(imageName(subject, image))}" title="${describeImage(subject, image)}">${corner}${below}</li>`;
}

/** The number of a cluster, beside its colour. */
export const clusterMark = (cluster: number, k: number): Html =>
  html`<b class="mark"><i class="dot" style="background:${groupColours(k)[cluster]}"></i>${cluster}</b>`;

/** In one line: "a/b.jpg: cluster 3, score 0.98, label dress". */
export function describeImage(subject: Subject, image: number): string {
  const { certain, shown } = subject;
  const label = labelOf(subject, image);
  const cluster = `cluster ${shown.names[shown.assignments[image]]}, score ${scoreText(certain.certainty[image])}`;
  return `${imageName(subject, image)}: ${cluster}${label === undefined ? "" : `, label ${label}`}`;
}
