import { expect, test } from "vitest";
import { certainShapes } from "../../test/certain-shapes.ts";
import { decodedPixels, expectStoredPicture } from "../../test/stored-pictures.ts";
import { galleryFigure, galleryPicture, selectTypical } from "./gallery.ts";

const shapes = certainShapes(60);

test("an image appears at most once, in its own cluster, and no omitted image has a higher score", () => {
  const rows = selectTypical(shapes, 5);
  const shown = rows.flatMap(({ typical }) => typical.map(({ image }) => image));
  expect(new Set(shown).size).toBe(shown.length);
  for (const { cluster, size, meanScore, typical } of rows) {
    const members = [...shapes.assignments.keys()].filter((image) => shapes.assignments[image] === cluster);
    const scores = members.map((image) => shapes.certainty[image]).sort((a, b) => b - a);
    expect(size).toBe(members.length);
    expect(meanScore).toBeCloseTo(scores.reduce((a, b) => a + b) / size, 6);
    expect(typical.map(({ score }) => score)).toEqual(scores.slice(0, 5));
    for (const { image } of typical) expect(members).toContain(image);
  }
});

test("the gallery has one row per cluster", async () => {
  await expectStoredPicture("gallery", galleryPicture({ ...shapes, count: 6, title: "Shapes" }));
});

test("the PNG has the picture's size in either theme, and an empty cluster has a row as well", async () => {
  for (const theme of ["light", "dark"] as const) {
    const options = { ...shapes, k: 5, count: 3, theme };
    const { raster, overlay } = galleryPicture(options);
    const { width, height, pixels } = await decodedPixels(await galleryFigure(options));
    expect([width, height]).toEqual([raster.width, raster.height]);
    expect([...pixels.subarray(0, 3)]).toEqual([...raster.pixels.subarray(0, 3)]);
    expect(overlay).toContain(">empty<");
  }
});

test("the same data give the same bytes", async () => {
  const [a, b] = await Promise.all([galleryFigure(shapes), galleryFigure(shapes)]);
  expect(Buffer.compare(a, b)).toBe(0);
});

test("images and assignments must be equal in number", () => {
  const { assignments, certainty } = certainShapes(8);
  expect(() => galleryPicture({ ...shapes, assignments, certainty })).toThrow("60 images and 8 assignments");
  expect(() => galleryPicture({ ...shapes, count: 0 })).toThrow("count must be a whole number from 1, not 0");
});
