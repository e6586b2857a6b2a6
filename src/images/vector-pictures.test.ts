import { expect, test } from "vitest";
import { blobDataset } from "../../test/blobs.ts";
import { allImages } from "../../test/datasets.ts";
import { vectorPictures } from "./vector-pictures.ts";

test("each number is a square, the brighter the larger; what is left of the picture is black", () => {
  const vectors = blobDataset({ groups: 2, count: 40, dimensions: 7, distance: 3 });
  const pictures = vectorPictures(vectors);
  expect(pictures.image).toEqual({ channels: 1, height: 3, width: 3 });
  const [numbers, pixels] = [allImages(vectors), allImages(pictures)];
  expect(pixels.every((value) => value >= 0 && value <= 1)).toBe(true);
  for (let d = 0; d < 9; d++) {
    const column = Array.from({ length: 40 }, (_, row) => ({
      number: numbers[7 * row + d],
      pixel: pixels[9 * row + d],
    }));
    if (d >= 7) expect(column.every(({ pixel }) => pixel === 0)).toBe(true);
    else {
      const shades = column.sort((a, b) => a.number - b.number).map(({ pixel }) => pixel);
      expect(shades).toEqual([...shades].sort((a, b) => a - b));
      expect(shades[39]).toBeGreaterThan(shades[0]);
    }
  }
});

test("names, labels and order are those of the vectors", () => {
  const vectors = blobDataset({ groups: 2, count: 10, dimensions: 4, distance: 3 });
  const pictures = vectorPictures(vectors);
  expect(pictures).toMatchObject({ count: 10, labels: vectors.labels, fingerprint: vectors.fingerprint });
  const all = allImages(pictures);
  const some = new Float32Array(8);
  pictures.read([7, 2], some);
  expect([...some]).toEqual([...all.subarray(28, 32), ...all.subarray(8, 12)]);
});

test("of long vectors the first numbers are drawn; a number that is always the same is grey", () => {
  const vectors = blobDataset({ groups: 1, count: 3, dimensions: 1500, distance: 0 });
  const pictures = vectorPictures({ ...vectors, read: (indices, target) => target.fill(7, 0, 1500 * indices.length) });
  expect(pictures.image).toEqual({ channels: 1, height: 32, width: 32 });
  expect(allImages(pictures).every((value) => value === 0.5)).toBe(true);
});
