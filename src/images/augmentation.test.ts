import { describe, expect, it } from "vitest";
import { Random } from "../numeric/random.ts";
import { augment, augmentations } from "./augmentation.ts";

const size = { channels: 3, height: 12, width: 10 };
const pixels = 3 * 12 * 10;

function someImages(count: number): Float32Array {
  const random = new Random(7, "images");
  return Float32Array.from({ length: count * pixels }, () => random.uniform());
}

const changed = (kind: (typeof augmentations)[number], seed: number): Float32Array => {
  const images = someImages(5);
  augment(images, size, kind, new Random(seed));
  return images;
};

describe.each(augmentations)("augmentation %s", (kind) => {
  it("depends on the seed alone", () => {
    expect(changed(kind, 3)).toEqual(changed(kind, 3));
    if (kind !== "none") expect(changed(kind, 3)).not.toEqual(changed(kind, 4));
  });

  it("keeps shape and range", () => {
    const images = changed(kind, 1);
    expect(images.length).toBe(5 * pixels);
    expect(images.every((value) => value >= 0 && value <= 1)).toBe(true);
  });
});

it("changes nothing if the kind is none", () => {
  expect(changed("none", 1)).toEqual(someImages(5));
});

it("leaves an image of one colour unchanged, however it moves", () => {
  const images = new Float32Array(4 * pixels).fill(0.25);
  augment(images, size, "move", new Random(0));
  for (const value of images) expect(value).toBeCloseTo(0.25, 6);
});

/** The centre of brightness, from left (−1) to right (1). */
function balance(image: Float32Array, { height, width }: { height: number; width: number }): number {
  let [weighted, total] = [0, 0];
  for (let place = 0; place < height * width; place++) {
    weighted += image[place] * ((2 * (place % width)) / (width - 1) - 1);
    total += image[place];
  }
  return weighted / total;
}

describe("mirroring", () => {
  const grey = { channels: 1, height: 16, width: 16 };
  const leftHalf = Float32Array.from({ length: 256 }, (_, place) => (place % 16 < 5 ? 1 : 0));
  const balances = (kind: "move" | "photo"): number[] =>
    Array.from({ length: 40 }, (_, seed) => {
      const image = leftHalf.slice();
      augment(image, grey, kind, new Random(seed));
      return balance(image, grey);
    });

  it("never happens to images that only move: a digit stays a digit", () => {
    expect(balances("move").every((value) => value < -0.2)).toBe(true);
  });

  it("happens to about half of the photos", () => {
    const mirrored = balances("photo").filter((value) => value > 0).length;
    expect(mirrored).toBeGreaterThan(10);
    expect(mirrored).toBeLessThan(30);
  });
});
