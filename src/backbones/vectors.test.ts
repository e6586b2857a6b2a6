import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { npy } from "../../test/array-files.ts";
import { relativeError } from "../../test/evaluate.ts";
import { constant, type Graph, node, onnxModel, value } from "../../test/onnx-models.ts";
import {
  channelMeans,
  evened,
  imagesOf,
  means,
  meansModel,
  normalized,
  stretched,
  tokensModel,
  writeFiles,
  writePictures,
} from "../../test/tiny-backbones.ts";
import { InputError } from "../files/errors.ts";
import type { Dataset } from "../images/dataset.ts";
import { prepareImage } from "../images/preparation.ts";
import { vectorsFolder } from "../images/sources/decoded-cache.ts";
import { openDataset } from "../images/sources/open.ts";
import { prepareFile } from "../images/sources/prepared-file.ts";
import { openVectors } from "../images/sources/vectors-file.ts";
import type { Backbone } from "../network/backbone.ts";
import { type OpenBackboneOptions, openBackbone } from "./backbone.ts";
import { type BackboneVectorsOptions, backboneVectors } from "./vectors.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Two batches of 16, and eight more. */
const count = 40;
const pictures = join(folder, "pictures");
beforeAll(() => writePictures(pictures, count));

let folders = 0;
const newFolder = (): string => join(folder, String(folders++));

function backboneOf(graph: Graph, config: object = stretched, options: OpenBackboneOptions = {}): Promise<Backbone> {
  const files = { "onnx/model.onnx": onnxModel(graph), "preprocessor_config.json": config };
  return openBackbone(writeFiles(newFolder(), files), options);
}

const openPictures = (source = pictures): Promise<Dataset> =>
  openDataset(source, { cacheFolder: join(folder, "decoded") });

interface Outcome {
  readonly values: Float32Array;
  /** Images done after each batch that was computed. */
  readonly progress: readonly number[];
}

async function vectorsOf(dataset: Dataset, backbone: Backbone, options: BackboneVectorsOptions): Promise<Outcome> {
  const progress: number[] = [];
  const vectors = await backboneVectors(dataset, backbone, { onProgress: (done) => progress.push(done), ...options });
  const values = new Float32Array(vectors.count * backbone.size);
  vectors.read([...Array(vectors.count).keys()], values);
  return { values, progress };
}

/** The one file of a cache with one backbone's vectors. */
function cacheFile(cacheFolder: string): string {
  const files = readdirSync(vectorsFolder(cacheFolder));
  expect(files).toHaveLength(1);
  return join(vectorsFolder(cacheFolder), files[0]);
}

test("each image has its own vector, in the order of the images, with their names and labels", async () => {
  const backbone = await backboneOf(meansModel("features"));
  const dataset = await openPictures();
  const cacheFolder = newFolder();
  const { values, progress } = await vectorsOf(dataset, backbone, { cacheFolder });
  expect(progress).toEqual([16, 32, 40]);
  for (let index = 0; index < count; index++) {
    const prepared = await prepareFile(join(pictures, dataset.itemName(index)), backbone.preparation);
    if ("reason" in prepared) throw new Error(prepared.reason);
    const found = values.subarray(3 * index, 3 * index + 3);
    expect(relativeError(found, evened(means(normalized(prepared.result))))).toBeLessThan(1e-5);
  }
  const vectors = await backboneVectors(dataset, backbone, { cacheFolder });
  expect(vectors).toMatchObject({ count, pictures: dataset, image: { channels: 3, height: 1, width: 1 } });
  expect(vectors.itemName(7)).toBe(dataset.itemName(7));
  expect(vectors.fingerprint).not.toBe(dataset.fingerprint);
  const two = new Float32Array(6);
  vectors.read([30, 2], two);
  expect([...two]).toEqual([...values.subarray(90, 93), ...values.subarray(6, 9)]);
});

test("what was computed is not computed again, also where files have moved and been renamed", async () => {
  const backbone = await backboneOf(meansModel("features"));
  const cacheFolder = newFolder();
  const first = await vectorsOf(await openPictures(), backbone, { cacheFolder });
  const again = await vectorsOf(await openPictures(), backbone, { cacheFolder });
  expect(again).toEqual({ values: first.values, progress: [] });

  const moved = newFolder();
  mkdirSync(moved);
  for (const [index, name] of readdirSync(pictures).sort().entries())
    copyFileSync(join(pictures, name), join(moved, `${String(count - 1 - index).padStart(3, "0")} moved.png`));
  const elsewhere = await vectorsOf(await openPictures(moved), backbone, { cacheFolder });
  expect(elsewhere.progress).toEqual([]);
  for (let index = 0; index < count; index++)
    expect(elsewhere.values.subarray(3 * (count - 1 - index)).subarray(0, 3)).toEqual(
      first.values.subarray(3 * index, 3 * index + 3),
    );
});

test("who is stopped goes on where it was", async () => {
  const backbone = await backboneOf(meansModel("features"));
  const expected = await vectorsOf(await openPictures(), backbone, { cacheFolder: newFolder() });
  const cacheFolder = newFolder();
  const stop = new AbortController();
  const stopped = backboneVectors(await openPictures(), backbone, {
    cacheFolder,
    signal: stop.signal,
    onProgress: (done) => {
      if (done === 32) stop.abort();
    },
  });
  await expect(stopped).rejects.toThrow("aborted");
  const rest = await vectorsOf(await openPictures(), backbone, { cacheFolder });
  expect(rest).toEqual({ values: expected.values, progress: [40] });
});

test("a cache file that was cut off or damaged costs the vectors that are missing, and no others", async () => {
  const backbone = await backboneOf(meansModel("features"));
  const cacheFolder = newFolder();
  const dataset = await openPictures();
  const computed = () => readFileSync(cacheFile(cacheFolder)).length / recordLength;
  const expected = await vectorsOf(dataset, backbone, { cacheFolder });
  const file = cacheFile(cacheFolder);
  const whole = readFileSync(file);
  const recordLength = whole.length / count;

  writeFileSync(file, whole.subarray(0, whole.length - 5));
  expect(await vectorsOf(dataset, backbone, { cacheFolder })).toEqual({ values: expected.values, progress: [40] });
  expect(computed()).toBe(count);

  const damaged = Buffer.from(whole);
  damaged[Math.floor(10.5 * recordLength)] ^= 1;
  writeFileSync(file, damaged);
  expect(await vectorsOf(dataset, backbone, { cacheFolder })).toEqual({ values: expected.values, progress: [40] });
  expect(computed()).toBe(count + 1);
  expect(await vectorsOf(dataset, backbone, { cacheFolder })).toEqual({ values: expected.values, progress: [] });

  writeFileSync(file, "no vectors");
  expect((await vectorsOf(dataset, backbone, { cacheFolder })).values).toEqual(expected.values);
});

test("the same image has other vectors for another preparation, normalization, output or model", async () => {
  const cacheFolder = newFolder();
  const dataset = await openPictures();
  const tokens = tokensModel({ pooled: "pooler_output" });
  const backbones = [
    await backboneOf(tokens),
    await backboneOf(tokens, { ...stretched, resample: 0 }),
    await backboneOf(tokens, { ...stretched, image_mean: [0, 0, 0] }),
    await backboneOf(tokens, { ...stretched, image_std: [1, 1, 1] }),
    await backboneOf(tokens, stretched, { output: "last_hidden_state" }),
    await backboneOf(tokens, stretched, { output: "last_hidden_state:mean" }),
    await backboneOf(meansModel("embedding")),
  ];
  const fingerprints = new Set<string>();
  for (const [index, backbone] of backbones.entries()) {
    expect((await vectorsOf(dataset, backbone, { cacheFolder })).progress).toEqual([16, 32, 40]);
    expect(readdirSync(vectorsFolder(cacheFolder))).toHaveLength(index + 1);
    fingerprints.add((await backboneVectors(dataset, backbone, { cacheFolder })).fingerprint);
  }
  expect(fingerprints.size).toBe(backbones.length);
  const sameElsewhere = await backboneOf(tokens);
  expect((await vectorsOf(dataset, sameElsewhere, { cacheFolder })).progress).toEqual([]);
});

test("vectors do not depend on how images fall into batches", async () => {
  const dataset = await openPictures();
  const found: Float32Array[] = [];
  for (const batch of ["batch", 1, 3, 16, 64]) {
    const graph: Graph = {
      inputs: imagesOf(batch),
      outputs: [value("features", [batch, 5])],
      nodes: [
        node("Conv", ["pixel_values", "kernel"], ["map"], { kernel_shape: [3, 3] }),
        node("Relu", ["map"], ["relu"]),
        ...channelMeans("features", { from: "relu" }),
      ],
      constants: [
        constant(
          "kernel",
          [5, 3, 3, 3],
          Array.from({ length: 135 }, (_, index) => Math.sin(index)),
        ),
      ],
    };
    found.push((await vectorsOf(dataset, await backboneOf(graph), { cacheFolder: newFolder() })).values);
  }
  for (const values of found) expect(relativeError(values, found[0])).toBeLessThan(1e-6);
});

test("grey images of an array, 28x28, are made larger and coloured, and known by their pixels", async () => {
  const bytes = Uint8Array.from({ length: 5 * 784 }, (_, index) => (index * 37 + (index % 784) * 3) % 256);
  const [file, same] = [join(folder, "digits.npy"), join(folder, "floats.npy")];
  writeFileSync(file, npy("|u1", [5, 28, 28], bytes));
  writeFileSync(
    same,
    npy(
      "<f4",
      [5, 28, 28],
      Float32Array.from(bytes, (byte) => byte / 255),
    ),
  );
  const config = { ...stretched, size: { height: 32, width: 32 } };
  const backbone = await backboneOf({ ...meansModel("features"), inputs: imagesOf("batch", 32) }, config);
  const cacheFolder = newFolder();
  const { values, progress } = await vectorsOf(await openDataset(file), backbone, { cacheFolder });
  expect(progress).toEqual([5]);
  for (let index = 0; index < 5; index++) {
    const data = bytes.subarray(784 * index, 784 * (index + 1));
    const prepared = prepareImage({ data, height: 28, width: 28, channels: 1 }, backbone.preparation);
    const found = values.subarray(3 * index, 3 * index + 3);
    expect(relativeError(found, evened(means(normalized(prepared))))).toBeLessThan(1e-5);
  }
  expect(await vectorsOf(await openDataset(same), backbone, { cacheFolder })).toEqual({ values, progress: [] });
});

test("images in colour of an array have the vectors of the same pixels in files", async () => {
  const [source, file] = [newFolder(), join(folder, "colours.npy")];
  const [height, width] = [9, 7];
  const bytes = Uint8Array.from({ length: 3 * height * width }, (_, index) => (index * index) % 251);
  writeFileSync(file, npy("|u1", [1, height, width, 3], bytes));
  mkdirSync(source);
  await sharp(bytes, { raw: { width, height, channels: 3 } })
    .png()
    .toFile(join(source, "same.png"));
  const backbone = await backboneOf(meansModel("features"));
  const ofArray = await vectorsOf(await openDataset(file), backbone, { cacheFolder: newFolder() });
  expect(ofArray).toEqual(await vectorsOf(await openPictures(source), backbone, { cacheFolder: newFolder() }));
});

test("a file that has vanished or changed meanwhile is named, and what was computed before it is kept", async () => {
  const backbone = await backboneOf(meansModel("features"));
  const [source, cacheFolder] = [newFolder(), newFolder()];
  await writePictures(source, 20);
  const dataset = await openPictures(source);
  const file = join(source, dataset.itemName(18));
  const content = readFileSync(file);
  rmSync(file);
  const attempt = vectorsOf(dataset, backbone, { cacheFolder });
  await expect(attempt).rejects.toThrow(InputError);
  await expect(attempt).rejects.toThrow(
    `${file}: it could be read before, and cannot be any more (it does not exist); put it back, or start again`,
  );
  writeFileSync(file, "no image");
  await expect(vectorsOf(dataset, backbone, { cacheFolder })).rejects.toThrow(`${file}: it has changed meanwhile (`);
  writeFileSync(file, content);
  expect((await vectorsOf(dataset, backbone, { cacheFolder })).progress).toEqual([20]);
});

test("vectors are no images, and numbers that are not finite are no vectors", async () => {
  const file = join(folder, "vectors.npy");
  writeFileSync(file, npy("<f4", [2, 5], new Float32Array(10)));
  const backbone = await backboneOf(meansModel("features"));
  const cacheFolder = newFolder();
  await expect(vectorsOf(await openVectors(file), backbone, { cacheFolder })).rejects.toThrow(
    /vectors.npy: its images are .*, and a backbone takes one channel or three; leave it out$/,
  );
  const divided: Graph = {
    ...meansModel("features"),
    nodes: [...channelMeans("means"), node("Div", ["means", "zero"], ["features"])],
    constants: [constant("zero", [1], [0])],
  };
  const attempt = vectorsOf(await openPictures(), await backboneOf(divided), { cacheFolder: newFolder() });
  await expect(attempt).rejects.toThrow(InputError);
  await expect(attempt).rejects.toThrow(/gives numbers that are not finite for image 000.png/);
});
