import { expect, test } from "vitest";
import { allImages, labelsOf } from "../../../test/datasets.ts";
import { shapeDataset } from "../../../test/shapes.ts";
import { boostedTargets } from "../../clustering/targets.ts";
import { expectFloats } from "../../engine/program.ts";
import { accuracy } from "../../metrics/external.ts";
import { createOptimizer } from "../../network/optimizer.ts";
import { clusteringProgram } from "../../network/programs.ts";
import { Trainer } from "../../network/trainer.ts";
import { batchScores } from "./batch-scores.ts";
import { fitDbc } from "./dbc.ts";
import { networkFor } from "./fcae.ts";
import { dbcSettings } from "./options.ts";

const shapes = shapeDataset(48);
const k = 4;
const settings = dbcSettings(shapes, { k, preset: "paper" });
const architecture = networkFor(shapes, settings);

async function withTrainer(batch: number, use: (trainer: Trainer) => Promise<void>): Promise<void> {
  const optimizer = createOptimizer({ kind: "sgd", learningRate: 0.1 });
  const program = clusteringProgram(architecture, { batch, k, v: 1, optimizer });
  const trainer = await Trainer.open(program, { optimizer, seed: 3, threads: 1 });
  try {
    await use(trainer);
  } finally {
    await trainer.close();
  }
}

test("scores are those that a step has: KL(R‖S) of them is its loss", async () => {
  await withTrainer(48, async (trainer) => {
    const { scores } = await batchScores(shapes, architecture, trainer.parameters, {
      ...{ k, v: 1, batch: 48, keepFeatures: false, threads: 1 },
    });
    const targets = boostedTargets(scores, k, { alpha: 2, balance: "boosted" });
    const divergence = targets.reduce((sum, r, place) => sum + r * Math.log(r / scores[place]), 0) / 48;
    const { loss } = await trainer.advance([{ images: allImages(shapes), targets }]);
    expect(expectFloats(loss)[0]).toBeCloseTo(divergence, 5);
  });
});

test("rows are in the order of the images, however these are drawn and whether the last batch is full or not", async () => {
  await withTrainer(48, async ({ parameters }) => {
    const common = { k, v: 1, keepFeatures: true, threads: 1 };
    const images = Uint32Array.of(40, 3, 17, 8, 25);
    const twice = Uint32Array.of(...images, ...images);
    const whole = await batchScores(shapes, architecture, parameters, { ...common, batch: 10, images: twice });
    // Each image is in its batch twice, so that all statistics are those of the five.
    const five = await batchScores(shapes, architecture, parameters, { ...common, batch: 5, images });
    for (const [rows, columns] of [
      ["scores", k],
      ["features", five.features.length / 5],
    ] as const)
      for (let place = 0; place < 10 * columns; place++)
        expect(whole[rows][place]).toBeCloseTo(five[rows][place % (5 * columns)], 4);
    const unfilled = await batchScores(shapes, architecture, parameters, { ...common, batch: 3, images });
    expect(unfilled.scores.length).toBe(5 * k);
    expect(unfilled.scores.every((score) => score > 0 && score < 1)).toBe(true);
  });
});

test("clusters are found with them, and the finished model has running statistics again", async () => {
  const options = { k, preset: "paper", statistics: "batch", pretrainEpochs: 8, epochs: 6, threads: 1 } as const;
  const [first, second] = [await fitDbc(shapes, options), await fitDbc(shapes, options)];
  expect(second.parameters).toEqual(first.parameters);
  expect(first.parameters).not.toEqual((await fitDbc(shapes, { ...options, statistics: "running" })).parameters);
  expect(accuracy(labelsOf(shapes), first.assignments)).toBeGreaterThan(0.6);
});
