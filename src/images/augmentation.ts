/**
 * Small random changes that keep the meaning of an image: a network that sees a new version each time learns what the
 * versions have in common.
 */

import type { Random } from "../numeric/random.ts";
import { type ImageSize, pixelCount } from "./image.ts";

/**
 * "none"; "move": a shift, a rotation and a change of size, which preserve the meaning of digits, letters and objects;
 * "photo": also mirrored left to right, brighter or darker, with more or less contrast.
 */
export const augmentations = ["none", "move", "photo"] as const;
export type Augmentation = (typeof augmentations)[number];

/** The largest changes: relative to the side; in radians; relative to the size, the range from 0 to 1, the contrast. */
const most = { shift: 0.1, rotation: (10 * Math.PI) / 180, zoom: 0.1, brightness: 0.1, contrast: 0.2 };

/** Changes each of the images, in place: rows of [channels, height, width], numbers from 0 to 1. */
export function augment(images: Float32Array, size: ImageSize, kind: Augmentation, random: Random): void {
  if (kind === "none") return;
  const pixels = pixelCount(size);
  const original = new Float32Array(pixels);
  for (let start = 0; start < images.length; start += pixels) {
    const image = images.subarray(start, start + pixels);
    original.set(image);
    move(original, image, size, randomMove(size, kind === "photo" && random.uniform() < 0.5, random));
    if (kind === "photo") light(image, around(most.brightness, random), 1 + around(most.contrast, random));
  }
}

/** From −most to most. */
const around = (most: number, random: Random): number => (2 * random.uniform() - 1) * most;

/** Maps a point of the new image to the old one, both relative to the centre: (y, x) ↦ matrix · (y, x) + shift. */
interface Move {
  readonly yy: number;
  readonly yx: number;
  readonly xy: number;
  readonly xx: number;
  readonly y: number;
  readonly x: number;
}

function randomMove({ height, width }: ImageSize, mirrored: boolean, random: Random): Move {
  const rotation = around(most.rotation, random);
  const zoom = 1 + around(most.zoom, random);
  const [cosine, sine] = [Math.cos(rotation) * zoom, Math.sin(rotation) * zoom];
  const direction = mirrored ? -1 : 1;
  return {
    yy: cosine,
    yx: -sine * direction,
    xy: sine,
    xx: cosine * direction,
    y: around(most.shift, random) * height,
    x: around(most.shift, random) * width,
  };
}

/** Bilinear interpolation between pixels; beyond the border, its pixels are repeated. */
function move(original: Float32Array, image: Float32Array, { height, width }: ImageSize, by: Move): void {
  const middleY = (height - 1) / 2;
  const middleX = (width - 1) / 2;
  const area = height * width;
  for (let place = 0, row = 0; row < height; row++) {
    const startY = by.yy * (row - middleY) - by.yx * middleX + by.y + middleY;
    const startX = by.xy * (row - middleY) - by.xx * middleX + by.x + middleX;
    for (let column = 0; column < width; column++, place++) {
      const y = within(startY + by.yx * column, height - 1);
      const x = within(startX + by.xx * column, width - 1);
      // The floor of a non-negative number, in half the time.
      const top = y | 0;
      const left = x | 0;
      const below = top < height - 1 ? width : 0;
      const beside = left < width - 1 ? 1 : 0;
      for (let corner = top * width + left, to = place; to < image.length; corner += area, to += area) {
        const above = between(original[corner], original[corner + beside], x - left);
        const under = between(original[corner + below], original[corner + below + beside], x - left);
        image[to] = between(above, under, y - top);
      }
    }
  }
}

const between = (a: number, b: number, share: number): number => a + (b - a) * share;

const within = (value: number, most: number): number => Math.max(0, Math.min(most, value));

function light(image: Float32Array, brightness: number, contrast: number): void {
  for (let i = 0; i < image.length; i++) image[i] = within((image[i] - 0.5) * contrast + 0.5 + brightness, 1);
}
