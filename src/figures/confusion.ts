/** Classes against clusters, each cluster in the column of the class that the best map gives it. */
import { InputError } from "../files/errors.ts";
import { confusionMatrix } from "../metrics/external.ts";
import { accent, paper } from "./colours.ts";
import {
  bars,
  element,
  fontSizes,
  group,
  heading,
  headingHeight,
  shortened,
  strengths,
  svgDocument,
  text,
  textWidth,
} from "./svg.ts";

export interface ConfusionOptions {
  /** The class of each image. */
  readonly truth: ArrayLike<number>;
  /** The cluster of each image. */
  readonly predicted: ArrayLike<number>;
  /** The classes' names. Default: their numbers. */
  readonly names?: readonly string[];
  /** Above the figure. Default: none. */
  readonly title?: string;
}

/** The more classes, the smaller the squares; small squares have no room for counts. */
const largestSquare = 44;
const smallestSquare = 7;
const smallestWritten = 24;
const wholeWidth = 640;
/** The width of the names beside the rows. */
const narrowestName = 34;
const widestName = 130;

export function confusionFigure({ truth, predicted, names, title }: ConfusionOptions): string {
  const { classes, clusters, counts } = confusionMatrix(truth, predicted);
  const rowNames = classes.map((label) => nameOf(label, names));
  const columnNames = clusters.map((cluster) => (cluster === undefined ? "–" : String(cluster)));
  const square = Math.min(largestSquare, Math.max(smallestSquare, Math.floor(wholeWidth / clusters.length)));
  const nameWidth = longestWidth(rowNames, Math.min(fontSizes.label, square));
  const left = Math.min(widestName, Math.max(narrowestName, nameWidth)) + 8;
  const top = (title === undefined ? 0 : headingHeight) + 36;
  const place = { left, top, square };
  return svgDocument(
    { width: left + clusters.length * square, height: top + classes.length * square },
    title ?? "Classes against clusters",
    title === undefined ? "" : heading(title),
    drawRowNames(rowNames, place),
    drawColumnNames(columnNames, place),
    drawSquares(counts, place),
    diagonalFrames(Math.min(classes.length, clusters.length), place),
    square < smallestWritten ? "" : drawCounts(counts, place),
  );
}

/** The style of the axes' names. */
const caption = { "font-size": fontSizes.label, "fill-opacity": strengths.text };

interface Place {
  readonly left: number;
  readonly top: number;
  readonly square: number;
}

const longestWidth = (names: readonly string[], size: number): number =>
  Math.max(...names.map((name) => textWidth(name, size)));

function drawRowNames(names: readonly string[], { left, top, square }: Place): string {
  const size = Math.min(fontSizes.label, square);
  const written = names.map((name, row) =>
    text(shortened(name, size, left - 8), { x: left - 8, y: top + (row + 0.5) * square + 0.35 * size }),
  );
  return group(
    { "text-anchor": "end" },
    text("class", { ...caption, x: left - 8, y: top - 26 }),
    group({ "font-size": size }, ...written),
  );
}

/** Where there is no room for all of them, every second or third. */
function drawColumnNames(names: readonly string[], { left, top, square }: Place): string {
  const size = Math.min(fontSizes.small, Math.max(square, 8));
  const step = Math.ceil((longestWidth(names, size) + 2) / square);
  const written = names.flatMap((name, column) =>
    column % step === 0 ? [text(name, { x: left + (column + 0.5) * square, y: top - 7 })] : [],
  );
  const title = text("cluster", { ...caption, x: left, y: top - 26 });
  return `${title}\n${group({ "font-size": size, "text-anchor": "middle" }, ...written)}`;
}

/** The shares of a class's images, which decide how dark its squares are. */
function sharesOf(row: readonly number[]): number[] {
  const total = row.reduce((a, b) => a + b, 0);
  return row.map((count) => count / total);
}

function drawSquares(counts: readonly (readonly number[])[], { left, top, square }: Place): string {
  const squares = counts.flatMap((row, y) =>
    sharesOf(row).map((share, x) =>
      share === 0
        ? ""
        : element("path", {
            d: bars([[left + x * square, top + y * square, square - 1, square - 1]]),
            // Small shares are emphasized, so that a few images among thousands are visible.
            "fill-opacity": 0.04 + 0.96 * share ** 0.6,
          }),
    ),
  );
  const ground = element("path", {
    d: bars([[left, top, counts[0].length * square - 1, counts.length * square - 1]]),
    fill: "currentColor",
    "fill-opacity": 0.04,
  });
  return [ground, group({ fill: accent }, ...squares.filter((part) => part !== ""))].join("\n");
}

/** Frames of the images whose cluster is mapped to their class. */
function diagonalFrames(length: number, { left, top, square }: Place): string {
  const frames = Array.from({ length }, (_, index): [number, number, number, number] => [
    left + index * square + 0.5,
    top + index * square + 0.5,
    square - 2,
    square - 2,
  ]);
  return element("path", { d: bars(frames), fill: "none", stroke: "currentColor", "stroke-opacity": strengths.axis });
}

function drawCounts(counts: readonly (readonly number[])[], { left, top, square }: Place): string {
  const written = counts.flatMap((row, y) => {
    const shares = sharesOf(row);
    return row.map((count, x) => {
      const place = { x: left + (x + 0.5) * square, y: top + (y + 0.5) * square + 3.5 };
      return count === 0
        ? ""
        : text(String(count), { ...place, ...(shares[x] > 0.5 ? { fill: paper, "font-weight": 600 } : {}) });
    });
  });
  const size = Math.min(fontSizes.small, square / 3.2);
  return group({ "font-size": size, "text-anchor": "middle" }, ...written.filter((part) => part !== ""));
}

function nameOf(label: number, names: readonly string[] | undefined): string {
  if (names === undefined) return String(label);
  if (names[label] === undefined) throw new InputError(`class ${label} has no name; there are ${names.length} names`);
  return names[label];
}
