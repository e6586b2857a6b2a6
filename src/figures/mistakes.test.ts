import { expect, test } from "vitest";
import { certainShapes } from "../../test/certain-shapes.ts";
import { expectStoredPicture } from "../../test/stored-pictures.ts";
import { optimalMap } from "../metrics/external.ts";
import { mistakesFigure, mistakesPicture, selectMistakes } from "./mistakes.ts";

const shapes = certainShapes(200);

test("mistakes are wrong, over the threshold, sorted by score, and complete", () => {
  const map = optimalMap(shapes.labels, shapes.assignments);
  const mistakes = selectMistakes(shapes);
  expect(mistakes.length).toBeGreaterThan(5);
  for (const { image, score, cluster, label, mapped } of mistakes) {
    expect(cluster).toBe(shapes.assignments[image]);
    expect(label).toBe(shapes.labels[image]);
    expect(mapped).toBe(map.get(cluster));
    expect(mapped).not.toBe(label);
    expect(score).toBeGreaterThan(0.6);
  }
  const scores = mistakes.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  const wrong = [...shapes.labels.keys()].filter(
    (image) => map.get(shapes.assignments[image]) !== shapes.labels[image],
  );
  expect(mistakes.length).toBe(wrong.filter((image) => shapes.certainty[image] > 0.6).length);
  expect(selectMistakes({ ...shapes, most: 3 })).toEqual(mistakes.slice(0, 3));
});

test("each mistake shows the label of its cluster: a number in the corner, a word below", async () => {
  const names = ["across", "down", "frame", "slash"];
  const picture = mistakesPicture({ ...shapes, names, most: 8, columns: 4, title: "Confident mistakes" });
  await expectStoredPicture("mistakes-named", picture);
  await expectStoredPicture("mistakes", mistakesPicture({ ...shapes, most: 8, columns: 4 }));
  expect((await mistakesFigure({ ...shapes, most: 8 })).subarray(1, 4).toString()).toBe("PNG");
});

test("the figure says so where there are no mistakes", async () => {
  const { overlay } = mistakesPicture({ ...shapes, threshold: 1 });
  expect(overlay).toContain("No image with a score over 1 is in a wrong cluster.");
});

test("a cluster may be mapped to no label", () => {
  const [mistake] = selectMistakes({ k: 2, labels: [0, 0, 0], assignments: [0, 0, 1], certainty: [0.9, 0.9, 0.9] });
  expect(mistake).toMatchObject({ image: 2, mapped: undefined });
});

test("every image needs a label, and every label a name", () => {
  expect(() => selectMistakes({ ...shapes, labels: [0, 1] })).toThrow("2 true labels and 200 predicted ones");
  expect(() => mistakesPicture({ ...shapes, names: ["across"] })).toThrow("has no name; there are 1 names");
});
