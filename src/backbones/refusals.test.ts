/** What is no backbone: one line says which file, what it wants or gives, and what to do. */
import { mkdirSync, mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { constant, type Graph, node, onnxModel, type TensorValue, value } from "../../test/onnx-models.ts";
import {
  channelMeans,
  imagesOf,
  meansModel,
  side,
  stretched,
  tokensModel,
  writeFiles,
} from "../../test/tiny-backbones.ts";
import { InputError } from "../files/errors.ts";
import { openBackbone } from "./backbone.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-"));
const cacheFolder = join(folder, "cache");
afterAll(() => rmSync(folder, { recursive: true }));

let folders = 0;
const write = (files: Readonly<Record<string, Uint8Array | object>>): string =>
  writeFiles(join(folder, `model${folders++}`), files);

/** The message, which begins with the file. */
async function refusal(file: string, { source = file, output }: { source?: string; output?: string } = {}) {
  const error: unknown = await openBackbone(source, { cacheFolder, output }).then(
    () => undefined,
    (reason) => reason,
  );
  if (!(error instanceof InputError)) throw error ?? new Error(`${source} was not refused`);
  expect(error.message).not.toContain("\n");
  expect(error.message.startsWith(`${file}: `) || error.message.startsWith(`cannot read ${file}: `)).toBe(true);
  return error.message.replaceAll(file, "FILE").replaceAll(folder, "");
}

const refusedBytes = (bytes: Uint8Array) => refusal(join(write({ "some.onnx": bytes }), "some.onnx"));
const refusedModel = (graph: Graph) => refusedBytes(onnxModel(graph));
const refusedInputs = (...inputs: TensorValue[]) => refusedModel({ ...meansModel("features"), inputs });

const whole = onnxModel({
  inputs: imagesOf("batch"),
  outputs: [value("features", ["batch", 3])],
  nodes: [...channelMeans("means"), node("Mul", ["means", "weights"], ["features"])],
  constants: [constant("weights", [3], [1, 2, 3])],
});

test("files that are no ONNX model, or not all of one", async () => {
  const message = "FILE: this is no ONNX model, or only a part of one; get the file again";
  expect(await refusedBytes(Buffer.from("<html>404 not found</html>"))).toBe(message);
  expect(await refusedBytes(Buffer.alloc(0))).toBe(message);
  expect(await refusedBytes(Buffer.from("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\n"))).toBe(
    message,
  );
  for (let length = 1; length < whole.length; length++)
    expect(await refusedBytes(whole.subarray(0, length))).toBe(message);
});

test("models that take something else", async () => {
  expect(await refusedInputs(value("input_ids", ["batch", "length"], "int64"))).toBe(
    "FILE: takes input_ids int64 [batch, length], which is no image; a backbone takes [batch, 3, height, width]",
  );
  expect(
    await refusedInputs(value("pixel_values", ["batch", 3, 8, 8]), value("input_ids", ["batch", 7], "int64")),
  ).toBe(
    "FILE: takes 2 inputs (pixel_values float32 [batch, 3, 8, 8], input_ids int64 [batch, 7]), and a backbone takes " +
      "images alone; of a model that also reads, give the part that sees (vision_model.onnx)",
  );
  for (const shape of [
    ["batch", 1, 28, 28],
    ["batch", 1, "height", "width"],
    ["batch", 28, 28, 1],
    ["batch", "height", "width", 1],
    ["batch", 4, 28, 28],
  ])
    expect(await refusedInputs(value("digits", shape))).toBe(
      `FILE: takes digits float32 [${shape.join(", ")}]; a backbone takes images of three channels, ` +
        "[batch, 3, height, width] or [batch, height, width, 3]",
    );
  expect(await refusedInputs(value("images", ["batch", 3, 8, 8], "int64"))).toBe(
    "FILE: takes images int64 [batch, 3, 8, 8], and a backbone takes float32, float16 or uint8",
  );
});

test("weights that are in another file", async () => {
  const outside = { ...constant("weights", [3], []), location: "model.onnx_data" };
  const graph: Graph = {
    ...meansModel("means"),
    nodes: [...channelMeans("plain"), node("Mul", ["plain", "weights"], ["means"])],
    constants: [outside],
  };
  expect(await refusedModel(graph)).toBe(
    "FILE: keeps its weights in another file (model.onnx_data); save it as one file, or take a smaller model",
  );
});

test("what is not there", async () => {
  expect(await refusal("dinov9")).toBe(
    'FILE: there is no such file or folder, nor a backbone of this name; "boostcluster backbone list" shows those that ' +
      'are here, and "boostcluster backbone add FILE" gets one',
  );
  expect(await refusal(join(folder, "none", "model.onnx"))).toMatch(/^FILE: there is no such file or folder/);
  const empty = join(folder, "empty");
  mkdirSync(join(empty, "onnx"), { recursive: true });
  expect(await refusal(empty)).toBe("FILE: holds no ONNX model; put one there, as onnx/model.onnx");
});

test("a file that is too large", async () => {
  const file = join(write({ "huge.onnx": whole }), "huge.onnx");
  truncateSync(file, 2 ** 31);
  expect(await refusal(file)).toBe("FILE: is larger than 2 GiB; take a smaller model, or one in half precision");
});

test("a folder of several models, none of which has the usual name", async () => {
  const source = write({ "onnx/small.onnx": whole, "large.onnx": whole });
  expect(await refusal(source)).toBe(
    `FILE: holds several ONNX models (${join("onnx", "small.onnx")}, large.onnx); give the path of one`,
  );
  await openBackbone(join(source, "onnx", "small.onnx"), { cacheFolder });
});

test("descriptions that say nothing, or something else", async () => {
  const described = (config: Uint8Array | object) => {
    const source = write({ "onnx/model.onnx": whole, "preprocessor_config.json": config });
    return { source, file: join(source, "preprocessor_config.json") };
  };
  const torn = described(Buffer.from('{"size": 22'));
  expect(await refusal(torn.file, torn)).toBe("FILE: this is not JSON; get the file again");
  const bare = described({ image_mean: [0, 0, 0], image_std: [1, 1, 1] });
  expect(await refusal(bare.file, bare)).toMatch(/^FILE: size: must be/);
  const other = described({ ...stretched, size: 32 });
  expect(await refusal(join(other.source, "onnx", "model.onnx"), other)).toMatch(
    /^FILE: takes images of 8x8, and .*preprocessor_config.json makes 32x32; one of the two is of another model$/,
  );
  const unread = write({ "model.onnx": whole, "config.json": Buffer.from("{") });
  expect(await refusal(join(unread, "config.json"), { source: unread })).toBe(
    "FILE: this is not JSON; get the file again",
  );
});

test("a model of which one side alone is fixed", async () => {
  const graph: Graph = { ...meansModel("features"), inputs: [value("pixel_values", ["batch", 3, 16, "width"])] };
  const source = write({ "model.onnx": onnxModel(graph), "preprocessor_config.json": stretched });
  expect(await refusal(join(source, "model.onnx"), { source })).toMatch(
    /^FILE: takes images of 16x8, and .* makes 8x8/,
  );
});

test("outputs that are no vectors", async () => {
  const graph: Graph = {
    inputs: imagesOf("batch"),
    outputs: [value("video", ["batch", 3, 2, 4, side])],
    nodes: [node("Reshape", ["pixel_values", "shape"], ["video"])],
    constants: [constant("shape", [5], [-1, 3, 2, 4, side], "int64")],
  };
  expect(await refusedModel(graph)).toBe(
    'FILE: "video" of 2 images has shape [2, 3, 2, 4, 8]; a backbone gives a vector, tokens or a map for each image: ' +
      "name a tensor that does",
  );
  const mixed: Graph = {
    ...meansModel("features"),
    outputs: [value("turned", [3, "batch"])],
    nodes: [...channelMeans("features"), node("Transpose", ["features"], ["turned"], { perm: [1, 0] })],
  };
  expect(await refusedModel(mixed)).toMatch(/^FILE: "turned" of 2 images has shape \[3, 2\]; a backbone gives/);
});

test("tensors that there are not, and tokens of what has none", async () => {
  const file = join(write({ "tokens.onnx": onnxModel(tokensModel({ size: 224 })) }), "tokens.onnx");
  expect(await refusal(file, { output: "pooler_output" })).toBe(
    'FILE: has no tensor "pooler_output"; it gives last_hidden_state, and ":cls" or ":mean" may follow',
  );
  expect(await refusal(file, { output: "last_hidden_state:first" })).toMatch(
    /^FILE: has no tensor "last_hidden_state:f/,
  );
  expect(await refusal(file, { output: "doubled:cls" })).toBe(
    'FILE: "doubled" of 2 images has shape [2, 3], of which there is no "cls"; a backbone gives a vector, tokens or a ' +
      "map for each image: name a tensor that does",
  );
});

test("models that ONNX Runtime cannot run", async () => {
  const unknown = { ...meansModel("features"), nodes: [node("Frobnicate", ["pixel_values"], ["features"])] };
  const message =
    /^FILE: ONNX Runtime cannot run it on images of 8x8: .*Frobnicate.*; try another export of the model$/;
  expect(await refusedModel(unknown)).toMatch(message);
  const wrongSize = onnxModel(tokensModel({ size: 32 }));
  const source = write({ "model.onnx": wrongSize, "preprocessor_config.json": stretched });
  expect(await refusal(join(source, "model.onnx"), { source })).toMatch(
    /^FILE: ONNX Runtime cannot run it on images of/,
  );
});
