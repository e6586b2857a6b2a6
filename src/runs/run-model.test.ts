import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blobDataset } from "../../test/blobs.ts";
import { allImages } from "../../test/datasets.ts";
import { relativeError } from "../../test/evaluate.ts";
import { onnxModel } from "../../test/onnx-models.ts";
import { meansModel, stretched, writeColours, writeFiles } from "../../test/tiny-backbones.ts";
import { openBackbone } from "../backbones/backbone.ts";
import { backboneVectors } from "../backbones/vectors.ts";
import { openDataset } from "../images/sources/open.ts";
import { streamImages } from "../images/sources/stream.ts";
import { fitKms } from "../methods/baselines/kms.ts";
import { loadRun, saveRun } from "./run-folder.ts";
import { openRunModel } from "./run-model.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-run-model-"));
const images = join(folder, "colours");
beforeAll(() => writeColours(images, 14));
afterAll(() => rmSync(folder, { recursive: true }));

const quick = { k: 3, restarts: 2, threads: 1 } as const;

/** Saves a run through a backbone that takes so many images at once. */
async function runThrough(batch: number | string) {
  const run = join(folder, `run ${batch}`);
  const files = { "onnx/model.onnx": onnxModel(meansModel("embedding", batch)), "preprocessor_config.json": stretched };
  const backbone = await openBackbone(writeFiles(join(folder, `backbone ${batch}`), files));
  const cacheFolder = join(folder, "cache");
  const vectors = await backboneVectors(await openDataset(images, { cacheFolder }), backbone, { cacheFolder });
  const fitted = await fitKms(vectors, quick);
  saveRun(run, fitted, vectors, { backbone });
  vectors.close();
  return { run, fitted };
}

test.each(["batch", 1, 4])("a model with a backbone that takes %s images gives the run's scores", async (batch) => {
  const { run, fitted } = await runThrough(batch);
  const model = await openRunModel(loadRun(run), { batch: 5, threads: 1 });
  const pixels: number[] = [];
  for await (const one of streamImages([images], model.input)) {
    if ("reason" in one) throw new Error(one.reason);
    pixels.push(...one.pixels);
  }
  const { features, scores } = await model.predict(Float32Array.from(pixels));
  await model.close();
  expect(relativeError(scores, fitted.scores)).toBeLessThan(1e-4);
  expect(relativeError(features, fitted.features)).toBeLessThan(1e-4);
});

test("a model of vectors takes vectors", async () => {
  const vectors = blobDataset({ groups: 3, count: 30, dimensions: 6, distance: 3 });
  const fitted = await fitKms(vectors, quick);
  const run = join(folder, "vectors");
  saveRun(run, fitted, vectors);
  const model = await openRunModel(loadRun(run), { threads: 1 });
  expect(model.input.image).toEqual(vectors.image);
  const { scores } = await model.predict(allImages(vectors));
  await model.close();
  expect(relativeError(scores, fitted.scores)).toBeLessThan(1e-5);
});

test("a model that is damaged is named", async () => {
  const { run } = await runThrough("batch");
  writeFileSync(join(run, "model.onnx"), "no model");
  await expect(openRunModel(loadRun(run))).rejects.toThrow(
    `${join(run, "model.onnx")}: this is no ONNX model any more; the run must be made again`,
  );
  rmSync(join(run, "model.onnx"));
  await expect(openRunModel(loadRun(run))).rejects.toThrow(/cannot read .*model\.onnx: it does not exist/);
});
