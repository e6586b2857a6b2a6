/** Images in the wrong cluster with a high score (fig. vis-false). */
import { InputError } from "../files/errors.ts";
import { optimalMap } from "../metrics/external.ts";
import { expectImages, type ImageSource, readTiles } from "./images.ts";
import { type Picture, type PictureOptions, type PlacedTile, pictureOf, pictureToPng, pixelRatio } from "./picture.ts";
import { type Certain, expectCertain, expectCount, type RankedImage, surestFirst } from "./ranking.ts";
import { element, fontSizes, group, heading, headingHeight, shortened, strengths, text, textWidth } from "./svg.ts";
import { movedTiles, tileGrid } from "./tile-grid.ts";

export interface Mistake extends RankedImage {
  readonly cluster: number;
  /** The true label. */
  readonly label: number;
  /** The label that the cluster is mapped to; none where there are more clusters than labels. */
  readonly mapped: number | undefined;
}

export interface MistakeSelection extends Certain {
  /** [images]: the true label of each. */
  readonly labels: ArrayLike<number>;
  /** Only scores over this. Default: 0.6, as in the paper. */
  readonly threshold?: number;
  /** The most mistakes. Default: 100, as in the paper. */
  readonly most?: number;
}

/** The images whose cluster is mapped to another label than theirs, the highest score first. */
export function selectMistakes(selection: MistakeSelection): Mistake[] {
  const { assignments, certainty, labels, threshold = 0.6, most = 100 } = selection;
  expectCertain(selection);
  expectCount(most, "most");
  const mapped = optimalMap(labels, assignments);
  const mistakes: Mistake[] = [];
  for (let image = 0; image < labels.length; image++) {
    const [cluster, label, score] = [assignments[image], labels[image], certainty[image]];
    if (mapped.get(cluster) !== label && score > threshold)
      mistakes.push({ image, score, cluster, label, mapped: mapped.get(cluster) });
  }
  return mistakes.sort(surestFirst).slice(0, most);
}

export interface MistakesOptions extends MistakeSelection, PictureOptions {
  readonly images: ImageSource;
  /** The labels' names. Default: their numbers. */
  readonly names?: readonly string[];
  /** Images per row. Default: 10. */
  readonly columns?: number;
  /** The side of the square that an image fits. Default: 48. */
  readonly size?: number;
  /** Above the figure. Default: none. */
  readonly title?: string;
}

/** The mistakes as a PNG, each with the label that its cluster is mapped to: in the corner, or below if it is long. */
export const mistakesFigure = (options: MistakesOptions): Promise<Uint8Array> => pictureToPng(mistakesPicture(options));

/** Longer words would cover the image. */
const longestInCorner = 2;

export function mistakesPicture(options: MistakesOptions): Picture {
  const { images, names, columns = 10, size = 48, title, threshold = 0.6 } = options;
  expectImages(images, options.assignments.length);
  expectCount(columns, "columns");
  const mistakes = selectMistakes(options);
  const words = mistakes.map(({ mapped }) => labelName(mapped, names));
  const below = words.some((word) => word.length > longestInCorner);
  const shown = mistakes.map(({ image }) => image);
  const grid = tileGrid(readTiles(images, shown, size * pixelRatio), { columns, gap: 5, below: below ? 14 : 0 });
  const top = title === undefined ? 0 : headingHeight;
  const tiles = movedTiles(grid, 0, top);
  const bottom = top + grid.height;
  const note =
    mistakes.length === 0
      ? `No image with a score over ${threshold} is in a wrong cluster.`
      : `${below ? "Below" : "In the corner"}: the label that the image's cluster stands for.`;
  return pictureOf(
    {
      width: Math.max(grid.width, textWidth(note, fontSizes.small)),
      height: bottom + 18,
      title: title ?? "Confident mistakes",
      tiles,
      overlay: [
        ...(title === undefined ? [] : [heading(title)]),
        group(
          { "font-size": fontSizes.small, "font-weight": 600 },
          ...words.map((word, index) => (below ? caption(word, tiles[index]) : badge(word, tiles[index]))),
        ),
        text(note, { x: 0, y: bottom + 16, "font-size": fontSizes.small, "fill-opacity": strengths.text }),
      ],
    },
    options,
  );
}

/** A word on a white ground in the upper left corner, in either theme. */
function badge(word: string, { left, top }: PlacedTile): string {
  const size = { width: textWidth(word, fontSizes.small) + 6, height: 14 };
  return [
    element("rect", { x: left, y: top, ...size, fill: "#ffffff" }),
    text(word, { x: left + 2.5, y: top + 10.5, fill: "#1c1c21" }),
  ].join("\n");
}

function caption(word: string, { tile, left, top }: PlacedTile): string {
  const [width, height] = [tile.width / pixelRatio, tile.height / pixelRatio];
  return text(shortened(word, fontSizes.small, width), { x: left, y: top + height + 11 });
}

function labelName(label: number | undefined, names: readonly string[] | undefined): string {
  if (label === undefined) return "–";
  if (names === undefined) return String(label);
  if (names[label] === undefined) throw new InputError(`label ${label} has no name; there are ${names.length} names`);
  return names[label];
}
