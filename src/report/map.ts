/** The map: every dot is an image, near similar ones. The page's script draws it. */
import { groupColours } from "../figures/colours.ts";
import { featureSize } from "../network/shapes.ts";
import { counted, shortName, whole } from "../numeric/format.ts";
import { matrix } from "../numeric/matrix.ts";
import { readFeatures } from "../runs/run-folder.ts";
import { type Html, html, jsonElement } from "./html.ts";
import { isPixelated } from "./pictures.ts";
import { wholePlaces } from "./places.ts";
import type { ReportContext, Section } from "./section.ts";
import { makeSprite, type Sprite } from "./sprite.ts";
import { imageName, type Subject } from "./subject.ts";
import { mapIterations, mappedImages } from "./t-sne-map.ts";

export async function mapSection(subject: Subject, { points, embed }: ReportContext): Promise<Section> {
  const { run, record, dataset } = subject;
  const columns = featureSize(record.architecture);
  const images = mappedImages(dataset.count, columns, points);
  const features = readFeatures(run.folder, images);
  const places = wholePlaces(
    await embed(matrix(features, columns, "features"), { name: "map", iterations: mapIterations }),
  );
  const sprite = await makeSprite(dataset, images);
  return {
    id: "map",
    title: "The map",
    body: html`<p>${explanation(images.length, dataset.count)}</p>
${mapParts(subject)}
<img id="map-images" src="${sprite.uri}" alt="" hidden>
${jsonElement("map-data", mapData(subject, images, places, sprite))}
`,
  };
}

function explanation(shown: number, count: number): string {
  const which =
    shown === count ? "Every dot is an image." : `Every dot is one of ${whole(shown)} images, chosen evenly.`;
  return `${which} Images that the method finds similar lie close together; distances between groups say little (t-SNE).`;
}

/** The script's data; lists have one entry per point. */
function mapData(subject: Subject, images: readonly number[], places: readonly number[], sprite: Sprite) {
  const { dataset, labels, certain, shown } = subject;
  const { columns, width, height } = sprite;
  const clusters = {
    names: shown.names.map((name) => shortName(name, 40)),
    colours: groupColours(shown.k),
    values: images.map((image) => shown.assignments[image]),
  };
  return {
    places,
    scores: images.map((image) => Number(certain.certainty[image].toFixed(3))),
    names: images.map((image) => shortName(imageName(subject, image))),
    clusters,
    ...(labels === undefined
      ? {}
      : {
          labels: {
            names: labels.names.map((name) => shortName(name, 40)),
            colours: groupColours(labels.names.length),
            values: images.map((image) => labels.values[image]),
          },
        }),
    tiles: { columns, width, height, pixelated: isPixelated(dataset.image) },
  };
}

function mapParts({ labels, shown }: Subject): Html {
  return html`<div class="map">
<div class="map-frame">
<canvas id="map-canvas" tabindex="0" role="img" aria-label="Map of the images in ${counted(shown.k, "cluster")}. Arrow keys move it, plus and minus zoom, Escape clears the selection."></canvas>
<div class="map-tools">
<button type="button" id="map-in" aria-label="Zoom in">+</button>
<button type="button" id="map-out" aria-label="Zoom out">−</button>
<button type="button" id="map-all" aria-label="Show all">all</button>
</div>
<div id="map-tip" hidden><canvas></canvas><p></p></div>
</div>
<div class="map-side">
<div class="map-choice">${labels === undefined ? undefined : colourSwitch}</div>
<ul id="map-legend" aria-label="Groups on the map"></ul>
<div id="map-card" aria-live="polite"></div>
<p class="hint for-mouse">Point at a dot to see its image; click it to see its cluster, click again or press Escape to see all. Drag to move; click, then scroll, to zoom.</p>
<p class="hint for-touch">Tap a dot to see its image and its cluster, tap again to see all. Two fingers zoom.</p>
</div>
</div>`;
}

const colourSwitch = html`<fieldset class="switch">
<legend>Colours</legend>
<label><input type="radio" name="map-colours" value="clusters" checked> clusters</label>
<label><input type="radio" name="map-colours" value="labels"> labels</label>
</fieldset>`;
