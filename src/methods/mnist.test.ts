/** Every method on digits: the first five hundred of MNIST's test images, in seconds. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { allImages, firstImages, labelsOf } from "../../test/datasets.ts";
import { tsne } from "../embedding/t-sne.ts";
import type { Dataset } from "../images/dataset.ts";
import { openDataset } from "../images/sources/open.ts";
import { accuracy } from "../metrics/external.ts";
import { trustworthiness } from "../metrics/trustworthiness.ts";
import { matrix } from "../numeric/matrix.ts";
import type { Fitted } from "../runs/fitted.ts";
import { type MethodName, methodNames, methods } from "./methods.ts";

/** Ten clusters at random, named as well as can be, are right about 15 times in 100. */
const wellOverChance = 0.3;

const common = { k: 10, restarts: 5, threads: 1 } as const;
const adam = (learningRate: number) => ({ kind: "adam", learningRate }) as const;
const dense = {
  ...common,
  units: [128, 64, 10],
  batch: 50,
  layerEpochs: 5,
  pretrainEpochs: 15,
  pretrainOptimizer: adam(3e-3),
};
const convolutional = { ...common, batch: 50, pretrainEpochs: 3 };

/** Fits of each method, far shorter than by default. */
const fits: Readonly<Record<MethodName, (images: Dataset) => Promise<Fitted>>> = {
  kms: (images) => methods.kms.fit(images, common),
  "dae-kms": (images) => methods["dae-kms"].fit(images, dense),
  aec: (images) =>
    methods.aec.fit(images, { ...dense, pretrainOptimizer: adam(1e-2), epochs: 5, optimizer: adam(1e-3) }),
  iec: (images) => methods.iec.fit(images, { ...common, partitions: 15, layers: 2 }),
  dec: (images) => methods.dec.fit(images, { ...dense, epochs: 10 }),
  den: (images) => methods.den.fit(images, { ...dense, epochs: 5 }),
  dcn: (images) => methods.dcn.fit(images, { ...dense, epochs: 5 }),
  "fcae-kms": (images) => methods["fcae-kms"].fit(images, convolutional),
  dbc: (images) => methods.dbc.fit(images, { ...convolutional, epochs: 3 }),
};

let digits: Dataset;
const folder = mkdtempSync(join(tmpdir(), "boostcluster-digits-"));

beforeAll(async () => {
  digits = firstImages(await openDataset("mnist-test"), 500);
});
afterAll(() => {
  digits.close();
  rmSync(folder, { recursive: true });
});

test.each(methodNames)("%s tells digits apart far better than chance", async (name) => {
  const { assignments } = await fits[name](digits);
  expect(accuracy(labelsOf(digits), assignments)).toBeGreaterThan(wellOverChance);
});

test("a map of the features of digits keeps their neighbourhoods", async () => {
  const { features } = await fits["fcae-kms"](digits);
  const samples = matrix(features, features.length / digits.count);
  const { embedding } = await tsne(samples, { iterations: 400, threads: 1 });
  expect(trustworthiness(samples, matrix(embedding, 2))).toBeGreaterThan(0.95);
});

const python = "/usr/bin/python3";
/** Where k-means ends depends on where it starts: only the mean over many starts tells two programs apart. */
const starts = 40;

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

test("k-means on the pixels is as good as scikit-learn's", async (context) => {
  if (spawnSync(python, ["-c", "import sklearn"]).status !== 0) {
    console.warn("not compared with scikit-learn: install Debian's python3-sklearn");
    context.skip();
  }
  const truth = labelsOf(digits);
  const own = { accuracies: [] as number[], inertias: [] as number[] };
  for (let seed = 0; seed < starts; seed++) {
    const { assignments, history } = await methods.kms.fit(digits, { ...common, restarts: 1, seed });
    own.accuracies.push(accuracy(truth, assignments));
    own.inertias.push(history[0].loss * digits.count);
  }
  const { labels, inertias } = scikitKMeans(allImages(digits));
  const accuracies = labels.map((assignments) => accuracy(truth, assignments));
  expect(Math.abs(mean(own.accuracies) - mean(accuracies))).toBeLessThan(0.02);
  expect(Math.abs(mean(own.inertias) / mean(inertias) - 1)).toBeLessThan(0.003);
});

/** What scikit-learn finds from as many starts. */
function scikitKMeans(images: Float32Array): { readonly labels: number[][]; readonly inertias: number[] } {
  const pixels = join(folder, "pixels");
  writeFileSync(pixels, images);
  const script = `
import json, numpy, sys
from sklearn.cluster import KMeans
x = numpy.fromfile(sys.argv[1], numpy.float32).reshape(-1, 784)
found = [KMeans(10, n_init=1, random_state=seed).fit(x) for seed in range(${starts})]
print(json.dumps({"labels": [f.labels_.tolist() for f in found], "inertias": [float(f.inertia_) for f in found]}))`;
  // More threads would only wait for one another.
  const env = { ...process.env, OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" };
  const { stdout, stderr } = spawnSync(python, ["-c", script, pixels], { encoding: "utf8", env });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}
