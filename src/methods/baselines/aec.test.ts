import { expect, test } from "vitest";
import { shapeDataset } from "../../../test/shapes.ts";
import type { Fitted, Stage } from "../../runs/fitted.ts";
import { type AecOptions, fitAec } from "./aec.ts";

const dataset = shapeDataset(80);
/** One batch is all images, so that a loss is that of all of them. */
const quick: AecOptions = {
  k: 4,
  units: [32, 6],
  batch: dataset.count,
  layerEpochs: 0,
  pretrainEpochs: 10,
  pretrainOptimizer: { kind: "adam", learningRate: 1e-2 },
  restarts: 3,
  threads: 1,
};

const losses = ({ history }: Fitted, stage: Stage): number[] =>
  history.filter((entry) => entry.stage === stage).map(({ loss }) => loss);

test("with the network standing still, assigning and centring anew never raise the objective", async () => {
  const still = { kind: "sgd", learningRate: 1e-30, momentum: 0 } as const;
  const course = losses(
    await fitAec(dataset, { ...quick, weight: 10, epochs: 15, initialClusters: "random", optimizer: still }),
    "clustering",
  );
  expect(course).toHaveLength(15);
  for (let epoch = 1; epoch < course.length; epoch++)
    expect(course[epoch]).toBeLessThanOrEqual(course[epoch - 1] * (1 + 1e-6));
  expect(course[14]).toBeLessThan(0.99 * course[0]);
});

test("training lowers the objective further", async () => {
  const optimizer = { kind: "adam", learningRate: 1e-2 } as const;
  const fitted = await fitAec(dataset, { ...quick, epochs: 25, optimizer });
  expect(fitted.converged).toBe(false);
  const course = losses(fitted, "clustering");
  for (let epoch = 5; epoch < course.length; epoch += 5) expect(course[epoch]).toBeLessThan(course[epoch - 5]);
  expect(course[24]).toBeLessThan(0.8 * course[0]);
});

test("a weight of zero leaves the plain auto-encoder", async () => {
  const descent = { kind: "sgd", learningRate: 1e-3, momentum: 0 } as const;
  const options = { ...quick, pretrainOptimizer: descent, optimizer: descent };
  const plain = losses(await fitAec(dataset, { ...options, pretrainEpochs: 8, epochs: 0 }), "auto-encoder");
  const joint = losses(await fitAec(dataset, { ...options, pretrainEpochs: 5, epochs: 3, weight: 0 }), "clustering");
  expect(plain[7]).toBeLessThan(plain[0]);
  joint.forEach((loss, epoch) => {
    expect(loss / plain[5 + epoch]).toBeCloseTo(1, 5);
  });
});
