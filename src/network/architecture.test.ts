import { expect, test } from "vitest";
import { denseArchitecture, deriveArchitecture, paperArchitecture } from "./architecture.ts";
import { autoEncoderParameters, decoderParameters, encoderParameters } from "./layers.ts";
import { sizedLayers } from "./shapes.ts";

/** The paper's table of architectures: kernel and filters, then size and channels of the output, layer by layer. */
const paperTable = {
  mnist: { conv1: [5, 24, 6], pool1: [2, 12, 6], conv2: [5, 8, 16], pool2: [2, 4, 16], feature: [4, 1, 120] },
  usps: { conv1: [3, 16, 20], pool1: [2, 8, 20], conv2: [3, 8, 20], pool2: [2, 4, 20], feature: [4, 1, 160] },
  "coil-20": {
    conv1: [9, 120, 20],
    pool1: [2, 60, 20],
    conv2: [5, 56, 20],
    pool2: [2, 28, 20],
    conv3: [5, 24, 20],
    pool3: [2, 12, 20],
    conv4: [5, 8, 40],
    pool4: [2, 4, 40],
    feature: [4, 1, 320],
  },
};

const rows = { ...paperTable, "coil-100": paperTable["coil-20"] };

test.each(Object.entries(rows))("%s has the layers of the paper's table", (name, row) => {
  const layers = sizedLayers(paperArchitecture(name)).map(({ layer, output }) => {
    const size = layer.kind === "convolution" ? layer.kernel : layer.size;
    expect(size[0]).toBe(size[1]);
    expect(output.height).toBe(output.width);
    return [layer.name, [size[0], output.height, output.channels]];
  });
  expect(layers).toEqual(Object.entries(row));
});

test("derived architectures have the paper's kernels for the paper's image sizes", () => {
  for (const name of Object.keys(rows)) {
    const paper = paperArchitecture(name);
    const kernels = (architecture: typeof paper) =>
      architecture.layers.map((layer) => (layer.kind === "pool" ? layer.size : [layer.kernel, layer.padding]));
    expect(kernels(deriveArchitecture(paper.image)), name).toEqual(kernels(paper));
  }
});

test("every size from 8x8 to 256x256, square or not, ends in a 1x1 feature map and pools without remainder", () => {
  for (let height = 8; height <= 256; height++)
    for (let width = 8; width <= 256; width += height === width ? 1 : 3)
      expect(() => sizedLayers(deriveArchitecture({ channels: 1, height, width }))).not.toThrow();
});

test("depth grows with the logarithm of the size", () => {
  const blocks = (side: number) =>
    deriveArchitecture({ channels: 3, height: side, width: side }).layers.filter(({ kind }) => kind === "pool").length;
  expect([8, 16, 32, 64, 128, 256].map(blocks)).toEqual([1, 2, 2, 3, 4, 5]);
});

test("the decoder mirrors the encoder: the same kernels backwards, no normalization on the output", () => {
  const architecture = paperArchitecture("coil-100");
  const weights = (names: ReturnType<typeof encoderParameters>) => names.filter(({ name }) => name.endsWith(".weight"));
  const encoder = weights(encoderParameters(architecture)).map(({ shape }) => shape);
  const decoder = weights(decoderParameters(architecture)).map(({ shape }) => shape);
  expect(decoder.reverse()).toEqual(encoder);
  const last = decoderParameters(architecture).slice(-2);
  expect(last.map(({ name }) => name)).toEqual(["deconv1.weight", "deconv1.bias"]);
});

test("a dense auto-encoder is an architecture whose kernels cover their inputs", () => {
  const architecture = denseArchitecture({ channels: 1, height: 28, width: 28 }, [500, 500, 2000, 10]);
  const sizes = autoEncoderParameters(architecture)
    .filter(({ name }) => name.endsWith(".weight"))
    .map(({ shape }) => [shape[0], shape[1] * shape[2] * shape[3]]);
  const encoder = [
    [500, 784],
    [500, 500],
    [2000, 500],
    [10, 2000],
  ];
  expect(sizes).toEqual([...encoder, ...encoder.slice().reverse()]);
});

test("unknown names and sizes that do not fit are refused in one line", () => {
  expect(() => paperArchitecture("cifar")).toThrow(
    'there is no network "cifar"; the paper\'s are: mnist, usps, coil-20, coil-100',
  );
  expect(() => deriveArchitecture({ channels: 1, height: 7, width: 28 })).toThrow("from 8x8 to 256x256, not 7x28");
  expect(() => deriveArchitecture({ channels: 1, height: 28, width: 257 })).toThrow("from 8x8 to 256x256, not 28x257");
  expect(() => deriveArchitecture({ channels: 2, height: 28, width: 28 })).toThrow("1 (grey) or 3 (colour) channels");
  const mnist = paperArchitecture("mnist");
  expect(() => sizedLayers({ ...mnist, image: { channels: 1, height: 30, width: 30 } })).toThrow(
    'layer "pool2": windows of 2x2 do not fill its map, 9x9',
  );
  expect(() => sizedLayers({ ...mnist, image: { channels: 1, height: 32, width: 32 } })).toThrow(
    'network "mnist": the feature map is 2x2 with 120 channels, and must be 1x1',
  );
});
