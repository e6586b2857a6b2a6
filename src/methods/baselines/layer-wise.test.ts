import { expect, test } from "vitest";
import { allImages } from "../../../test/datasets.ts";
import { type Rows, rowsOf, transposed } from "../../../test/plain-matrices.ts";
import { shapeDataset } from "../../../test/shapes.ts";
import { denseArchitecture } from "../../network/architecture.ts";
import { decoderParameters, encoderParameters } from "../../network/layers.ts";
import { parameterView } from "../../network/parameters.ts";
import { Random } from "../../numeric/random.ts";
import { corruptionMask } from "../training/auto-encoder.ts";
import { ResumableRun } from "../training/resumable-run.ts";
import { fitDaeKms } from "./dae-kms.ts";
import { trainLayers } from "./layer-wise.ts";

const dataset = shapeDataset(160);

test("layers trained one by one are a better start than random ones, and stay ahead", async () => {
  const options = { k: 4, units: [64, 32, 16, 6], batch: 32, pretrainEpochs: 5, restarts: 1, threads: 1 };
  const run = async (layerEpochs: number): Promise<number[]> => {
    const { history } = await fitDaeKms(dataset, { ...options, layerEpochs });
    return history.filter(({ stage }) => stage === "auto-encoder").map(({ loss }) => loss);
  };
  const [layerWise, random] = [await run(10), await run(0)];
  expect(layerWise).toHaveLength(5);
  layerWise.forEach((loss, epoch) => {
    expect(loss).toBeLessThan(0.8 * random[epoch]);
  });
});

test("each layer learns to restore what the one before it gives", async () => {
  const layerEpochs = 8;
  const units = [32, 16, 8];
  const { history } = await fitDaeKms(dataset, {
    ...{ k: 4, units, batch: 32, restarts: 1, threads: 1 },
    ...{ layerEpochs, pretrainEpochs: 0 },
  });
  const losses = history.map(({ loss }) => loss);
  expect(history.map(({ epoch }) => epoch)).toEqual(losses.map((_, index) => index + 1));
  expect(losses).toHaveLength(units.length * layerEpochs);
  units.forEach((_, layer) => {
    const own = losses.slice(layer * layerEpochs, (layer + 1) * layerEpochs);
    expect(own[layerEpochs - 1]).toBeLessThan(0.8 * own[0]);
  });
});

/** W x + b for rows of weights; all pixels of a grey image have one bias. */
const dense = (weights: Rows, x: readonly number[], bias: Float32Array): number[] =>
  weights.map((row, j) => row.reduce((total, weight, i) => total + weight * x[i], bias[j % bias.length]));

const rectified = (values: readonly number[]): number[] => values.map((value) => Math.max(0, value));

const meanSquares = (rows: Rows, restored: Rows): number =>
  rows.reduce((total, row, n) => total + row.reduce((sum, x, i) => sum + (x - restored[n][i]) ** 2, 0), 0) /
  rows.length;

test("a layer restores what the layer before gives after its activation, and is put where it belongs", async () => {
  const scale = 2;
  const architecture = denseArchitecture(dataset.image, [20, 7], { scale });
  const specs = [...encoderParameters(architecture), ...decoderParameters(architecture)];
  const run = new ResumableRun();
  const still = { kind: "sgd", learningRate: 1e-30, momentum: 0 } as const;
  const parameters = await trainLayers(
    architecture,
    { epochs: 1, seed: 3, batch: dataset.count, corruption: 0, optimizer: still },
    { dataset, run, options: { k: 4, threads: 1 } },
  );
  const view = (name: string): Float32Array => parameterView(parameters, specs, name);
  const weights = (name: string, columns: number): Rows => rowsOf(Float64Array.from(view(`${name}.weight`)), columns);
  const images = rowsOf(
    Float64Array.from(allImages(dataset), (value) => scale * value),
    144,
  );
  const hidden = images.map((x) => rectified(dense(weights("dense1", 144), x, view("dense1.bias"))));
  const features = hidden.map((h) => dense(weights("feature", 20), h, view("feature.bias")));
  const restoredHidden = features.map((z) =>
    rectified(dense(transposed(weights("defeature", 20)), z, view("defeature.bias"))),
  );
  const restoredImages = hidden.map((h) => dense(transposed(weights("dedense1", 144)), h, view("dedense1.bias")));
  const [first, second] = run.history.map(({ loss }) => loss);
  expect(first / meanSquares(images, restoredImages)).toBeCloseTo(1, 5);
  expect(second / meanSquares(hidden, restoredHidden)).toBeCloseTo(1, 5);
});

test("a corruption mask leaves out its share, keeps the mean, and follows the seed", () => {
  const size = 20_000;
  for (const share of [0.1, 0.2, 0.75]) {
    const mask = corruptionMask(size, share, new Random(1, "mask"));
    const zeros = mask.reduce((count, value) => count + (value === 0 ? 1 : 0), 0) / size;
    const mean = mask.reduce((a, b) => a + b, 0) / size;
    // Four standard deviations of a share: more would happen once in 16,000 seeds.
    const spread = 4 * Math.sqrt((share * (1 - share)) / size);
    expect(Math.abs(zeros - share)).toBeLessThan(spread);
    expect(Math.abs(mean - 1)).toBeLessThan(spread / (1 - share));
    expect(new Set(mask).size).toBe(2);
    const again = corruptionMask(size, share, new Random(1, "mask"));
    const other = corruptionMask(size, share, new Random(2, "mask"));
    expect(again.every((value, i) => value === mask[i])).toBe(true);
    expect(other.every((value, i) => value === mask[i])).toBe(false);
  }
  expect(new Set(corruptionMask(100, 0, new Random(1)))).toEqual(new Set([1]));
});
