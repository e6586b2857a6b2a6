/** Maps of the features in the plane, such as t-SNE's: one panel per epoch, one colour per group (fig. vis-tsne). */
import { InputError } from "../files/errors.ts";
import { groupColours, paper } from "./colours.ts";
import { groupDots } from "./group-dots.ts";
import { type ImageSource, readTiles } from "./images.ts";
import { legend } from "./legend.ts";
import { pixelRatio, pngUri } from "./picture.ts";
import { element, fontSizes, group, heading, headingHeight, strengths, svgDocument, text } from "./svg.ts";
import { type PlacedImage, type Point, placeThumbnails } from "./thumbnails.ts";

export interface ScatterPanel {
  /** [images, 2]. */
  readonly points: Float32Array;
  /** [images]: the label or the cluster of each, a whole number from 0. */
  readonly groups: ArrayLike<number>;
  /** Above the panel: "epoch 5". Default: none. */
  readonly title?: string;
}

export interface ThumbnailOptions {
  readonly images: ImageSource;
  /** The side of a thumbnail. Default: 26. */
  readonly size?: number;
  /** The most thumbnails per panel. Default: 150. */
  readonly most?: number;
}

export interface ScatterOptions {
  /** The panels, side by side. */
  readonly panels: readonly ScatterPanel[];
  /** The groups' names. Default: their numbers. */
  readonly names?: readonly string[];
  /** Shows some of the images at their points, without overlap. Default: points only. */
  readonly thumbnails?: ThumbnailOptions;
  /** Writes each group's name at its centre. Default: true where there are no thumbnails. */
  readonly inscribed?: boolean;
  /** Above the figure. Default: none. */
  readonly title?: string;
  /** The side of a panel. Default: 420, or 300 where there are several. */
  readonly panelSize?: number;
}

export async function scatterFigure(options: ScatterOptions): Promise<string> {
  const { panels, names, thumbnails, inscribed = thumbnails === undefined, title } = options;
  const { panelSize: side = panels.length > 1 ? 300 : 420 } = options;
  const count = expectPanels(options);
  const style: PanelStyle = {
    side,
    names: names ?? Array.from({ length: count }, (_, index) => String(index)),
    colours: groupColours(count),
    thumbnails,
    inscribed,
  };
  const gap = 16;
  const titled = panels.some((panel) => panel.title !== undefined) ? 22 : 0;
  const top = (title === undefined ? 0 : headingHeight) + titled;
  const drawn = await Promise.all(
    panels.map(async (panel, index) =>
      group({ transform: `translate(${index * (side + gap)} ${top})` }, ...(await drawPanel(panel, style))),
    ),
  );
  const width = panels.length * (side + gap) - gap;
  const entries = style.colours.map((colour, index) => ({ name: style.names[index], colour }));
  const key = legend(entries, { left: 0, top: top + side + 10, width, kind: "dot" });
  const size = { width, height: top + side + 10 + key.height };
  return svgDocument(
    size,
    title ?? "Map of the features",
    title === undefined ? "" : heading(title),
    ...drawn,
    key.body,
  );
}

interface PanelStyle {
  readonly side: number;
  readonly names: readonly string[];
  readonly colours: readonly string[];
  readonly thumbnails: ThumbnailOptions | undefined;
  readonly inscribed: boolean;
}

async function drawPanel(panel: ScatterPanel, style: PanelStyle): Promise<string[]> {
  const { side, thumbnails } = style;
  const points = fittedPoints(panel.points, side, thumbnails === undefined ? 10 : 20);
  const frame = { x: 0.5, y: 0.5, width: side - 1, height: side - 1, rx: 6 };
  return [
    ...(panel.title === undefined ? [] : [text(panel.title, { x: 0, y: -8, "font-weight": 600 })]),
    element("rect", { ...frame, fill: "none", stroke: "currentColor", "stroke-opacity": strengths.grid }),
    drawDots(points, panel.groups, style),
    ...(thumbnails === undefined ? [] : [await drawThumbnails(points, panel.groups, style, thumbnails)]),
    ...(style.inscribed ? [drawNames(points, panel.groups, style)] : []),
  ];
}

/** The map at the same scale along both axes, centred in its panel. */
function fittedPoints(points: Float32Array, side: number, inset: number): Point[] {
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const high = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  points.forEach((value, index) => {
    low[index % 2] = Math.min(low[index % 2], value);
    high[index % 2] = Math.max(high[index % 2], value);
  });
  const scale = (side - 2 * inset) / (Math.max(high[0] - low[0], high[1] - low[1]) || 1);
  const place = (value: number, axis: number): number => side / 2 + (value - (low[axis] + high[axis]) / 2) * scale;
  return Array.from(
    { length: points.length / 2 },
    (_, index): Point => [
      place(points[2 * index], 0),
      // SVG counts y downwards.
      side - place(points[2 * index + 1], 1),
    ],
  );
}

function drawDots(
  points: readonly Point[],
  groups: ArrayLike<number>,
  { colours, side, thumbnails }: PanelStyle,
): string {
  const paths = groupDots(points, { groups, colours, passes: 8 });
  const diameter = Math.min(6, Math.max(1.8, side / (2.2 * Math.sqrt(points.length))));
  const opacity = thumbnails === undefined ? 0.85 : 0.45;
  const attributes = { fill: "none", "stroke-linecap": "round", "stroke-width": diameter, "stroke-opacity": opacity };
  return group(attributes, ...paths);
}

async function drawThumbnails(
  points: readonly Point[],
  groups: ArrayLike<number>,
  { colours }: PanelStyle,
  { images, size = 26, most = 150 }: ThumbnailOptions,
): Promise<string> {
  const placed = placeThumbnails(points, { size: size + 3, most });
  const tiles = readTiles(
    images,
    placed.map(({ image }) => image),
    size * pixelRatio,
  );
  const drawn = await Promise.all(
    placed.map(async ({ image, x, y }: PlacedImage, index) => {
      const tile = tiles[index];
      const longest = Math.max(tile.width, tile.height);
      const [width, height] = [(size * tile.width) / longest, (size * tile.height) / longest];
      const frame = { x: x - width / 2, y: y - height / 2, width, height };
      return [
        element("image", { ...frame, href: await pngUri(tile), "image-rendering": "pixelated" }),
        element("rect", { ...frame, fill: "none", stroke: colours[groups[image]], "stroke-width": 1.5 }),
      ].join("\n");
    }),
  );
  return group({}, ...drawn);
}

/** At the median of each coordinate of a group, which outliers do not move. */
function drawNames(points: readonly Point[], groups: ArrayLike<number>, { names }: PanelStyle): string {
  const written = names.flatMap((name, index) => {
    const members = points.filter((_, image) => groups[image] === index);
    if (members.length === 0) return [];
    return [text(name, { x: median(members.map(([x]) => x)), y: median(members.map(([, y]) => y)) + 4 })];
  });
  const halo = { stroke: paper, "stroke-width": 3.5, "stroke-linejoin": "round", "paint-order": "stroke" };
  return group({ ...halo, "font-size": fontSizes.heading, "font-weight": 600, "text-anchor": "middle" }, ...written);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Returns the number of groups. */
function expectPanels({ panels, names, thumbnails }: ScatterOptions): number {
  if (panels.length === 0) throw new InputError("a map needs at least one panel");
  let count = 0;
  for (const { points, groups } of panels) {
    if (points.length === 0 || points.length !== 2 * groups.length)
      throw new InputError(`${points.length} coordinates and ${groups.length} groups: give two and one for each image`);
    if (!points.every(Number.isFinite)) throw new InputError("the map has points that are not finite; remove them");
    if (thumbnails !== undefined && thumbnails.images.count !== groups.length)
      throw new InputError(`${groups.length} points and ${thumbnails.images.count} images: give one for each`);
    for (const label of Array.from(groups)) {
      if (!Number.isInteger(label) || label < 0)
        throw new InputError(`a group must be a whole number from 0, not ${label}`);
      count = Math.max(count, label + 1);
    }
  }
  if (names !== undefined && names.length < count)
    throw new InputError(`there are ${count} groups and only ${names.length} names`);
  return names?.length ?? count;
}
