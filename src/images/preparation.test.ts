import { expect, test } from "vitest";
import { type DecodedPixels, type Preparation, preparedSides, prepareImage, resizedSides } from "./preparation.ts";

const kept: Preparation = { resize: undefined, resample: "bicubic", crop: undefined };

/** A grey image whose pixels are numbered from 1 on. */
const numbered = (width: number, height: number): DecodedPixels => ({
  width,
  height,
  channels: 1,
  data: Uint8Array.from({ length: width * height }, (_, at) => at + 1),
});

const redOf = (image: Uint8Array): number[] => Array.from(image.subarray(0, image.length / 3));

test("the shorter side becomes the shortest edge, and the longer one is rounded down", () => {
  const preparation: Preparation = { ...kept, resize: { shortestEdge: 256 } };
  expect(resizedSides({ width: 400, height: 534 }, preparation)).toEqual({ width: 256, height: 341 });
  expect(resizedSides({ width: 641, height: 427 }, preparation)).toEqual({ width: 384, height: 256 });
  expect(resizedSides({ width: 10, height: 10 }, preparation)).toEqual({ width: 256, height: 256 });
});

test("the longest edge limits the longer side", () => {
  const preparation: Preparation = { ...kept, resize: { shortestEdge: 256, longestEdge: 300 } };
  expect(resizedSides({ width: 400, height: 534 }, preparation)).toEqual({ width: 225, height: 300 });
  expect(resizedSides({ width: 534, height: 500 }, preparation)).toEqual({ width: 273, height: 256 });
});

test("the crop is the middle; what is left over is cut off at the end", () => {
  expect(redOf(prepareImage(numbered(5, 4), { ...kept, crop: { height: 1, width: 2 } }))).toEqual([7, 8]);
});

test("an image smaller than the crop is padded with black, more so before it", () => {
  const image = prepareImage(numbered(2, 1), { ...kept, crop: { height: 2, width: 5 } });
  expect(redOf(image)).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 2, 0]);
});

test("one side may be padded and the other one cropped", () => {
  const image = prepareImage(numbered(4, 1), { ...kept, crop: { height: 3, width: 2 } });
  expect(redOf(image)).toEqual([0, 0, 2, 3, 0, 0]);
});

test("a grey image has three equal channels; colours come channel by channel", () => {
  expect([...prepareImage(numbered(2, 1), kept)]).toEqual([1, 2, 1, 2, 1, 2]);
  const data = Uint8Array.of(1, 2, 3, 4, 5, 6);
  expect([...prepareImage({ data, width: 2, height: 1, channels: 3 }, kept)]).toEqual([1, 4, 2, 5, 3, 6]);
});

test("the size is known where it depends on no image", () => {
  const sides = { height: 3, width: 2 };
  expect(preparedSides({ ...kept, crop: sides })).toEqual(sides);
  expect(preparedSides({ ...kept, resize: sides })).toEqual(sides);
  expect(preparedSides({ ...kept, resize: { shortestEdge: 3 } })).toBeUndefined();
  expect(preparedSides(kept)).toBeUndefined();
});
