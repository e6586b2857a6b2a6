/** Inside the network: its activations for three images, its filters, and its loss. */
import type { SessionOptions } from "../engine/session.ts";
import { computeActivations } from "../figures/activations.ts";
import { activationsFigure } from "../figures/activations-figure.ts";
import { filtersFigure, learnedFilters } from "../figures/filters.ts";
import { selectTypical } from "../figures/gallery.ts";
import { klLossFigure } from "../figures/kl-loss.ts";
import type { Theme } from "../figures/picture.ts";
import { loadSharp } from "../files/sharp.ts";
import { pixelCount } from "../images/image.ts";
import type { Architecture } from "../network/architecture.ts";
import { type Encoder, isEnsemble } from "../network/ensemble.ts";
import { type Html, html } from "./html.ts";
import { dataUri } from "./pictures.ts";
import { responsiveFigure, type Section, scrollingFigure } from "./section.ts";
import type { Subject } from "./subject.ts";

export async function networkSection(subject: Subject, options: SessionOptions): Promise<Section | undefined> {
  const parts = [await activations(subject, options), await filters(subject), loss(subject)];
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : { id: "network", title: "Inside the network", body: html`${known}` };
}

/** Whether the layers have maps to show; those of dense networks have none. */
const isConvolutional = (encoder: Encoder): encoder is Architecture =>
  !isEnsemble(encoder) && encoder.layers.some(({ kind }) => kind === "pool");

const shownImages = 3;
/** Deeper filters, which see the output of others, mean nothing to the eye. */
const shownLayers = 2;

async function activations(subject: Subject, options: SessionOptions): Promise<Html | undefined> {
  const { run, record, dataset } = subject;
  if (run.autoEncoder === undefined || !isConvolutional(record.architecture)) return undefined;
  const typical = selectTypical(subject.certain, 1).flatMap((row) => row.typical.map(({ image }) => image));
  const shown = typical.slice(0, shownImages);
  const images = new Float32Array(shown.length * pixelCount(dataset.image));
  dataset.read(shown, images);
  const layers = await computeActivations(record.architecture, run.autoEncoder, images, options);
  const drawn = await themedPicture((theme) => activationsFigure({ activations: layers, theme }), {
    alt: "The activations of every layer for three images",
  });
  return html`<h3>What images become in it</h3>
<p>Before it learned to sort, the network learned to see: to squeeze an image into its feature, and to restore it from there.</p>
${scrollingFigure(drawn)}
`;
}

async function filters({ run, record }: Subject): Promise<Html | undefined> {
  if (run.autoEncoder === undefined || !isConvolutional(record.architecture)) return undefined;
  const layers = learnedFilters(record.architecture, run.autoEncoder.parameters).slice(0, shownLayers);
  const drawn = await Promise.all(
    layers.map((layer) =>
      themedPicture((theme) => filtersFigure(layer, { theme, most: 20 }), { alt: `The filters of ${layer.layer}` }),
    ),
  );
  return html`<h3>What it looks for</h3>
<p>The filters of its first convolutions, as the auto-encoder learned them.</p>
<div class="filters">${drawn.map((picture) => scrollingFigure(picture))}</div>
`;
}

/** For methods that boost scores. */
function loss({ record }: Subject): Html | undefined {
  const { alpha } = record.settings;
  if (typeof alpha !== "number" || !(alpha > 1)) return undefined;
  return html`<h3>What drives it</h3>
<p>The loss of an image between two clusters, by its score for the first. It is largest where an image leans to one side, and pushes it further; where the image is undecided, or sorted already, there is little to gain.</p>
${responsiveFigure((narrow) => klLossFigure({ alphas: [alpha], width: narrow ? 330 : 560 }))}
`;
}

/** A picture for light pages and one for dark ones. */
async function themedPicture(draw: (theme: Theme) => Promise<Uint8Array>, { alt }: { alt: string }): Promise<Html> {
  const sharp = await loadSharp();
  const compressed = (png: Uint8Array): Promise<Uint8Array> => sharp(png).webp({ lossless: true }).toBuffer();
  const [light, dark] = await Promise.all([draw("light"), draw("dark")].map(async (png) => compressed(await png)));
  const { width, height } = await sharp(light).metadata();
  const image = (png: Uint8Array, when: string): Html =>
    html`<img class="${when}" src="${dataUri(png, "image/webp")}" width="${width / 2}" height="${height / 2}" alt="${alt}">`;
  return html`${image(light, "on-light")}${image(dark, "on-dark")}`;
}
