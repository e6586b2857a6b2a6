/** Tiles of equal size in a grid, row by row. */
import { type PlacedTile, pixelRatio } from "./picture.ts";
import type { Raster } from "./raster.ts";
import type { FigureSize } from "./svg.ts";

export interface TileGrid extends FigureSize {
  /** Placed from (0, 0). */
  readonly tiles: readonly PlacedTile[];
}

export interface GridOptions {
  readonly columns: number;
  /** Between tiles. */
  readonly gap: number;
  /** Room below each tile. Default: 0. */
  readonly below?: number;
}

export function tileGrid(tiles: readonly Raster[], { columns, gap, below = 0 }: GridOptions): TileGrid {
  if (tiles.length === 0) return { width: 0, height: 0, tiles: [] };
  const [width, height] = [tiles[0].width / pixelRatio, tiles[0].height / pixelRatio + below];
  return {
    width: Math.min(columns, tiles.length) * (width + gap) - gap,
    height: Math.ceil(tiles.length / columns) * (height + gap) - gap,
    tiles: tiles.map((tile, index) => ({
      tile,
      left: (index % columns) * (width + gap),
      top: Math.floor(index / columns) * (height + gap),
    })),
  };
}

/** The grid's tiles, moved so that its upper left corner is at (left, top). */
export const movedTiles = ({ tiles }: TileGrid, left: number, top: number): PlacedTile[] =>
  tiles.map((placed) => ({ tile: placed.tile, left: left + placed.left, top: top + placed.top }));
