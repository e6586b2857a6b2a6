import { expect, test } from "vitest";
import { expectStoredSvg } from "../../test/stored-pictures.ts";
import { confusionFigure } from "./confusion.ts";

/** The texts of a figure, in order. */
const written = (svg: string): string[] => [...svg.matchAll(/>([^<>\n]+)<\/text>/g)].map(([, content]) => content);

test("clusters are in the columns of their classes, with counts", () => {
  const truth = [0, 0, 0, 1, 1, 2, 2, 2, 2];
  const predicted = [1, 1, 0, 2, 2, 0, 0, 0, 2];
  const svg = confusionFigure({ truth, predicted, names: ["ant", "bee", "cat"], title: "Three animals" });
  expectStoredSvg("confusion", svg);
  expect(written(svg)).toEqual([
    ...["Three animals", "class", "ant", "bee", "cat", "cluster", "1", "2", "0"],
    ...["2", "1", "2", "1", "3"],
  ]);
});

test("there may be more clusters than classes, or fewer", () => {
  expect(written(confusionFigure({ truth: [0, 0, 1], predicted: [2, 4, 3] }))).toContain("4");
  expect(written(confusionFigure({ truth: [0, 1, 2], predicted: [0, 0, 1] }))).toContain("–");
});

test("a hundred classes leave no room for counts, nor for the name of every cluster", () => {
  const truth = Array.from({ length: 300 }, (_, image) => image % 100);
  const words = written(confusionFigure({ truth, predicted: truth }));
  expect(words).not.toContain("3.0");
  expect(words.length).toBeLessThan(2 + 100 + 60);
});

test("every class needs a name where names are given", () => {
  expect(() => confusionFigure({ truth: [0, 1], predicted: [0, 1], names: ["ant"] })).toThrow(
    "class 1 has no name; there are 1 names",
  );
});
