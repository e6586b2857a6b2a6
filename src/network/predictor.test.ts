import { expect, test } from "vitest";
import { randomValues, relativeError } from "../../test/evaluate.ts";
import { Session } from "../engine/session.ts";
import { Random } from "../numeric/random.ts";
import { type Architecture, activations, denseArchitecture, deriveArchitecture } from "./architecture.ts";
import { inferenceProgram } from "./inference.ts";
import { createOptimizer } from "./optimizer.ts";
import { Predictor } from "./predictor.ts";
import { clusteringProgram } from "./programs.ts";
import { Trainer } from "./trainer.ts";

const batch = 16;
const k = 3;
const square = { channels: 1, height: 8, width: 8 };
const oblong = { channels: 3, height: 9, width: 20 };

/** A network that does not change, run until its running statistics are those of its only batch. */
async function settled(architecture: Architecture) {
  const { channels, height, width } = architecture.image;
  const images = randomValues(new Random(1), batch * channels * height * width);
  const targets = Float32Array.from({ length: batch * k }, (_, i) => (Math.floor(i / k) % k === i % k ? 0.98 : 0.01));
  const optimizer = createOptimizer({ kind: "sgd", learningRate: 1e-12, momentum: 0 });
  const program = clusteringProgram(architecture, { batch, optimizer, k });
  const trainer = await Trainer.open(program, { optimizer, seed: 5 });
  let loss = 0;
  for (let i = 0; i < 200; i++) loss = await trainer.step({ images, targets });
  return { trainer, images, targets, loss };
}

const architectures: [string, Architecture][] = [
  ["a square grey image", deriveArchitecture(square)],
  ["an oblong colour image", deriveArchitecture(oblong)],
  ["a dense encoder", denseArchitecture(square, [20, 10, 4])],
  ["features without normalization", deriveArchitecture(square, { featureBatchNormalization: false })],
  ...activations.map((activation): [string, Architecture] => [activation, deriveArchitecture(square, { activation })]),
];

test.each(architectures)(
  "the predictor and the exported model reproduce training's results: %s",
  async (_, architecture) => {
    const { trainer, images, targets, loss } = await settled(architecture);
    const predictor = await Predictor.open(architecture, trainer, { k, batch });
    const { features, scores } = await predictor.predict(images);
    let divergence = 0;
    scores.forEach((score, index) => {
      divergence += targets[index] * Math.log(targets[index] / score);
    });
    expect(divergence / batch / loss).toBeCloseTo(1, 4);
    const session = await Session.open(inferenceProgram(architecture, trainer, { k }));
    const exported = await session.run({ images });
    expect(relativeError(Array.from(exported.features, Number), features)).toBeLessThan(1e-4);
    expect(relativeError(Array.from(exported.scores, Number), scores)).toBeLessThan(1e-4);
  },
);

test("many images give the same results as one by one, and scores sum to one", async () => {
  const architecture = deriveArchitecture(square);
  const { trainer, images } = await settled(architecture);
  const whole = await (await Predictor.open(architecture, trainer, { k, batch: 5 })).predict(images);
  const one = await Predictor.open(architecture, trainer, { k, batch: 1 });
  expect(whole.scores).toHaveLength(batch * k);
  for (let i = 0; i < batch; i++) {
    const { scores } = await one.predict(images.subarray(i * 64, (i + 1) * 64));
    expect(relativeError(whole.scores.subarray(i * k, (i + 1) * k), scores)).toBeLessThan(1e-5);
    expect(scores.reduce((a, b) => a + b)).toBeCloseTo(1, 5);
  }
});

test("calls that overlap do not disturb one another", async () => {
  const architecture = deriveArchitecture(square);
  const { trainer, images } = await settled(architecture);
  const predictor = await Predictor.open(architecture, trainer, { k, batch: 4 });
  const pieces = [0, 1, 2].map((piece) => images.subarray(piece * 3 * 64, (piece + 1) * 3 * 64));
  const alone = [];
  for (const piece of pieces) alone.push(await predictor.predict(piece));
  expect(await Promise.all(pieces.map((piece) => predictor.predict(piece)))).toEqual(alone);
});

test("without centres there are only features, and values that do not make whole images are refused", async () => {
  const architecture = deriveArchitecture(square);
  const { trainer, images } = await settled(architecture);
  const predictor = await Predictor.open(architecture, trainer);
  const { features, scores } = await predictor.predict(images);
  expect(features).toHaveLength(batch * 160);
  expect(scores).toHaveLength(0);
  await expect(predictor.predict(images.subarray(1))).rejects.toThrow("1023 values do not make images of 64");
  await expect(Predictor.open(architecture, trainer, { batch: 0 })).rejects.toThrow("the batch must be");
});
