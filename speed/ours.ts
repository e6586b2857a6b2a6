/**
 * Our side of one measurement, in a process of its own as the peer's is.
 *
 * usage: ours.ts {mnist|usps|coil-20|coil-100} {fcae|dbc|predict} [threads] [parts of a step]
 *        ours.ts kmeans IDX_IMAGES K RESTARTS [threads]
 *        ours.ts features IDX_IMAGES COMPONENTS FEATURES.npy
 *        ours.ts tsne FEATURES.npy MAP.npy [threads]
 *        ours.ts divergence FEATURES.npy MAP.npy
 *        ours.ts vectors BACKBONE_FOLDER LIST_OF_PHOTOGRAPHS [threads]
 *        ours.ts matmul [threads]
 * Prints one JSON line.
 */
import { availableParallelism } from "node:os";
import { kMeans } from "../src/clustering/k-means.ts";
import { Session } from "../src/engine/session.ts";
import { encode } from "../src/graph/encode.ts";
import { sum } from "../src/graph/operators/broadcasting.ts";
import { matmul } from "../src/graph/operators/product.ts";
import { input } from "../src/graph/tensor.ts";
import type { Architecture } from "../src/network/architecture.ts";
import { encoderStatistics } from "../src/network/layers.ts";
import { initialValues } from "../src/network/parameters.ts";
import { Predictor } from "../src/network/predictor.ts";
import { clusteringParameters } from "../src/network/programs.ts";
import { exactDivergence, readImages, tsneSeconds, writeFeatures } from "./maps.ts";
import { clusters, medianSeconds, randomFloats, steppedImages, trainStep } from "./steps.ts";
import { vectorsPerSecond } from "./vectors.ts";

async function imagesPerSecond(network: string, job: string, threads: number, parts: number): Promise<number> {
  const { architecture, batch, images, steps } = steppedImages(network);
  const step =
    job === "predict"
      ? await predictStep(architecture, images, threads)
      : await trainStep(architecture, job, batch / parts, images.subarray(0, images.length / parts), {
          ...{ threads, parts, ownParts: parts },
        });
  return batch / (await medianSeconds(steps, step));
}

async function predictStep(architecture: Architecture, images: Float32Array, threads: number) {
  const k = clusters[architecture.name];
  const trained = {
    parameters: initialValues(clusteringParameters(architecture, k), 0),
    statistics: initialValues(encoderStatistics(architecture), 0),
  };
  const predictor = await Predictor.open(architecture, trained, { k, threads });
  return () => predictor.predict(images);
}

async function kMeansSeconds(path: string, k: number, restarts: number, threads: number) {
  const samples = readImages(path);
  const start = performance.now();
  const { inertia, totalIterations } = await kMeans(samples, { k, restarts, threads });
  return { samples: samples.rows, seconds: (performance.now() - start) / 1000, inertia, totalIterations };
}

/** GFLOP/s of a product of two square matrices. */
async function productSpeed(threads: number): Promise<number> {
  const size = 2048;
  const product = matmul(input("a", [size, size]), input("b", [size, size]));
  const session = await Session.open(encode({ total: sum(product) }), { threads });
  const [a, b] = [randomFloats(size * size), randomFloats(size * size)];
  const seconds = await medianSeconds(25, () => session.run({ a, b }));
  return (2 * size ** 3) / seconds / 1e9;
}

const [first, second, ...rest] = process.argv.slice(2);
const threadsOr = (value: string | undefined): number => (value === undefined ? availableParallelism() : Number(value));
const peakMegabytes = (): number => Math.round(process.resourceUsage().maxRSS / 1024);

if (first === "kmeans") {
  const measured = await kMeansSeconds(second, Number(rest[0]), Number(rest[1]), threadsOr(rest[2]));
  console.log(JSON.stringify({ ...measured, peakMegabytes: peakMegabytes() }));
} else if (first === "features") {
  await writeFeatures(second, Number(rest[0]), rest[1]);
  console.log(JSON.stringify({}));
} else if (first === "tsne") {
  const measured = await tsneSeconds(second, rest[0], threadsOr(rest[1]));
  console.log(JSON.stringify({ ...measured, peakMegabytes: peakMegabytes() }));
} else if (first === "divergence") {
  console.log(JSON.stringify({ kl: await exactDivergence(second, rest[0]) }));
} else if (first === "vectors") {
  const speed = await vectorsPerSecond(second, rest[0], threadsOr(rest[1]));
  console.log(JSON.stringify({ imagesPerSecond: speed, peakMegabytes: peakMegabytes() }));
} else if (first === "matmul") {
  console.log(JSON.stringify({ gigaflops: await productSpeed(threadsOr(second)) }));
} else {
  const speed = await imagesPerSecond(first, second, threadsOr(rest[0]), Number(rest[1] ?? 1));
  console.log(JSON.stringify({ network: first, job: second, imagesPerSecond: speed, peakMegabytes: peakMegabytes() }));
}
process.exit(0);
