import { expect, test } from "vitest";
import { randomValues, relativeError } from "../../test/evaluate.ts";
import { expectFloats } from "../engine/program.ts";
import { Session } from "../engine/session.ts";
import { Random } from "../numeric/random.ts";
import { type Architecture, denseArchitecture, pixelArchitecture } from "./architecture.ts";
import type { Encoder } from "./ensemble.ts";
import { inferenceProgram } from "./inference.ts";
import { createOptimizer } from "./optimizer.ts";
import { Predictor } from "./predictor.ts";
import { autoEncoderProgram } from "./programs.ts";
import type { TrainedValues } from "./trained.ts";
import { Trainer } from "./trainer.ts";

const batch = 6;
const image = { channels: 3, height: 5, width: 4 };
const images = randomValues(new Random(1), batch * 60);
const scale = 3.7;
const scaled = denseArchitecture(image, [20, 7], { scale });

/** A network with a learning rate of nearly zero: the features and the loss that training computes, and its values. */
async function trainedFeatures(architecture: Architecture, inputs: Float32Array) {
  const optimizer = createOptimizer({ kind: "sgd", learningRate: 1e-30 });
  const program = autoEncoderProgram(architecture, { batch, optimizer, featuresAfter: true });
  const trainer = await Trainer.open(program, { optimizer, seed: 2 });
  const results = await trainer.advance([{ images: inputs }]);
  const [features, loss] = [expectFloats(results.features).slice(), expectFloats(results.loss)[0]];
  const trained = { parameters: trainer.parameters.slice(), statistics: trainer.statistics.slice() };
  await trainer.close();
  return { features, loss, trained };
}

async function predicted(encoder: Encoder, trained: TrainedValues, inputs: Float32Array): Promise<Float32Array> {
  const predictor = await Predictor.open(encoder, trained, { batch });
  const { features } = await predictor.predict(inputs);
  await predictor.close();
  return features;
}

async function exported(encoder: Encoder, trained: TrainedValues, inputs: Float32Array): Promise<Float32Array> {
  const session = await Session.open(inferenceProgram(encoder, trained));
  const { features } = await session.run({ images: inputs });
  await session.close();
  return expectFloats(features);
}

test("a scaled network gives the same features in training, in the predictor and in the exported model", async () => {
  const { features, trained } = await trainedFeatures(scaled, images);
  expect(relativeError(await predicted(scaled, trained, images), features)).toBeLessThan(1e-5);
  expect(relativeError(await exported(scaled, trained, images), features)).toBeLessThan(1e-5);
});

test("a scale has the effect of multiplying all images, also in the reconstruction loss", async () => {
  const { features, loss, trained } = await trainedFeatures(scaled, images);
  const plain = denseArchitecture(image, [20, 7]);
  const brighter = images.map((value) => scale * value);
  const same = await trainedFeatures(plain, brighter);
  expect(relativeError(same.trained.parameters, trained.parameters)).toBeLessThan(1e-6);
  expect(relativeError(features, same.features)).toBeLessThan(1e-5);
  expect(loss / same.loss).toBeCloseTo(1, 5);
  expect(relativeError(await predicted(plain, trained, images), features)).toBeGreaterThan(0.1);
});

test("without a network the features are the pixels", async () => {
  const untrained = { parameters: new Float32Array(0), statistics: new Float32Array(0) };
  expect(await predicted(pixelArchitecture(image), untrained, images)).toEqual(images);
  expect(await exported(pixelArchitecture(image), untrained, images)).toEqual(images);
});
