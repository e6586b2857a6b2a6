/** Rows of images, with a name and notes beside each row and, if requested, the score below each image. */
import { type ImageSource, readTiles } from "./images.ts";
import { type PictureParts, type PlacedTile, pixelRatio } from "./picture.ts";
import type { RankedImage } from "./ranking.ts";
import { fittedSize } from "./raster.ts";
import { fontSizes, group, shortened, strengths, text } from "./svg.ts";

export interface ImageRow {
  readonly name: string;
  /** Lines below the name. */
  readonly notes: readonly string[];
  /** Blocks of images, side by side. */
  readonly blocks: readonly (readonly RankedImage[])[];
}

export interface RowsOptions {
  readonly source: ImageSource;
  readonly rows: readonly ImageRow[];
  /** The room of a block, in images. */
  readonly places: number;
  /** The side of the square that an image fits. */
  readonly size: number;
  /** Writes the score below each image. */
  readonly scored: boolean;
  /** The top of the first row. */
  readonly top: number;
}

/** Room for the name and notes beside a row. */
const nameWidth = 116;
const nameHeight = 42;
const tileGap = 4;
const blockGap = 24;

/** The rows, and the left edge of each block, for captions above it. */
export interface DrawnRows extends Omit<PictureParts, "title"> {
  readonly blockLefts: readonly number[];
}

export function imageRows({ source, rows, places, size, scored, top }: RowsOptions): DrawnRows {
  const box = size * pixelRatio;
  const fitted = fittedSize(source.image, box);
  const [width, height] = [fitted.width / pixelRatio, fitted.height / pixelRatio];
  const rowHeight = Math.max(height, nameHeight) + (scored ? 16 : 0) + 10;
  const inset = Math.max(0, (nameHeight - height) / 2);
  const blocks = Math.max(...rows.map((row) => row.blocks.length));
  const blockWidth = places * (width + tileGap) - tileGap;
  const blockLefts = Array.from({ length: blocks }, (_, block) => nameWidth + block * (blockWidth + blockGap));
  const tiles: PlacedTile[] = [];
  const scores: string[] = [];
  rows.forEach((row, index) => {
    const rowTop = top + index * rowHeight + inset;
    row.blocks.forEach((block, at) => {
      const drawn = readTiles(
        source,
        block.map(({ image }) => image),
        box,
      );
      drawn.forEach((tile, place) => {
        const left = blockLefts[at] + place * (width + tileGap);
        tiles.push({ tile, left, top: rowTop });
        if (scored) scores.push(text(block[place].score.toFixed(2), { x: left + width / 2, y: rowTop + height + 11 }));
      });
    });
  });
  const beside = rows.map((row, index) => drawName(row, top + index * rowHeight + inset + height / 2));
  return {
    width: nameWidth + blocks * (blockWidth + blockGap) - blockGap,
    height: top + rows.length * rowHeight - 10,
    blockLefts,
    tiles,
    overlay: [...beside, group({ "font-size": 9, "fill-opacity": strengths.text, "text-anchor": "middle" }, ...scores)],
  };
}

/** Vertically centred on the row. */
function drawName({ name, notes }: ImageRow, middle: number): string {
  const lineHeight = 14;
  const first = middle - (notes.length * lineHeight) / 2 + 4;
  const lines = notes.map((note, line) => text(note, { x: 0, y: first + (line + 1) * lineHeight }));
  return [
    text(shortened(name, fontSizes.heading, nameWidth - 8), {
      x: 0,
      y: first,
      "font-size": fontSizes.heading,
      "font-weight": 600,
    }),
    group({ "font-size": fontSizes.small, "fill-opacity": strengths.text }, ...lines),
  ].join("\n");
}
