/** Small square pictures of one channel. */

export interface Plane {
  readonly side: number;
  /** Row by row. */
  readonly values: Float32Array;
}

/** At the given size, smoothed. */
export const atSide = (plane: Plane, side: number): Plane =>
  plane.side === side ? smoothed(plane) : atSide(halved(plane), side);

/** Weights 1, 2, 1 across and down: what is as fine as the pixels, such as checked cloth, could not be interpolated. */
function smoothed({ side, values }: Plane): Plane {
  const across = new Float32Array(side * side);
  const both = new Float32Array(side * side);
  for (let at = 0; at < values.length; at++) {
    const x = at % side;
    across[at] = (values[x === 0 ? at : at - 1] + 2 * values[at] + values[x === side - 1 ? at : at + 1]) / 4;
  }
  for (let at = 0; at < values.length; at++) {
    const above = across[at < side ? at : at - side];
    const below = across[at >= values.length - side ? at : at + side];
    both[at] = (above + 2 * across[at] + below) / 4;
  }
  return { side, values: both };
}

export function halved({ side, values }: Plane): Plane {
  const half = side / 2;
  const means = new Float32Array(half * half);
  for (let y = 0; y < half; y++)
    for (let x = 0; x < half; x++) {
      const at = 2 * y * side + 2 * x;
      means[y * half + x] = (values[at] + values[at + 1] + values[at + side] + values[at + side + 1]) / 4;
    }
  return { side: half, values: means };
}

/** Between pixels, bilinearly; beyond the outermost ones, as they are. */
export function sample({ side, values }: Plane, x: number, y: number): number {
  const left = Math.min(side - 2, Math.max(0, Math.floor(x)));
  const top = Math.min(side - 2, Math.max(0, Math.floor(y)));
  const right = Math.min(1, Math.max(0, x - left));
  const down = Math.min(1, Math.max(0, y - top));
  const at = top * side + left;
  const above = values[at] * (1 - right) + values[at + 1] * right;
  const below = values[at + side] * (1 - right) + values[at + side + 1] * right;
  return above * (1 - down) + below * down;
}
