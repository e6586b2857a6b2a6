import { expect, test } from "vitest";
import { evaluate, randomValues, relativeError } from "../../test/evaluate.ts";
import { shapeDataset } from "../../test/shapes.ts";
import { transpose } from "../graph/operators/layout.ts";
import { input, type Tensor } from "../graph/tensor.ts";
import {
  type Architecture,
  denseArchitecture,
  deriveArchitecture,
  pixelArchitecture,
} from "../network/architecture.ts";
import {
  autoEncoderParameters,
  autoEncoderStatistics,
  decodeFeatures,
  encodeImages,
  imageInput,
} from "../network/layers.ts";
import { initialValues, splitParameters, totalSize } from "../network/parameters.ts";
import { Predictor } from "../network/predictor.ts";
import { Random } from "../numeric/random.ts";
import { computeActivations } from "./activations.ts";

const count = 5;
const dataset = shapeDataset(count);
const images = new Float32Array(count * 144);
dataset.read([...Array(count).keys()], images);

/** Random parameters, and the training graph's results for the images with the statistics of their batch. */
async function trainedByBatch(architecture: Architecture) {
  const specs = autoEncoderParameters(architecture);
  const noise = randomValues(new Random(0, "noise"), totalSize(specs));
  const parameters = initialValues(specs, 0).map((value, at) => value + 0.1 * noise[at]);
  const layers: Record<string, Tensor> = {};
  const context = {
    parameters: splitParameters(input("parameters", [parameters.length]), specs),
    watch: (layer: string, value: Tensor) => {
      layers[layer] = transpose(value, [3, 0, 1, 2]);
    },
  };
  const encoded = encodeImages(imageInput(architecture, count), architecture, context);
  const { reconstruction, batchStatistics } = decodeFeatures(encoded, architecture, context);
  const statistics = new Map([...encoded.batchStatistics, ...batchStatistics]);
  const outputs = {
    ...layers,
    ...Object.fromEntries(statistics),
    reconstruction: transpose(reconstruction, [3, 0, 1, 2]),
  };
  const values = await evaluate(outputs, { images, parameters });
  const names = autoEncoderStatistics(architecture).map(({ name }) => name);
  return { trained: { parameters, statistics: Float32Array.from(names.flatMap((name) => values[name])) }, values };
}

test("with the batch's own statistics every layer agrees with the training graph, the last one with the reconstruction", async () => {
  const architecture = deriveArchitecture(dataset.image);
  const { trained, values } = await trainedByBatch(architecture);
  const activations = await computeActivations(architecture, trained, images);
  expect(activations.map(({ layer }) => layer)).toEqual([
    ...["input", "conv1", "pool1", "feature"],
    ...["defeature", "depool1", "output"],
  ]);
  expect(activations[0].values).toEqual(images);
  for (const { layer, values: actual } of activations.slice(1, -1))
    expect(relativeError(actual, values[layer]), layer).toBeLessThan(1e-4);
  expect(relativeError(activations[6].values, values.reconstruction)).toBeLessThan(1e-4);
});

test("the feature is the predicted one, whatever other images are in the batch", async () => {
  const architecture = deriveArchitecture(dataset.image);
  const { trained } = await trainedByBatch(architecture);
  const predictor = await Predictor.open(architecture, trained);
  const { features } = await predictor.predict(images.subarray(0, 144));
  await predictor.close();
  const [alone, together] = await Promise.all([
    computeActivations(architecture, trained, images.subarray(0, 144)),
    computeActivations(architecture, trained, images),
  ]);
  expect(relativeError(alone[3].values, features)).toBeLessThan(1e-4);
  expect(relativeError(together[3].values.subarray(0, features.length), features)).toBeLessThan(1e-4);
});

test("a network that scales its images restores them unscaled", async () => {
  const architecture = denseArchitecture(dataset.image, [9, 3], { scale: 4 });
  const { trained, values } = await trainedByBatch(architecture);
  const activations = await computeActivations(architecture, trained, images);
  expect(activations.map(({ layer }) => layer)).toEqual(["input", "dense1", "feature", "defeature", "output"]);
  expect(
    relativeError(
      activations[4].values,
      values.reconstruction.map((value) => value / 4),
    ),
  ).toBeLessThan(1e-4);
});

test("incomplete images and networks without a decoder or layers are refused", async () => {
  const architecture = deriveArchitecture(dataset.image);
  const none = { parameters: new Float32Array(), statistics: new Float32Array() };
  await expect(computeActivations(architecture, none, images.subarray(1))).rejects.toThrow("do not make images of 144");
  await expect(computeActivations(architecture, none, images)).rejects.toThrow("give those of an auto-encoder");
  await expect(computeActivations(pixelArchitecture(dataset.image), none, images)).rejects.toThrow("has no layers");
});
