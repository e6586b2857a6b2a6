/**
 * The auto-encoder of vectors where the encoder is one linear layer. It need not be trained: the reconstruction is best
 * where the layer's rows span the principal components (Baldi & Hornik, 1989).
 */

import { principalComponents } from "../../embedding/principal-components.ts";
import { alone } from "../../engine/ranks/collective.ts";
import { sessionOptions } from "../../engine/session.ts";
import type { Images } from "../../images/dataset.ts";
import { isVector, pixelCount } from "../../images/image.ts";
import type { Architecture } from "../../network/architecture.ts";
import type { TrainedValues } from "../../network/trained.ts";
import { type Matrix, matrix } from "../../numeric/matrix.ts";
import { Random } from "../../numeric/random.ts";
import type { MethodOptions } from "../method.ts";
import { ownImages } from "../training/parts.ts";
import type { TrainingContext } from "../training/training-loop.ts";

export const isLinear = ({ image, layers }: Architecture): boolean =>
  isVector(image) &&
  layers.length === 1 &&
  layers.every((layer) => layer.kind === "convolution" && layer.activation === "linear" && !layer.batchNormalization);

/** Vectors that components are computed from: more of them change little. */
const mostSamples = 10_000;

/** Components are directions to look along, not results: so far they need to converge. */
const tolerance = 1e-4;

/** θ_e* and θ_d*: weight and bias of the encoder, then of the decoder. A feature has a variance of 1 on average. */
export async function principalEncoder(
  { layers }: Architecture,
  { dataset, run, options }: TrainingContext,
): Promise<TrainedValues> {
  const [layer] = layers;
  if (layer?.kind !== "convolution") throw new Error("a linear encoder has one layer");
  const { parameters } = await run.once("principal components", async () => {
    const samples = sampleOf(dataset, options);
    const wanted = { components: Math.min(layer.filters, samples.columns), tolerance, signal: options.signal };
    const { components, variances, mean } = await principalComponents(samples, {
      ...wanted,
      ...sessionOptions(options),
    });
    const total = variances.reduce((sum, variance) => sum + variance, 0);
    return { parameters: linearLayers(components, mean, Math.sqrt(variances.length / (total || 1))) };
  });
  return { parameters, statistics: new Float32Array(0) };
}

/** z = c P (x − x̄), and x̂ = Pᵀ z / c + x̄, for components P [features, columns]. */
function linearLayers(components: Float32Array, mean: Float64Array, c: number): Float32Array {
  const columns = mean.length;
  const features = components.length / columns;
  const offsets = Float32Array.from({ length: features }, (_, feature) => {
    const row = components.subarray(feature * columns, (feature + 1) * columns);
    return -c * row.reduce((sum, value, d) => sum + value * mean[d], 0);
  });
  const parameters = new Float32Array(2 * components.length + features + columns);
  parameters.set(components.map((value) => c * value));
  parameters.set(offsets, components.length);
  parameters.set(
    components.map((value) => value / c),
    components.length + features,
  );
  parameters.set(Float32Array.from(mean), 2 * components.length + features);
  return parameters;
}

/** Each rank reads its own of them. */
function sampleOf(dataset: Images, { seed = 0, collective = alone }: MethodOptions): Matrix {
  const { count, image } = dataset;
  const chosen = new Random(seed, "principal components").permutation(count).subarray(0, mostSamples).sort();
  const columns = pixelCount(image);
  const values = new Float32Array(chosen.length * columns);
  const isOwn = ownImages(count, collective);
  chosen.forEach((vector, place) => {
    if (isOwn(vector)) dataset.read([vector], values.subarray(place * columns, (place + 1) * columns));
  });
  // Everybody else has zeros there, so that sums are exact.
  collective.sum(values);
  return matrix(values, columns, "vectors");
}
