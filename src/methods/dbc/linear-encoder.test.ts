import { expect, test } from "vitest";
import { blobDataset } from "../../../test/blobs.ts";
import { allImages } from "../../../test/datasets.ts";
import { relativeError } from "../../../test/evaluate.ts";
import { Stopped, StoppingStore } from "../../../test/stopping-store.ts";
import { principalComponents } from "../../embedding/principal-components.ts";
import { denseArchitecture, vectorArchitectures } from "../../network/architecture.ts";
import { matrix } from "../../numeric/matrix.ts";
import { ResumableRun } from "../training/resumable-run.ts";
import { isLinear, principalEncoder } from "./linear-encoder.ts";

const dimensions = 12;
const features = 4;
const vectors = blobDataset({ groups: 3, count: 120, dimensions, distance: 2 });
const values = allImages(vectors);
const architecture = denseArchitecture(vectors.image, [features]);
const options = { k: 3, threads: 1 } as const;

/** Rows of `weights` times x, plus `bias`. */
const affine = (weights: Float32Array, bias: Float32Array, x: Float32Array): Float32Array =>
  bias.map((start, row) => x.reduce((sum, one, d) => sum + weights[row * x.length + d] * one, start));

async function layers() {
  const { parameters } = await principalEncoder(architecture, { dataset: vectors, run: new ResumableRun(), options });
  const size = features * dimensions;
  expect(parameters).toHaveLength(2 * size + features + dimensions);
  const decoder = parameters.subarray(size + features, 2 * size + features);
  return {
    encode: (x: Float32Array) => affine(parameters.subarray(0, size), parameters.subarray(size, size + features), x),
    decode: (z: Float32Array) =>
      Float32Array.from({ length: dimensions }, (_, d) =>
        z.reduce((sum, one, row) => sum + decoder[row * dimensions + d] * one, parameters[2 * size + features + d]),
      ),
  };
}

const samples = Array.from({ length: vectors.count }, (_, row) =>
  values.subarray(row * dimensions, (row + 1) * dimensions),
);

test("features are principal components, with a variance of 1 on average", async () => {
  const { encode } = await layers();
  const { projections } = await principalComponents(matrix(values, dimensions), { components: features, threads: 1 });
  const z = samples.flatMap((x) => [...encode(x)]);
  const variance = z.reduce((sum, one) => sum + one * one, 0) / z.length;
  expect(variance).toBeCloseTo(1, 3);
  const scale = Math.sqrt(projections.reduce((sum, one) => sum + one * one, 0) / projections.length);
  const expected = Array.from(projections, (one) => one / scale);
  expect(relativeError(z, expected)).toBeLessThan(1e-2);
});

test("what the decoder gets wrong is the variance of the components that were left out", async () => {
  const { encode, decode } = await layers();
  const all = await principalComponents(matrix(values, dimensions), { components: dimensions, threads: 1 });
  const left = all.variances.subarray(features).reduce((sum, one) => sum + one, 0);
  const error = samples.reduce((total, x) => {
    const restored = decode(encode(x));
    return total + x.reduce((sum, one, d) => sum + (one - restored[d]) ** 2, 0);
  }, 0);
  expect(error / samples.length / left).toBeCloseTo(1, 4);
});

test("it is computed once, whatever happens in between", async () => {
  const stopping = new StoppingStore(undefined, 1);
  const attempt = principalEncoder(architecture, { dataset: vectors, run: new ResumableRun(stopping), options });
  await expect(attempt).rejects.toThrow(Stopped);
  const unread = { ...vectors, read: () => expect.fail("the vectors are read again") };
  const run = new ResumableRun(new StoppingStore(stopping.last, -1));
  const again = await principalEncoder(architecture, { dataset: unread, run, options });
  const anew = await principalEncoder(architecture, { dataset: vectors, run: new ResumableRun(), options });
  expect(again).toEqual(anew);
});

test("only one layer without activation and normalization is linear", () => {
  const { image } = vectors;
  expect(isLinear(vectorArchitectures.linear(image))).toBe(true);
  expect(isLinear(vectorArchitectures.dense(image))).toBe(false);
  expect(isLinear(denseArchitecture(image, [4], { featureActivation: "tanh" }))).toBe(false);
});
