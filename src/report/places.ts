/** Coordinates of maps as whole numbers: fine enough for any screen, and short. */

/** Coordinates are from 0 to this, unless something else is asked for. */
export const extent = 4095;

/** [points, 2], centred, at the same scale along both axes; larger y is higher on the screen. */
export function wholePlaces(map: Float32Array, most = extent): number[] {
  const columns = [0, 1].map((axis) => map.filter((_, index) => index % 2 === axis));
  const ranges = columns.map((values) => rangeOf(values));
  const scale = most / (Math.max(...ranges.map(({ low, high }) => high - low)) || 1);
  return Array.from(map, (value, index) => {
    const { low, high } = ranges[index % 2];
    const place = most / 2 + (value - (low + high) / 2) * scale;
    return Math.round(index % 2 === 0 ? place : most - place);
  });
}

function rangeOf(values: Float32Array): { low: number; high: number } {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return { low, high };
}

/** `size` of the numbers from 0 to count − 1, spread evenly; all if there are no more. */
export const evenly = (count: number, size: number): number[] =>
  Array.from({ length: Math.min(count, size) }, (_, index) => Math.floor((index * count) / Math.min(count, size)));
