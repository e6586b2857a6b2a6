/** Images on a map where there is room for them. */
import { Random } from "../numeric/random.ts";

export type Point = readonly [x: number, y: number];

export interface PlacedImage {
  readonly image: number;
  /** The middle of the thumbnail. */
  readonly x: number;
  readonly y: number;
}

export interface PlacementOptions {
  /** The side of a thumbnail, in the units of the points. */
  readonly size: number;
  /** The most thumbnails. */
  readonly most: number;
}

/** Each at its own point, without overlap. The images are tried in a random order that is always the same. */
export function placeThumbnails(points: readonly Point[], { size, most }: PlacementOptions): PlacedImage[] {
  const placed: PlacedImage[] = [];
  // In a grid of thumbnail-sized squares, only thumbnails in neighbouring squares can overlap.
  const squares = new Map<string, PlacedImage[]>();
  const square = (x: number, y: number): string => `${x} ${y}`;
  for (const image of new Random(0, "thumbnails").permutation(points.length)) {
    if (placed.length === most) break;
    const [x, y] = points[image];
    const [column, row] = [Math.floor(x / size), Math.floor(y / size)];
    const near = [-1, 0, 1].flatMap((down) =>
      [-1, 0, 1].flatMap((right) => squares.get(square(column + right, row + down)) ?? []),
    );
    if (near.some((other) => Math.abs(other.x - x) < size && Math.abs(other.y - y) < size)) continue;
    const chosen = { image, x, y };
    placed.push(chosen);
    squares.set(square(column, row), [...(squares.get(square(column, row)) ?? []), chosen]);
  }
  return placed;
}
