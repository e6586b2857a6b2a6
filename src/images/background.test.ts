import { describe, expect, test } from "vitest";
import { shapeDataset } from "../../test/shapes.ts";
import { dbcSettings } from "../methods/dbc/options.ts";
import { Random } from "../numeric/random.ts";
import { haveOneBackground } from "./background.ts";
import type { Dataset } from "./dataset.ts";

const side = 16;

type Pixel = (place: { image: number; channel: number; border: boolean }) => number;

/** `count` images with pixels as given. */
function imagesOf(channels: number, pixel: Pixel, count = 300): Dataset {
  const pixels = Float32Array.from({ length: count * channels * side * side }, (_, place) => {
    const row = Math.floor(place / side) % side;
    const column = place % side;
    return pixel({
      image: Math.floor(place / (channels * side * side)),
      channel: Math.floor(place / (side * side)) % channels,
      border: Math.min(row, column, side - 1 - row, side - 1 - column) === 0,
    });
  });
  const size = channels * side * side;
  return {
    ...shapeDataset(4),
    count,
    image: { channels, height: side, width: side },
    read: (indices, target) =>
      Array.from(indices).forEach((image, place) => {
        target.set(pixels.subarray(image * size, (image + 1) * size), place * size);
      }),
  };
}

const random = new Random(0, "backgrounds");
const noise = (): number => random.uniform();
const colours = [0.1, 0.5, 0.9];

const kinds: { [kind: string]: { images: Dataset; one: boolean } } = {
  "objects on one background": {
    images: imagesOf(3, ({ channel, border }) => (border ? colours[channel] + 0.05 * noise() : noise())),
    one: true,
  },
  "objects that sometimes reach the border": {
    images: imagesOf(3, ({ channel, image, border }) => (border && image % 3 > 0 ? colours[channel] : noise())),
    one: true,
  },
  "a background of its own for each image": {
    images: imagesOf(3, ({ image, channel }) => ((image * 7 + channel * 3) % 11) / 10),
    one: false,
  },
  "a background that differs in one channel": {
    images: imagesOf(3, ({ image, channel }) => (channel === 2 ? (image % 11) / 10 : colours[channel])),
    one: false,
  },
  noise: { images: imagesOf(3, noise), one: false },
};

describe.each(Object.entries(kinds))("%s", (_, { images, one }) => {
  test(one ? "have one background" : "have no common background", () => {
    expect(haveOneBackground(images)).toBe(one);
  });

  test(one ? "are only moved during training" : "are also mirrored and lit during training", () => {
    expect(dbcSettings(images, { k: 2 }).augmentation).toBe(one ? "move" : "photo");
  });
});

test("grey images are never mirrored, whatever their background: they may be digits", () => {
  expect(dbcSettings(imagesOf(1, noise), { k: 2 }).augmentation).toBe("move");
});
