/** Synthetic images with known groups: each group is a pattern of its own, shifted, dimmed and with noise. */
import type { Dataset } from "../src/images/dataset.ts";
import { Random } from "../src/numeric/random.ts";

const side = 12;

/** A horizontal bar, a vertical bar, a frame, a diagonal: whether the pixel at (row, column) is set. */
const patterns: ((row: number, column: number) => boolean)[] = [
  (row) => row >= 4 && row < 7,
  (_, column) => column >= 4 && column < 7,
  (row, column) => Math.max(Math.abs(row - 5.5), Math.abs(column - 5.5)) > 3.5,
  (row, column) => Math.abs(row - column) < 2,
];

/** `count` images of 12x12, image i of group i mod 4. */
export function shapeDataset(count: number, seed = 0): Dataset {
  const random = new Random(seed, "shapes");
  const pixels = new Float32Array(count * side * side);
  const values = Int32Array.from({ length: count }, (_, image) => image % patterns.length);
  values.forEach((group, image) => {
    const [down, right] = [random.integer(3) - 1, random.integer(3) - 1];
    const brightness = 0.6 + 0.4 * random.uniform();
    for (let place = 0; place < side * side; place++) {
      const on = patterns[group](Math.floor(place / side) - down, (place % side) - right);
      pixels[image * side * side + place] = 0.8 * (on ? brightness : 0) + 0.2 * random.uniform();
    }
  });
  return {
    name: "shapes",
    origin: { source: "shapes" },
    count,
    image: { channels: 1, height: side, width: side },
    labels: { names: patterns.map((_, group) => `shape ${group}`), values },
    skipped: [],
    fingerprint: `shapes ${count} ${seed}`,
    itemName: String,
    read(indices, target) {
      for (let place = 0; place < indices.length; place++)
        target.set(
          pixels.subarray(indices[place] * side * side, (indices[place] + 1) * side * side),
          place * side * side,
        );
    },
    close() {},
  };
}

/** Some images are checkerboards, which are like no shape. */
export function withCheckerboards(shapes: Dataset, places: readonly number[]): Dataset {
  const { width, height } = shapes.image;
  const board = Float32Array.from(
    { length: width * height },
    (_, pixel) => ((pixel % width) + Math.floor(pixel / width)) % 2,
  );
  return {
    ...shapes,
    read(indices, target) {
      shapes.read(indices, target);
      for (let place = 0; place < indices.length; place++)
        if (places.includes(indices[place])) target.set(board, place * board.length);
    },
  };
}
