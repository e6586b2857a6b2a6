import { expect, test } from "vitest";
import { firstImages, ofClasses, unlabelled } from "../../../test/datasets.ts";
import { shapeDataset } from "../../../test/shapes.ts";
import { openDataset } from "../../images/sources/open.ts";
import { estimateK } from "./estimate-k.ts";

const quick = { pretrainEpochs: 20, threads: 1 } as const;

test("three digits are counted", async () => {
  const digits = ofClasses(firstImages(await openDataset("mnist-test"), 2500), [0, 1, 6]);
  expect((await estimateK(digits, quick)).k).toBe(3);
  digits.close();
});

test("the same seed gives the same estimate, labels or no labels; another seed other evidence", async () => {
  const shapes = shapeDataset(200);
  const short = { ...quick, pretrainEpochs: 2, overClusteringEpochs: 1 };
  const estimate = await estimateK(shapes, short);
  expect(await estimateK(unlabelled(shapes), short)).toEqual(estimate);
  expect((await estimateK(shapes, { ...short, seed: 1 })).evidence).not.toEqual(estimate.evidence);
});

test.each([
  [{ most: 1 }, 400, "most must be a whole number from 2, not 1"],
  [{}, 30, "30 images are too few to tell how many clusters they have"],
])("%j with %i images is refused", async (options, count, message) => {
  await expect(estimateK(shapeDataset(count), options)).rejects.toThrow(message);
});
