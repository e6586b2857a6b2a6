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
  /** What each class is called. Default: its number. */
  readonly names?: readonly string[];
  /** Above the figure. Default: none. */
  readonly title?: string;
}

/** Cells shrink as classes grow more, and from some size on have no room for counts. */
const largestCell = 44;
const smallestCell = 7;
const smallestWritten = 24;
const wholeWidth = 640;
/** Of what is written beside the rows. */
const narrowestName = 34;
const widestName = 130;

export function confusionFigure({ truth, predicted, names, title }: ConfusionOptions): string {
  const { classes, clusters, counts } = confusionMatrix(truth, predicted);
  const rowNames = classes.map((label) => nameOf(label, names));
  const columnNames = clusters.map((cluster) => (cluster === undefined ? "–" : String(cluster)));
  const cell = Math.min(largestCell, Math.max(smallestCell, Math.floor(wholeWidth / clusters.length)));
  const nameWidth = longestWidth(rowNames, Math.min(fontSizes.label, cell));
  const left = Math.min(widestName, Math.max(narrowestName, nameWidth)) + 8;
  const top = (title === undefined ? 0 : headingHeight) + 36;
  const place = { left, top, cell };
  return svgDocument(
    { width: left + clusters.length * cell, height: top + classes.length * cell },
    title ?? "Classes against clusters",
    title === undefined ? "" : heading(title),
    drawRowNames(rowNames, place),
    drawColumnNames(columnNames, place),
    drawCells(counts, place),
    diagonalFrames(Math.min(classes.length, clusters.length), place),
    cell < smallestWritten ? "" : drawCounts(counts, place),
  );
}

/** How the names of the axes are written. */
const caption = { "font-size": fontSizes.label, "fill-opacity": strengths.text };

interface Place {
  readonly left: number;
  readonly top: number;
  readonly cell: number;
}

const longestWidth = (names: readonly string[], size: number): number =>
  Math.max(...names.map((name) => textWidth(name, size)));

function drawRowNames(names: readonly string[], { left, top, cell }: Place): string {
  const size = Math.min(fontSizes.label, cell);
  const written = names.map((name, row) =>
    text(shortened(name, size, left - 8), { x: left - 8, y: top + (row + 0.5) * cell + 0.35 * size }),
  );
  return group(
    { "text-anchor": "end" },
    text("class", { ...caption, x: left - 8, y: top - 26 }),
    group({ "font-size": size }, ...written),
  );
}

/** Where all of them have no room, every second or third. */
function drawColumnNames(names: readonly string[], { left, top, cell }: Place): string {
  const size = Math.min(fontSizes.small, Math.max(cell, 8));
  const step = Math.ceil((longestWidth(names, size) + 2) / cell);
  const written = names.flatMap((name, column) =>
    column % step === 0 ? [text(name, { x: left + (column + 0.5) * cell, y: top - 7 })] : [],
  );
  const title = text("cluster", { ...caption, x: left, y: top - 26 });
  return `${title}\n${group({ "font-size": size, "text-anchor": "middle" }, ...written)}`;
}

/** How much of its class a cell holds decides how dark it is. */
function sharesOf(row: readonly number[]): number[] {
  const total = row.reduce((a, b) => a + b, 0);
  return row.map((count) => count / total);
}

function drawCells(counts: readonly (readonly number[])[], { left, top, cell }: Place): string {
  const cells = counts.flatMap((row, y) =>
    sharesOf(row).map((share, x) =>
      share === 0
        ? ""
        : element("path", {
            d: bars([[left + x * cell, top + y * cell, cell - 1, cell - 1]]),
            // Small shares are made more of: a few images among thousands are seen as well.
            "fill-opacity": 0.04 + 0.96 * share ** 0.6,
          }),
    ),
  );
  const ground = element("path", {
    d: bars([[left, top, counts[0].length * cell - 1, counts.length * cell - 1]]),
    fill: "currentColor",
    "fill-opacity": 0.04,
  });
  return [ground, group({ fill: accent }, ...cells.filter((part) => part !== ""))].join("\n");
}

/** What the map gets right. */
function diagonalFrames(length: number, { left, top, cell }: Place): string {
  const frames = Array.from({ length }, (_, index): [number, number, number, number] => [
    left + index * cell + 0.5,
    top + index * cell + 0.5,
    cell - 2,
    cell - 2,
  ]);
  return element("path", { d: bars(frames), fill: "none", stroke: "currentColor", "stroke-opacity": strengths.axis });
}

function drawCounts(counts: readonly (readonly number[])[], { left, top, cell }: Place): string {
  const written = counts.flatMap((row, y) => {
    const shares = sharesOf(row);
    return row.map((count, x) => {
      const place = { x: left + (x + 0.5) * cell, y: top + (y + 0.5) * cell + 3.5 };
      return count === 0
        ? ""
        : text(String(count), { ...place, ...(shares[x] > 0.5 ? { fill: paper, "font-weight": 600 } : {}) });
    });
  });
  const size = Math.min(fontSizes.small, cell / 3.2);
  return group({ "font-size": size, "text-anchor": "middle" }, ...written.filter((part) => part !== ""));
}

function nameOf(label: number, names: readonly string[] | undefined): string {
  if (names === undefined) return String(label);
  if (names[label] === undefined) throw new InputError(`class ${label} has no name; there are ${names.length} names`);
  return names[label];
}
