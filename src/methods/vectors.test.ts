/** A vector is an image of 1x1: what every method must do with vectors. */
import { describe, expect, test } from "vitest";
import { blobDataset } from "../../test/blobs.ts";
import { allImages, labelsOf } from "../../test/datasets.ts";
import { subjects } from "../../test/method-subjects.ts";
import { shapeDataset } from "../../test/shapes.ts";
import { InputError } from "../files/errors.ts";
import { accuracy } from "../metrics/external.ts";
import { fitFcaeKms } from "./baselines/fcae-kms.ts";
import { fitDbc } from "./dbc/dbc.ts";
import { estimateK } from "./dbc/estimate-k.ts";

const vectors = blobDataset({ groups: 3, count: 90, dimensions: 20, distance: 3 });

test("numbers of vectors are of any size and sign", () => {
  const values = allImages(vectors);
  expect(Math.min(...values)).toBeLessThan(-1);
  expect(Math.max(...values)).toBeGreaterThan(1);
});

describe.each(subjects)("$name", ({ cluster }) => {
  test("finds three blobs", async () => {
    const fitted = await cluster(vectors, { k: 3 });
    expect(accuracy(labelsOf(vectors), fitted.assignments)).toBe(1);
    expect(fitted.features.every(Number.isFinite)).toBe(true);
  });
});

test("the boosted preset begins with principal components, and nothing is trained before stage II", async () => {
  const asked = { pretrainEpochs: 5, autoEncoders: 2, overClusteringEpochs: 3 };
  const { settings, history, architecture } = await fitDbc(vectors, { k: 3, epochs: 2, threads: 1, ...asked });
  expect(settings).toMatchObject({ vectorEncoder: "linear", initialClusters: "agreement", augmentation: "none" });
  expect(settings).toMatchObject({ pretrainEpochs: 0, autoEncoders: 1, overClusteringEpochs: 0 });
  expect(new Set(history.map(({ stage }) => stage))).toEqual(new Set(["clustering"]));
  expect(architecture.image).toEqual(vectors.image);
});

test("the paper's preset trains a dense auto-encoder", async () => {
  const short = { pretrainEpochs: 4, epochs: 2, threads: 1 };
  const { settings, history, assignments } = await fitDbc(vectors, { k: 3, preset: "paper", ...short });
  expect(settings).toMatchObject({ vectorEncoder: "dense", initialClusters: "k-means" });
  expect(history.filter(({ stage }) => stage === "auto-encoder")).toHaveLength(4);
  expect(accuracy(labelsOf(vectors), assignments)).toBe(1);
});

test("the number of blobs is estimated", async () => {
  const { k } = await estimateK(vectors, { threads: 1 });
  expect(k).toBe(3);
});

test.each([
  ["dbc", fitDbc],
  ["fcae-kms", fitFcaeKms],
])("%s refuses what vectors cannot have, and images not either", async (_, cluster) => {
  const moved = cluster(vectors, { k: 3, augmentation: "move" });
  await expect(moved).rejects.toThrow(InputError);
  await expect(moved).rejects.toThrow(/^augmentation "move" changes images, and these are vectors; leave it out/);
  const encoded = cluster(shapeDataset(40), { k: 3, vectorEncoder: "linear" });
  await expect(encoded).rejects.toThrow(InputError);
  await expect(encoded).rejects.toThrow("vectorEncoder is for vectors, and these are images; leave it out");
});
