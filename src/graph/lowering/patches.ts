/**
 * The patches of a large map: for every tap of the kernel, grown by the phases, the pixels under it, one for each place
 * of the small map's grid.
 */
import { type Tensor, view } from "../tensor.ts";
import { appendZeroRow, gatherRows } from "./gather.ts";
import { digits, type Geometry } from "./geometry.ts";

export interface PatchSizes {
  /** Taps of the grown kernel along each axis. */
  readonly rows: number;
  readonly columns: number;
  /** Pixels of one tap, of all images. */
  readonly length: number;
}

export function patchSizes({ kernel, phases, grid, batch }: Geometry): PatchSizes {
  return {
    rows: kernel[0] + phases[0] - 1,
    columns: kernel[1] + phases[1] - 1,
    length: grid[0] * grid[1] * batch,
  };
}

/** [channels · rows · columns, length]: the taps of a channel row by row. */
export function patchesOf(large: Tensor, geometry: Geometry): Tensor {
  const { channels, height, width, batch, padding, phases, grid } = geometry;
  const { rows, columns, length } = patchSizes(geometry);
  const pixels = view(large, [channels, height * width, batch]);
  const outside = height * width;
  const padded = padding[0] + padding[1] > 0 ? appendZeroRow(pixels) : pixels;
  const patches = gatherRows(padded, [rows * columns, grid[0] * grid[1]], (place) => {
    const [u, v, y, x] = digits(place, [rows, columns, ...grid]);
    const [row, column] = [y * phases[0] + u - padding[0], x * phases[1] + v - padding[1]];
    return row >= 0 && column >= 0 && row < height && column < width ? row * width + column : outside;
  });
  return view(patches, [channels * rows * columns, length]);
}
