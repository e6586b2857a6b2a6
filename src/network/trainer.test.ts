import { describe, expect, test } from "vitest";
import { randomValues, relativeError } from "../../test/evaluate.ts";
import { expectFloats } from "../engine/program.ts";
import { Random } from "../numeric/random.ts";
import { type Architecture, denseArchitecture, deriveArchitecture } from "./architecture.ts";
import { createOptimizer, type OptimizerOptions } from "./optimizer.ts";
import { parameterView } from "./parameters.ts";
import { Predictor } from "./predictor.ts";
import { autoEncoderProgram, centresName, clusteringProgram } from "./programs.ts";
import { Trainer } from "./trainer.ts";

const image = { channels: 1, height: 8, width: 8 };
const small = deriveArchitecture(image);
const batch = 16;
const images = randomValues(new Random(1), batch * 64);

async function autoEncoder(architecture: Architecture, options: OptimizerOptions, seed = 0): Promise<Trainer> {
  const optimizer = createOptimizer(options);
  return Trainer.open(autoEncoderProgram(architecture, { batch, optimizer }), { optimizer, seed });
}

/** Image i belongs to cluster i mod k. */
const cyclicTargets = (k: number): Float32Array =>
  Float32Array.from({ length: batch * k }, (_, i) => (Math.floor(i / k) % k === i % k ? 0.98 : 0.01));

async function losses(trainer: Trainer, steps: number): Promise<number[]> {
  const values: number[] = [];
  for (let i = 0; i < steps; i++) values.push(await trainer.step({ images }));
  return values;
}

test.each<[string, Architecture, OptimizerOptions]>([
  ["an FCAE with Adam", small, { kind: "adam", learningRate: 1e-2 }],
  ["an FCAE with SGD", small, { kind: "sgd", learningRate: 1e-3 }],
  ["an FCAE of an oblong colour image", deriveArchitecture({ channels: 3, height: 9, width: 20 }), { kind: "adam" }],
  ["a dense auto-encoder", denseArchitecture(image, [32, 16, 4]), { kind: "adam" }],
])("%s learns: the loss falls", async (_, architecture, options) => {
  const { channels, height, width } = architecture.image;
  const trainer = await autoEncoder(architecture, options);
  const feeds = { images: randomValues(new Random(1), batch * channels * height * width) };
  const first = await trainer.step(feeds);
  let last = first;
  for (let i = 0; i < 60; i++) last = await trainer.step(feeds);
  expect(last).toBeLessThan(0.6 * first);
  await trainer.close();
});

test("the same seed gives bitwise the same network, another seed gives another", async () => {
  const run = async (seed: number) => {
    const trainer = await autoEncoder(small, { kind: "adam" }, seed);
    await losses(trainer, 5);
    return trainer.parameters.slice();
  };
  const [first, again, other] = [await run(3), await run(3), await run(4)];
  expect(again).toEqual(first);
  expect(other).not.toEqual(first);
});

test("a restored trainer continues exactly as the saved one", async () => {
  for (const options of [{ kind: "adam" }, { kind: "sgd", learningRate: 1e-3 }] as const) {
    const first = await autoEncoder(small, options);
    await losses(first, 4);
    const saved = first.save();
    const expected = await losses(first, 4);
    const second = await autoEncoder(small, options, 99);
    second.restore(saved);
    expect(await losses(second, 4)).toEqual(expected);
    expect(second.parameters).toEqual(first.parameters);
    expect(second.statistics).toEqual(first.statistics);
  }
});

test("Adam's first step moves each parameter by the learning rate, against its gradient's sign", async () => {
  const trainer = await autoEncoder(small, { kind: "adam", learningRate: 1e-3 });
  const before = trainer.parameters.slice();
  await trainer.step({ images });
  const moves = trainer.parameters.map((value, index) => Math.abs(value - before[index]));
  const typical = [...moves].sort((a, b) => a - b)[Math.floor(moves.length / 2)];
  expect(typical).toBeCloseTo(1e-3, 6);
  expect(Math.max(...moves)).toBeLessThan(1.001e-3);
});

test("SGD with momentum follows its recursion", async () => {
  const [rate, momentum] = [1e-4, 0.9];
  const plain = await autoEncoder(small, { kind: "sgd", learningRate: rate, momentum: 0 });
  const heavy = await autoEncoder(small, { kind: "sgd", learningRate: rate, momentum });
  const start = heavy.parameters.slice();
  await plain.step({ images });
  await heavy.step({ images });
  const first = heavy.parameters.slice();
  expect(first).toEqual(plain.parameters);
  // The second step's gradient, from the trainer without momentum, which is at the same point.
  await plain.step({ images });
  await heavy.step({ images });
  const second = heavy.parameters;
  let error = 0;
  for (let i = 0; i < second.length; i++) {
    const gradientStep = plain.parameters[i] - first[i];
    const expected = gradientStep + momentum * (first[i] - start[i]);
    error = Math.max(error, Math.abs(second[i] - first[i] - expected));
  }
  expect(error).toBeLessThan(1e-6);
});

test("running statistics move a tenth of the way towards the batch's", async () => {
  const trainer = await autoEncoder(small, { kind: "adam", learningRate: 1e-9 });
  const start = trainer.statistics.slice();
  await trainer.step({ images });
  const once = trainer.statistics.slice();
  await trainer.step({ images });
  // The network hardly changes, so the batch statistics b are constant: s₁ = 0.9 s₀ + 0.1 b and s₂ = 0.9 s₁ + 0.1 b.
  trainer.statistics.forEach((value, index) => {
    const batchValue = (once[index] - 0.9 * start[index]) / 0.1;
    expect(value).toBeCloseTo(0.9 * once[index] + 0.1 * batchValue, 4);
  });
});

test("DBC pulls scores towards their targets, centres and encoder together", async () => {
  const optimizer = createOptimizer({ kind: "adam", learningRate: 1e-2 });
  const k = 3;
  const program = clusteringProgram(small, { batch, optimizer, k });
  const trainer = await Trainer.open(program, { optimizer });
  const centres = parameterView(trainer.parameters, program.parameters, centresName).slice();
  const targets = cyclicTargets(k);
  const first = await trainer.step({ images, targets });
  let last = first;
  for (let i = 0; i < 100; i++) last = await trainer.step({ images, targets });
  expect(last).toBeLessThan(0.2 * first);
  expect(parameterView(trainer.parameters, program.parameters, centresName)).not.toEqual(centres);
  await trainer.close();
});

test("constraints are learned beside the targets: known clusters, pairs together, pairs apart", async () => {
  const optimizer = createOptimizer({ kind: "adam", learningRate: 1e-2 });
  const [k, own] = [3, 10];
  // Ten images with targets, then two that are known, the firsts and seconds of a pair together and of a pair apart.
  const constraints = { known: 2, together: 1, apart: 1 };
  const program = clusteringProgram(small, { batch: own, optimizer, k, constraints });
  const trainer = await Trainer.open(program, { optimizer });
  const targets = cyclicTargets(k).subarray(0, own * k);
  const known = Float32Array.of(0, 0, 1, 1, 0, 0);
  for (let i = 0; i < 400; i++) await trainer.step({ images, targets, known });
  const predictor = await Predictor.open(small, trainer, { k });
  const { scores } = await predictor.predict(images);
  const row = (image: number): number[] => [...scores.subarray(image * k, (image + 1) * k)];
  const inOneCluster = (a: number, b: number): number => row(a).reduce((sum, score, j) => sum + score * row(b)[j], 0);
  expect(row(10)[2]).toBeGreaterThan(0.6);
  expect(row(11)[0]).toBeGreaterThan(0.6);
  expect(inOneCluster(12, 13)).toBeGreaterThan(0.5);
  expect(inOneCluster(14, 15)).toBeLessThan(0.2);
  await predictor.close();
  await trainer.close();
});

test("memory stays flat over 3,000 steps", async () => {
  // Few images per step: what a step could leave behind are the network's parameters, gradients and moments.
  const [optimizer, few] = [createOptimizer({ kind: "adam" }), 4];
  const trainer = await Trainer.open(autoEncoderProgram(small, { batch: few, optimizer }), { optimizer });
  const feeds = { images: images.subarray(0, few * 64) };
  const steps = async (count: number): Promise<void> => {
    for (let step = 0; step < count; step++) await trainer.step(feeds);
  };
  await steps(1000);
  const before = process.memoryUsage().rss;
  await steps(3000);
  expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(20);
  await trainer.close();
});

test("non-finite values, batches of the wrong size and invalid settings are refused in one line", async () => {
  const trainer = await autoEncoder(small, { kind: "adam" });
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
    const spoilt = images.slice();
    spoilt[3] = bad;
    await expect(trainer.step({ images: spoilt })).rejects.toThrow(/the loss became \S+ at step \d: the images hold/);
  }
  await expect(trainer.step({ images: images.subarray(1) })).rejects.toThrow('input "images" has shape [16, 64]');
  const optimizer = createOptimizer({ kind: "adam" });
  expect(() => autoEncoderProgram(small, { batch: 1, optimizer })).toThrow("the batch must be a whole number from 2");
  expect(() => clusteringProgram(small, { batch, optimizer, k: 0 })).toThrow("k must be a whole number from 1, not 0");
  expect(() => createOptimizer({ kind: "adam", learningRate: 0 })).toThrow("the learning rate must be a positive");
  const saved = trainer.save();
  const other = await autoEncoder(small, { kind: "sgd" });
  expect(() => other.restore(saved)).toThrow('the saved state lacks "sgd.velocity"');
});

describe("in parts", () => {
  const options = { kind: "sgd", learningRate: 1e-3 } as const;
  const halves = [images.subarray(0, images.length / 2), images.subarray(images.length / 2)];
  const inParts = async (architecture: Architecture, size: number, parts: number): Promise<Trainer> => {
    const optimizer = createOptimizer(options);
    return Trainer.open(autoEncoderProgram(architecture, { batch: size, optimizer, parts }), { optimizer });
  };
  const feeds = (parts: readonly Float32Array[]) => parts.map((part) => ({ images: part }));

  test("a step is that of the whole batch where nothing is normalized", async () => {
    const dense = denseArchitecture(image, [32, 4]);
    const [whole, divided] = [await autoEncoder(dense, options), await inParts(dense, batch / 2, 2)];
    for (let step = 0; step < 5; step++) {
      const { loss } = await divided.advance(feeds(halves));
      expect(expectFloats(loss)[0] / (await whole.step({ images }))).toBeCloseTo(1, 5);
    }
    expect(relativeError(divided.parameters, whole.parameters)).toBeLessThan(1e-5);
    await Promise.all([whole.close(), divided.close()]);
  });

  test("each is normalized by its own statistics: twice the same is once", async () => {
    const [half] = halves;
    const [once, twice] = [await inParts(small, batch / 2, 1), await inParts(small, batch / 2, 2)];
    for (let step = 0; step < 3; step++) {
      const loss = await once.step({ images: half });
      expect(expectFloats((await twice.advance(feeds([half, half]))).loss)[0] / loss).toBeCloseTo(1, 5);
    }
    expect(relativeError(twice.parameters, once.parameters)).toBeLessThan(1e-4);
    expect(relativeError(twice.statistics, once.statistics)).toBeLessThan(1e-4);
    await Promise.all([once.close(), twice.close()]);
  });

  test("a trainer takes the state of one that has whole batches", async () => {
    const [whole, divided] = [await autoEncoder(small, options), await inParts(small, batch / 2, 2)];
    await losses(whole, 2);
    divided.restore(whole.save());
    expect(divided.save()).toEqual(whole.save());
    await Promise.all([whole.close(), divided.close()]);
  });
});
