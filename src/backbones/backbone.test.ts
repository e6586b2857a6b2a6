/** Models of the kinds that people publish, tiny: each vector is what one computes by hand. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { relativeError } from "../../test/evaluate.ts";
import { constant, type Graph, type ModelOptions, node, onnxModel, value } from "../../test/onnx-models.ts";
import {
  average,
  channelMeans,
  evened,
  imagesOf,
  mean,
  means,
  meansModel,
  normalized,
  side,
  std,
  stretched,
  tokensModel,
  writeFiles,
  writePictures,
} from "../../test/tiny-backbones.ts";
import { softScores } from "../clustering/soft-assignment.ts";
import { expectFloats } from "../engine/program.ts";
import { Session } from "../engine/session.ts";
import { constant as tensorConstant } from "../graph/tensor.ts";
import type { Preparation } from "../images/preparation.ts";
import { openDataset } from "../images/sources/open.ts";
import { prepareFile } from "../images/sources/prepared-file.ts";
import { type OpenBackboneOptions, openBackbone } from "./backbone.ts";
import { backboneVectors } from "./vectors.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-"));
const cacheFolder = join(folder, "cache");
const pictures = join(folder, "pictures");
beforeAll(() => writePictures(pictures, 6));
afterAll(() => rmSync(folder, { recursive: true }));

let folders = 0;
const write = (files: Readonly<Record<string, Uint8Array | object>>): string =>
  writeFiles(join(folder, `model${folders++}`), files);

/** As Hugging Face has it. */
const published = (graph: Graph, config: object = stretched, options?: ModelOptions): string =>
  write({ "onnx/model.onnx": onnxModel(graph, options), "preprocessor_config.json": config });

const open = (source: string, options: OpenBackboneOptions = {}) => openBackbone(source, { cacheFolder, ...options });

interface Expected {
  readonly output: string;
  readonly preparation?: Preparation;
  /** The vector of prepared pixels [3, height, width]. */
  readonly vector: (pixels: Uint8Array) => readonly number[];
  readonly options?: OpenBackboneOptions;
}

/** The vectors of the pictures, and what the backbone says of itself. */
async function expectVectors(source: string, { output, vector, options, ...expected }: Expected): Promise<void> {
  const backbone = await open(source, options);
  expect(backbone.output).toBe(output);
  expect(backbone).toMatchObject(expected);
  const dataset = await openDataset(pictures, { cacheFolder });
  const vectors = await backboneVectors(dataset, backbone, { cacheFolder });
  expect(vectors.image).toEqual({ channels: backbone.size, height: 1, width: 1 });
  const found = new Float32Array(backbone.size);
  for (let index = 0; index < dataset.count; index++) {
    vectors.read([index], found);
    const prepared = await prepareFile(join(pictures, dataset.itemName(index)), backbone.preparation);
    if ("reason" in prepared) throw new Error(prepared.reason);
    expect(relativeError(found, evened(vector(prepared.result)))).toBeLessThan(1e-5);
  }
  vectors.close();
}

const ofMeans = (pixels: Uint8Array): number[] => means(normalized(pixels));
const twice = (values: readonly number[]): number[] => values.map((one) => 2 * one);

test("DINOv2: the CLS token, of the middle of an image whose shorter side is 256", () => {
  const config = {
    ...{ image_processor_type: "BitImageProcessor", do_resize: true, size: { shortest_edge: 256 }, resample: 3 },
    ...{ do_center_crop: true, crop_size: { height: 224, width: 224 }, image_mean: mean, image_std: std },
  };
  return expectVectors(published(tokensModel({ size: 224 }), config), {
    output: "last_hidden_state, its CLS token",
    preparation: { resize: { shortestEdge: 256 }, resample: "bicubic", crop: { height: 224, width: 224 } },
    vector: (pixels) => twice(ofMeans(pixels)),
  });
});

test("CLIP: the part that sees, and its embedding", () => {
  const both: Graph = {
    ...meansModel("image_embeds"),
    inputs: [value("input_ids", ["batch", "length"], "int64"), ...imagesOf("batch")],
  };
  const source = write({
    "onnx/model.onnx": onnxModel(both),
    "onnx/vision_model.onnx": onnxModel(tokensModel({ pooled: "image_embeds" })),
    "preprocessor_config.json": stretched,
    "config.json": { architectures: ["CLIPModel"] },
  });
  return expectVectors(source, { output: "image_embeds", vector: ofMeans });
});

test("SigLIP: the pooled output, not the tokens", () =>
  expectVectors(published(tokensModel({ cls: false, pooled: "pooler_output" })), {
    output: "pooler_output",
    vector: ofMeans,
  }));

test("MobileCLIP: pixels from 0 to 1", () =>
  expectVectors(published(meansModel("image_embeds"), { ...stretched, do_normalize: false }), {
    output: "image_embeds",
    vector: (pixels) => means(normalized(pixels, { mean: [0, 0, 0], std: [1, 1, 1] })),
  }));

/** Classes of the doubled means, by a layer behind them. */
const classifier = (name: string): Graph => ({
  inputs: imagesOf("batch"),
  outputs: [value(name, ["batch", 2])],
  nodes: [
    ...channelMeans("means"),
    node("Mul", ["means", "two"], ["/vit/pooled"]),
    node("MatMul", ["/vit/pooled", "weights"], ["product"]),
    node("Constant", [], ["bias"], { value_ints: [1, 2] }),
    node("Cast", ["bias"], ["bias as floats"], { to: 1 }),
    node("Add", ["bias as floats", "product"], [name]),
  ],
  constants: [constant("two", [1], [2]), constant("weights", [3, 2], [1, 2, 3, 4, 5, 6])],
});

test("ViT for classification, as its config.json says: what the last layer looks at", () => {
  const files = { "onnx/model.onnx": onnxModel(classifier("result")), "preprocessor_config.json": stretched };
  const source = write({ ...files, "config.json": { architectures: ["ViTForImageClassification"] } });
  return expectVectors(source, { output: "/vit/pooled", vector: (pixels) => twice(ofMeans(pixels)) });
});

test("a classifier that gives its classes away by their name", () =>
  expectVectors(published(classifier("logits")), {
    output: "/vit/pooled",
    vector: (pixels) => twice(ofMeans(pixels)),
  }));

test("a network that ends in a convolution, as SqueezeNet does: the mean of the map before it", () => {
  const graph: Graph = {
    inputs: imagesOf("batch"),
    outputs: [value("softmaxout_1", ["batch", 2])],
    nodes: [
      node("Abs", ["pixel_values"], ["map"]),
      node("Conv", ["map", "kernel"], ["classes"], { kernel_shape: [1, 1] }),
      ...channelMeans("means", { from: "classes" }),
      node("Softmax", ["means"], ["softmaxout_1"], { axis: 1 }),
    ],
    constants: [constant("kernel", [2, 3, 1, 1], [1, 2, 3, 4, 5, 6])],
  };
  return expectVectors(published(graph), {
    output: "map, the mean of its map",
    vector: (pixels) => means(normalized(pixels).map((channel) => channel.map(Math.abs))),
  });
});

test("ConvNeXt: the mean of the map", () => {
  const map = value("last_hidden_state", ["batch", 3, "h", "w"]);
  const halves = { kernel_shape: [side / 2, side], strides: [side / 2, side] };
  const graph: Graph = {
    inputs: imagesOf("batch"),
    outputs: [map],
    nodes: [node("MaxPool", ["pixel_values"], [map.name], halves)],
  };
  return expectVectors(published(graph), {
    output: "last_hidden_state, the mean of its map",
    vector: (pixels) =>
      normalized(pixels).map((channel) =>
        average([0, 1].map((half) => Math.max(...channel.slice(half * 32, (half + 1) * 32)))),
      ),
  });
});

test("channels last, in the images and in the map", () => {
  const graph: Graph = {
    inputs: [value("input", ["batch", side, side, 3])],
    outputs: [value("map", ["batch", side, side, 3])],
    nodes: [node("Mul", ["input", "factors"], ["map"])],
    constants: [constant("factors", [3], [1, 2, 3])],
  };
  return expectVectors(published(graph), {
    output: "map, the mean of its map",
    vector: (pixels) => ofMeans(pixels).map((one, channel) => (channel + 1) * one),
  });
});

test.each([1, 4])("a batch of %i and no other", async (batch) => {
  const source = published(meansModel("features", batch));
  await expectVectors(source, { output: "features", vector: ofMeans });
  expect((await open(source)).batch).toBe(batch);
});

test("a batch that is free by name only is taken one by one", async () => {
  const graph: Graph = {
    inputs: imagesOf("batch"),
    outputs: [value("features", [1, 3])],
    nodes: [...channelMeans("means"), node("Reshape", ["means", "shape"], ["features"])],
    constants: [constant("shape", [2], [1, 3], "int64")],
  };
  const source = published(graph);
  await expectVectors(source, { output: "features", vector: ofMeans });
  expect((await open(source)).batch).toBe(1);
});

test("a size that is free: the description's, or 224 and ImageNet's numbers where there is none", async () => {
  const graph: Graph = { ...meansModel("features"), inputs: imagesOf("batch", "side") };
  expect((await open(published(graph))).batch).toBeUndefined();
  await expectVectors(published(graph), { output: "features", vector: ofMeans });
  const imageNet = { mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] };
  await expectVectors(join(write({ "alone.onnx": onnxModel(graph) }), "alone.onnx"), {
    output: "features",
    preparation: { resize: { shortestEdge: 256 }, resample: "bilinear", crop: { height: 224, width: 224 } },
    vector: (pixels) => means(normalized(pixels, imageNet)),
  });
});

test("half precision: images, weights and vectors", async () => {
  const graph: Graph = {
    inputs: [value("pixel_values", ["batch", 3, side, side], "float16")],
    outputs: [value("features", ["batch", 3, side, side], "float16")],
    nodes: [node("Mul", ["pixel_values", "weights"], ["features"])],
    constants: [constant("weights", [3, 1, 1], [2, -0.5, 4], "float16")],
  };
  const backbone = await open(published(graph));
  const dataset = await openDataset(pictures, { cacheFolder });
  const vectors = await backboneVectors(dataset, backbone, { cacheFolder });
  const found = new Float32Array(3);
  vectors.read([2], found);
  const prepared = await prepareFile(join(pictures, dataset.itemName(2)), backbone.preparation);
  if ("reason" in prepared) throw new Error(prepared.reason);
  const byHand = ofMeans(prepared.result).map((one, channel) => one * [2, -0.5, 4][channel]);
  expect(relativeError(found, evened(byHand))).toBeLessThan(1e-3);
  vectors.close();
});

test("bytes: pixels as they are, whatever the description says of normalization", async () => {
  const graph: Graph = {
    inputs: [value("pixel_values", ["batch", side, side, 3], "uint8")],
    outputs: [value("features", ["batch", side, side, 3])],
    nodes: [node("Cast", ["pixel_values"], ["features"], { to: 1 })],
  };
  const source = published(graph);
  await expectVectors(source, {
    output: "features, the mean of its map",
    vector: (pixels) => means(normalized(pixels, { mean: [0, 0, 0], std: [1 / 255, 1 / 255, 1 / 255] })),
  });
  const session = await Session.open((await open(source)).program((vectors) => ({ vectors })));
  const between = Float32Array.from(
    { length: 3 * side * side },
    (_, at) => [99.7, 9.6, 3.4][(at / side ** 2) | 0] / 255,
  );
  const rounded = expectFloats((await session.run({ images: between })).vectors);
  expect(relativeError(rounded, evened([100, 10, 3]))).toBeLessThan(1e-6);
  await session.close();
});

test("features that come out of a rectifier: their roots", async () => {
  const graph: Graph = {
    inputs: [value("pixel_values", ["batch", 3, side, side])],
    outputs: [value("features", ["batch", 3, 1, 1])],
    nodes: [node("Relu", ["pixel_values"], ["positive"]), node("GlobalAveragePool", ["positive"], ["features"])],
  };
  const opened = await open(published(graph));
  expect(opened.output).toMatch(/, roots$/);
  const session = await Session.open(opened.program((vectors) => ({ vectors })));
  const white = new Float32Array(3 * side * side).fill(1);
  const mean = opened.normalization.factor.map((factor, channel) => factor + opened.normalization.offset[channel]);
  const found = expectFloats((await session.run({ images: white })).vectors);
  expect(relativeError(found, evened(mean, { roots: true }))).toBeLessThan(1e-5);
  await session.close();
});

test("tokens without a CLS token: their mean", () =>
  expectVectors(published(tokensModel({ cls: false })), {
    output: "last_hidden_state, the mean of its tokens",
    vector: ofMeans,
  }));

test("a vector goes before tokens, whatever it is called, and classes come last", async () => {
  const tokens = tokensModel({ pooled: "output_1" });
  await expectVectors(published(tokens), { output: "output_1", vector: ofMeans });
  const classes = [node("MatMul", ["doubled", "weights"], ["probabilities"])];
  const graph: Graph = {
    ...tokens,
    outputs: [value("probabilities", ["batch", 2]), ...tokens.outputs.slice(0, 1)],
    nodes: [...tokens.nodes, ...classes],
    constants: [...(tokens.constants ?? []), constant("weights", [3, 2], [1, 2, 3, 4, 5, 6])],
  };
  await expectVectors(published(graph), {
    output: "last_hidden_state, its CLS token",
    vector: (pixels) => twice(ofMeans(pixels)),
  });
});

test("what is asked for: a tensor within the model, tokens as their mean, the first of them", async () => {
  const source = published(tokensModel({ pooled: "pooler_output" }));
  const tokens = (pixels: Uint8Array): number[] => ofMeans(pixels).map((one) => (2 * one + 4 * one) / 5);
  await expectVectors(source, {
    options: { output: "last_hidden_state:mean" },
    output: "last_hidden_state, the mean of its tokens",
    vector: tokens,
  });
  await expectVectors(source, {
    options: { output: "patches" },
    output: "patches, the mean of its tokens",
    vector: ofMeans,
  });
  await expectVectors(source, {
    options: { output: "patches:cls" },
    output: "patches, its CLS token",
    vector: (pixels) =>
      normalized(pixels).map((channel) => average(channel.filter((_, at) => at < 32 && at % side < side / 2))),
  });
  await expectVectors(source, { options: { output: "doubled" }, output: "doubled", vector: (p) => twice(ofMeans(p)) });
});

test.each([11, 13, 17, 21])("every way to a vector is understood by version %i of ONNX", async (opset) => {
  const options = { opset, ir: opset === 21 ? 10 : 7 };
  const tokens = published(tokensModel({}), stretched, options);
  await expectVectors(tokens, {
    output: "last_hidden_state, its CLS token",
    vector: (pixels) => twice(ofMeans(pixels)),
  });
  await expectVectors(tokens, {
    options: { output: "patches" },
    output: "patches, the mean of its tokens",
    vector: ofMeans,
  });
  await expectVectors(tokens, {
    options: { output: "quarters:mean" },
    output: "quarters, the mean of its map",
    vector: ofMeans,
  });
});

test.each([11, 13, 17, 18, 21])("soft scores of the vectors, in one model of version %i of ONNX", async (opset) => {
  const backbone = await open(published(meansModel("features"), stretched, { opset, ir: opset > 17 ? 10 : 7 }));
  const centres = [0, 0, 0, 1, 2, -1];
  const session = await Session.open(
    backbone.program((vectors) => ({
      vectors,
      scores: softScores(vectors, tensorConstant(Float32Array.from(centres), [2, 3], "float32"), 2),
    })),
  );
  const images = Float32Array.from({ length: 3 * side * side }, (_, at) => (at % 101) / 101);
  const results = await session.run({ images });
  const vector = expectFloats(results.vectors);
  const similarities = [0, 3].map((start) => {
    const distance = [0, 1, 2].reduce((sum, at) => sum + (vector[at] - centres[start + at]) ** 2, 0);
    return (1 + distance / 2) ** -1.5;
  });
  const total = similarities[0] + similarities[1];
  expect(
    relativeError(
      expectFloats(results.scores),
      similarities.map((one) => one / total),
    ),
  ).toBeLessThan(1e-5);
  await session.close();
});

test("what was added has a name; what is left of an addition that was broken off has none", async () => {
  const files = {
    "onnx/model.onnx": onnxModel(meansModel("embedding")),
    "preprocessor_config.json": stretched,
    "config.json": {},
  };
  writeFiles(join(cacheFolder, "backbones", "tiny-0.25"), files);
  writeFiles(join(cacheFolder, "backbones", "tiny.0a1b2c3d4e5f.tmp"), files);
  expect(await open("tiny-0.25")).toMatchObject({ name: "tiny-0.25", size: 3, output: "embedding" });
  await expect(open("tiny.0a1b2c3d4e5f.tmp")).rejects.toThrow("there is no such file or folder");
  await expect(open("tiny")).rejects.toThrow("tiny: there is no such file or folder, nor a backbone of this name");
});
