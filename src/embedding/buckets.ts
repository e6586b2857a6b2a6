/** Points of the plane sorted into square buckets, row by row, so that points near in the plane are near in memory. */

/** The square that holds a set of points. */
export interface Box {
  /** The smallest coordinates. */
  readonly corner: readonly [number, number];
  readonly width: number;
}

export interface Buckets {
  /** Buckets per row; the first and the last of each row are empty, and so is the last row. */
  readonly columns: number;
  /** The points of bucket c are those from starts[c] up to starts[c + 1]. */
  readonly starts: Uint32Array;
  /** [rows, 2]: the points in the order of their buckets. */
  readonly points: Float64Array;
  /** The index of each among the given points. */
  readonly order: Uint32Array;
}

export function boxOf(points: Float64Array): Box {
  const across = rangeOf(points, 0);
  const along = rangeOf(points, 1);
  return {
    corner: [across.smallest, along.smallest],
    width: Math.max(across.largest - across.smallest, along.largest - along.smallest),
  };
}

function rangeOf(points: Float64Array, axis: number): { readonly smallest: number; readonly largest: number } {
  let smallest = Number.POSITIVE_INFINITY;
  let largest = Number.NEGATIVE_INFINITY;
  for (let i = axis; i < points.length; i += 2) {
    if (points[i] < smallest) smallest = points[i];
    if (points[i] > largest) largest = points[i];
  }
  return { smallest, largest };
}

/** Sorts points [rows, 2] into buckets of the given side. */
export function sortIntoBuckets(points: Float64Array, { corner, width }: Box, side: number): Buckets {
  const filled = Math.floor(width / side) + 1;
  const columns = filled + 2;
  const rows = points.length / 2;
  const buckets = new Uint32Array(rows);
  const starts = new Uint32Array((filled + 1) * columns + 1);
  for (let point = 0; point < rows; point++) {
    const row = Math.floor((points[2 * point] - corner[0]) / side);
    const column = Math.floor((points[2 * point + 1] - corner[1]) / side) + 1;
    buckets[point] = row * columns + column;
    starts[buckets[point] + 1]++;
  }
  for (let bucket = 1; bucket < starts.length; bucket++) starts[bucket] += starts[bucket - 1];
  const next = starts.slice();
  const order = new Uint32Array(rows);
  const sorted = new Float64Array(points.length);
  for (let point = 0; point < rows; point++) {
    const place = next[buckets[point]]++;
    order[place] = point;
    sorted[2 * place] = points[2 * point];
    sorted[2 * place + 1] = points[2 * point + 1];
  }
  return { columns, starts, points: sorted, order };
}
