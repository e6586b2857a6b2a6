/** A part of the report. */
import type { Matrix } from "../numeric/matrix.ts";
import { Html, type HtmlPart, html } from "./html.ts";

export interface Section {
  /** The target of links to it. */
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}

/** What sections need besides the run. */
export interface ReportContext {
  /** The most points of the map. */
  readonly points: number;
  /** The command that reproduces the run, if it is known. */
  readonly command: string | undefined;
  /** Maps features to the plane. */
  readonly embed: Embed;
}

export interface EmbedOptions {
  /** The name of the map, for progress. */
  readonly name: string;
  readonly iterations: number;
  /** The initial map [rows, 2]. */
  readonly start?: Float32Array;
}

/** From [rows, d] to [rows, 2]. */
export type Embed = (features: Matrix, options: EmbedOptions) => Promise<Float32Array>;

export const renderSection = ({ id, title, body }: Section): Html =>
  html`<section id="${id}">
<h2>${title}</h2>
${body}
</section>
`;

/** A drawing for wide screens and one for phones. */
export const responsiveFigure = (draw: (narrow: boolean) => string): Html =>
  html`<div class="on-wide">${figure(new Html(draw(false)))}</div>
<div class="on-narrow" aria-hidden="true">${figure(new Html(draw(true)))}</div>
`;

/** A drawing that never shrinks: on a phone it scrolls. */
export const scrollingFigure = (
  drawing: HtmlPart,
): Html => html`<div class="scrolling" tabindex="0">${figure(drawing)}</div>
`;

/** A figure with an optional caption. */
export const figure = (drawing: HtmlPart, caption?: HtmlPart): Html =>
  html`<figure>${drawing}${caption === undefined ? undefined : html`<figcaption>${caption}</figcaption>`}</figure>
`;
