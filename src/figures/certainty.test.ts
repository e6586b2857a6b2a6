import { expect, test } from "vitest";
import { certainShapes } from "../../test/certain-shapes.ts";
import { expectStoredPicture } from "../../test/stored-pictures.ts";
import { certaintyFigure, certaintyPicture, selectCertainty } from "./certainty.ts";

const shapes = certainShapes(60);

test("the highest and the lowest scores of each cluster are selected", () => {
  for (const { cluster, most, least } of selectCertainty(shapes, 4)) {
    const scores = Array.from(shapes.certainty)
      .filter((_, image) => shapes.assignments[image] === cluster)
      .sort((a, b) => b - a);
    expect(most.map(({ score }) => score)).toEqual(scores.slice(0, 4));
    expect(least.map(({ score }) => score)).toEqual(scores.slice(-4).reverse());
  }
});

test("no image of a small cluster is at both ends", () => {
  const [only] = selectCertainty({ k: 1, assignments: [0, 0, 0], certainty: [0.3, 0.9, 0.6] }, 5);
  expect(only.most.map(({ image }) => image)).toEqual([1, 2]);
  expect(only.least.map(({ image }) => image)).toEqual([0]);
});

test("the figure has one row per cluster, and each image has its score", async () => {
  const picture = certaintyPicture({ ...shapes, count: 3, title: "Sure and unsure", names: ["a", "b", "c", "d"] });
  await expectStoredPicture("certainty", picture);
  expect(picture.overlay.match(/>0\.\d\d</g)).toHaveLength(4 * 2 * 3);
  expect((await certaintyFigure({ ...shapes, count: 3 })).subarray(1, 4).toString()).toBe("PNG");
});
