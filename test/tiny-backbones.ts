/** Folders of tiny models as Hugging Face has large ones, and pictures for them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { Random } from "../src/numeric/random.ts";
import { constant, type Graph, node, value } from "./onnx-models.ts";

export function writeFiles(folder: string, files: Readonly<Record<string, Uint8Array | object>>): string {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content instanceof Uint8Array ? content : JSON.stringify(content));
  }
  return folder;
}

/** Noise in colour, of several sizes. */
export async function writePictures(folder: string, count: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const random = new Random(7, "pictures");
  for (let index = 0; index < count; index++) {
    const [width, height] = [20 + (index % 3), 26 - (index % 5)];
    const pixels = Uint8Array.from({ length: 3 * width * height }, () => 256 * random.uniform());
    const file = join(folder, `${String(index).padStart(3, "0")}.png`);
    await sharp(pixels, { raw: { width, height, channels: 3 } })
      .png()
      .toFile(file);
  }
}

export const colours = ["red", "green", "blue"];

/** Noise of mostly one colour, which is the folder's name: what `meansModel` tells apart at a glance. */
export async function writeColours(folder: string, count: number, seed = 0): Promise<void> {
  const random = new Random(seed, "colours");
  const [width, height] = [24, 20];
  for (let index = 0; index < count; index++) {
    const group = index % colours.length;
    const brightest = (channel: number): number => (channel === group ? 256 : 128);
    const pixels = Uint8Array.from(
      { length: 3 * width * height },
      (_, place) => brightest(place % 3) * random.uniform(),
    );
    mkdirSync(join(folder, colours[group]), { recursive: true });
    await sharp(pixels, { raw: { width, height, channels: 3 } })
      .png()
      .toFile(join(folder, colours[group], `${index}.png`));
  }
}

export const side = 8;
export const mean = [0.25, 0.5, 0.75];
export const std = [0.5, 0.25, 0.2];

/** For images of `side`. */
export const stretched = {
  do_resize: true,
  size: { height: side, width: side },
  resample: 2,
  image_mean: mean,
  image_std: std,
};

type Batch = number | string;

/** The mean of each channel. */
export const channelMeans = (name: string, { from = "pixel_values" } = {}): Graph["nodes"] => [
  node("GlobalAveragePool", [from], [`${name} as a map`]),
  node("Flatten", [`${name} as a map`], [name]),
];

export const imagesOf = (batch: Batch, size: number | string = side) => [value("pixel_values", [batch, 3, size, size])];

/** `name` [batch, 3]: the mean of each channel. */
export const meansModel = (name: string, batch: Batch = "batch"): Graph => ({
  inputs: imagesOf(batch),
  outputs: [value(name, [batch, 3])],
  nodes: channelMeans(name),
});

/** `patches` [batch, 4, 3]: means over quarters of the image, row by row. */
const patchNodes = (size: number): Graph["nodes"] => [
  node("AveragePool", ["pixel_values"], ["quarters"], {
    kernel_shape: [size / 2, size / 2],
    strides: [size / 2, size / 2],
  }),
  node("Reshape", ["quarters", "shape of patches"], ["columns"]),
  node("Transpose", ["columns"], ["patches"], { perm: [0, 2, 1] }),
];

/**
 * `last_hidden_state`: the means of four patches and, with `cls`, before them twice the mean of everything. `pooled` is
 * the name of another output, the mean of everything.
 */
export function tokensModel({ size = side, cls = true, pooled = "" }): Graph {
  const tokens = cls ? 5 : 4;
  return {
    inputs: [value("pixel_values", ["batch_size", 3, "height", "width"])],
    outputs: [
      value("last_hidden_state", ["batch_size", tokens, 3]),
      ...(pooled === "" ? [] : [value(pooled, ["batch_size", 3])]),
    ],
    nodes: [
      ...patchNodes(size),
      ...channelMeans("means"),
      node("Mul", ["means", "two"], ["doubled"]),
      node("Reshape", ["doubled", "shape of a token"], ["class_token"]),
      node("Concat", cls ? ["class_token", "patches"] : ["patches"], ["last_hidden_state"], { axis: 1 }),
      ...(pooled === "" ? [] : [node("Identity", ["means"], [pooled])]),
    ],
    constants: [
      constant("shape of patches", [3], [0, 3, 4], "int64"),
      constant("shape of a token", [3], [0, 1, 3], "int64"),
      constant("two", [1], [2]),
    ],
  };
}

/** Pixels [3, height, width] as the model takes them, by channel. */
export function normalized(pixels: Uint8Array, { mean: less = mean, std: over = std } = {}): number[][] {
  const area = pixels.length / 3;
  return [0, 1, 2].map((channel) =>
    Array.from(
      pixels.subarray(channel * area, (channel + 1) * area),
      (byte) => (byte / 255 - less[channel]) / over[channel],
    ),
  );
}

export const average = (values: readonly number[]): number =>
  values.reduce((total, one) => total + one, 0) / values.length;

export const means = (image: readonly (readonly number[])[]): number[] => image.map(average);

/** A vector as backbones give it, scaled to the length √d; `roots` of features that come out of a rectifier. */
export function evened(vector: ArrayLike<number>, { roots = false } = {}): Float32Array {
  const values = Float32Array.from(vector, (value) => (roots ? Math.sqrt(value) : value));
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
  return values.map((value) => value / length);
}
