/** The development of the map: small maps at the epochs whose features were kept, and at the end. */
import { groupColours } from "../figures/colours.ts";
import { groupDots } from "../figures/group-dots.ts";
import { element, group, strengths, svgDocument } from "../figures/svg.ts";
import type { Point } from "../figures/thumbnails.ts";
import { featureSize } from "../network/shapes.ts";
import { whole } from "../numeric/format.ts";
import { gatherRows, matrix } from "../numeric/matrix.ts";
import { readFeatures } from "../runs/run-folder.ts";
import type { Snapshot } from "../runs/snapshots.ts";
import { Html, html } from "./html.ts";
import { evenly, extent, wholePlaces } from "./places.ts";
import { figure, type ReportContext } from "./section.ts";
import type { Subject } from "./subject.ts";

/** Enough for a small picture; the main map has more. */
const mostPoints = 1200;
const iterations = 400;
const side = 220;

interface Moment {
  readonly title: string;
  /** [items, d]. */
  readonly features: Float32Array;
}

export async function smallMaps(
  subject: Subject,
  snapshots: readonly Snapshot[],
  { embed }: ReportContext,
): Promise<Html | undefined> {
  const kept = snapshots.filter(({ items }) => items.length > 1);
  if (kept.length === 0) return undefined;
  const columns = featureSize(subject.record.architecture);
  const rows = evenly(kept[0].items.length, mostPoints);
  const items = rows.map((row) => kept[0].items[row]);
  const moments: Moment[] = [
    ...kept.map(({ epoch, features }) => ({ title: `epoch ${epoch}`, features: rowsOf(features, rows, columns) })),
    { title: "the end", features: readFeatures(subject.run.folder, items) },
  ];
  const groups = subject.labels ?? { names: { length: subject.record.k }, values: subject.certain.assignments };
  const colours = groupColours(groups.names.length);
  const panels: Html[] = [];
  let start: Float32Array | undefined;
  for (const { title, features } of moments) {
    const from = start === undefined ? {} : { start };
    const map = await embed(matrix(features, columns, title), { name: `map of ${title}`, iterations, ...from });
    start = map;
    const svg = panel(
      wholePlaces(map),
      items.map((item) => groups.values[item]),
      colours,
      title,
    );
    panels.push(figure(new Html(svg), title));
  }
  return html`<h3>The map, epoch by epoch</h3>
<p>The same ${whole(items.length)} images each time, coloured by ${subject.labels === undefined ? "their cluster at the end" : "label"}.</p>
<div class="panels">${panels}</div>
`;
}

const rowsOf = (features: Float32Array, rows: readonly number[], columns: number): Float32Array =>
  gatherRows(features, columns, rows, new Float32Array(rows.length * columns));

function panel(
  places: readonly number[],
  groups: readonly number[],
  colours: readonly string[],
  title: string,
): string {
  const inset = 6;
  const scale = (side - 2 * inset) / extent;
  const points = groups.map(
    (_, index): Point => [inset + places[2 * index] * scale, inset + places[2 * index + 1] * scale],
  );
  const paths = groupDots(points, { groups, colours, passes: 6 });
  const frame = { x: 0.5, y: 0.5, width: side - 1, height: side - 1, rx: 8, fill: "none" };
  return svgDocument(
    { width: side, height: side },
    `Map at ${title}`,
    element("rect", { ...frame, stroke: "currentColor", "stroke-opacity": strengths.grid }),
    group({ fill: "none", "stroke-linecap": "round", "stroke-width": 2.6, "stroke-opacity": 0.85 }, ...paths),
  );
}
