/** A part of the report. */
import type { Matrix } from "../numeric/matrix.ts";
import { Html, type HtmlPart, html } from "./html.ts";

export interface Section {
  /** What links to it say. */
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}

/** What sections are made with. */
export interface ReportContext {
  /** Points of the map, at most. */
  readonly points: number;
  /** The command that makes the run again, if it is known. */
  readonly command: string | undefined;
  /** Features to places in the plane. */
  readonly embed: Embed;
}

export interface EmbedOptions {
  /** What the map is of, for progress. */
  readonly name: string;
  readonly iterations: number;
  /** Where to begin: [rows, 2]. */
  readonly start?: Float32Array;
}

/** [rows, 2] for [rows, d]. */
export type Embed = (features: Matrix, options: EmbedOptions) => Promise<Float32Array>;

export const renderSection = ({ id, title, body }: Section): Html =>
  html`<section id="${id}">
<h2>${title}</h2>
${body}
</section>
`;

/** A drawing as it is on a wide screen, and on a phone. */
export const responsiveFigure = (draw: (narrow: boolean) => string): Html =>
  html`<div class="on-wide">${figure(new Html(draw(false)))}</div>
<div class="on-narrow" aria-hidden="true">${figure(new Html(draw(true)))}</div>
`;

/** A drawing that is not made smaller: on a phone it scrolls by itself. */
export const scrollingFigure = (
  drawing: HtmlPart,
): Html => html`<div class="scrolling" tabindex="0">${figure(drawing)}</div>
`;

/** A figure with a line below it. */
export const figure = (drawing: HtmlPart, caption?: HtmlPart): Html =>
  html`<figure>${drawing}${caption === undefined ? undefined : html`<figcaption>${caption}</figcaption>`}</figure>
`;
