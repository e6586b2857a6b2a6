/** t-SNE's side of the bench: features, our map of them, and how good any map of them is. */
import { readFileSync } from "node:fs";
import { nearestNeighbours } from "../src/clustering/neighbours.ts";
import { affinities } from "../src/embedding/affinities.ts";
import { divergence } from "../src/embedding/attraction.ts";
import { principalComponents } from "../src/embedding/principal-components.ts";
import { tsne } from "../src/embedding/t-sne.ts";
import { readBytes } from "../src/files/bytes.ts";
import { openNpy, writeNpy } from "../src/files/npy.ts";
import { type Matrix, matrix } from "../src/numeric/matrix.ts";

/** The images of an IDX file, a row an image, as numbers from 0 to 1. */
export function readImages(path: string): Matrix {
  const raw = readFileSync(path);
  return matrix(
    Float32Array.from(raw.subarray(16), (value) => value / 255),
    raw.readUInt32BE(8) * raw.readUInt32BE(12),
  );
}

/** The principal components of images, as a .npy file. */
export async function writeFeatures(images: string, components: number, features: string): Promise<void> {
  const samples = readImages(images);
  const { projections } = await principalComponents(samples, { components });
  writeNpy(features, projections, [samples.rows, components]);
}

function readFeatures(path: string): Matrix {
  const { bytes, offset, shape } = openNpy(path);
  return matrix(new Float32Array(new Uint8Array(readBytes(bytes, offset)).buffer), shape[1]);
}

export async function tsneSeconds(features: string, map: string, threads: number) {
  const samples = readFeatures(features);
  const start = performance.now();
  const { embedding, divergence: kl } = await tsne(samples, { threads });
  const seconds = (performance.now() - start) / 1000;
  writeNpy(map, embedding, [samples.rows, 2]);
  return { samples: samples.rows, seconds, kl };
}

/** The divergence of a map, its total exact: implementations tell it by their own approximations. */
export async function exactDivergence(features: string, map: string): Promise<number> {
  const nearest = await nearestNeighbours(readFeatures(features), { neighbours: 91 });
  const points = Float64Array.from(readFeatures(map).values);
  let total = 0;
  for (let i = 0; i < points.length; i += 2)
    for (let j = 0; j < i; j += 2)
      total += 2 / (1 + (points[i] - points[j]) ** 2 + (points[i + 1] - points[j + 1]) ** 2);
  return divergence(await affinities(nearest, { perplexity: 30 }), points, total);
}
