/**
 * A trained auto-encoder with fixed statistics, as in the exported model: batch normalization becomes part of kernels
 * and biases, so that an image's activations do not depend on the other images of its batch.
 */
import { InputError } from "../files/errors.ts";
import { epsilon } from "../graph/operators/normalization.ts";
import type { Architecture } from "../network/architecture.ts";
import { autoEncoderParameters, autoEncoderStatistics, decoderParameters } from "../network/layers.ts";
import { type ParameterSpec, parameterView, totalSize } from "../network/parameters.ts";
import type { TrainedValues } from "../network/trained.ts";

export interface FixedNetwork {
  /** The same layers without batch normalization. */
  readonly architecture: Architecture;
  /** The encoder's, then the decoder's. */
  readonly parameters: Float32Array;
}

/** `trained` holds parameters and running statistics of the encoder, then of the decoder. */
export function withFixedStatistics(architecture: Architecture, trained: TrainedValues): FixedNetwork {
  const layers = architecture.layers.map((layer) =>
    layer.kind === "convolution" ? { ...layer, batchNormalization: false } : layer,
  );
  const plain = { ...architecture, layers };
  const from = autoEncoderParameters(architecture);
  const statistics = autoEncoderStatistics(architecture);
  expectSize(trained.parameters, from, "parameters");
  expectSize(trained.statistics, statistics, "statistics");
  const to = autoEncoderParameters(plain);
  const parameters = new Float32Array(totalSize(to));
  const result = (name: string): Float32Array => parameterView(parameters, to, name);
  const decoded = new Set(decoderParameters(plain).map(({ name }) => name));
  for (const { name, shape } of to) {
    if (!name.endsWith(".weight")) continue;
    const layer = name.slice(0, -".weight".length);
    const given = (part: string): Float32Array => parameterView(trained.parameters, from, `${layer}.${part}`);
    const running = (part: string): Float32Array => parameterView(trained.statistics, statistics, `${layer}.${part}`);
    result(name).set(given("weight"));
    if (from.some((spec) => spec.name === `${layer}.bias`)) {
      result(`${layer}.bias`).set(given("bias"));
      continue;
    }
    // γ (w x − mean) / √(variance + ε) + β
    const factors = given("gamma").map((gamma, channel) => gamma / Math.sqrt(running("variance")[channel] + epsilon));
    scaleChannels(result(name), shape, decoded.has(name) ? 1 : 0, factors);
    result(`${layer}.bias`).set(
      given("beta").map((beta, channel) => beta - running("mean")[channel] * factors[channel]),
    );
  }
  return { architecture: plain, parameters };
}

/** A kernel's output channels are its first axis in the encoder, its second in the decoder. */
function scaleChannels(kernel: Float32Array, shape: readonly number[], axis: 0 | 1, factors: Float32Array): void {
  const inner = shape.slice(axis + 1).reduce((a, b) => a * b, 1);
  for (let i = 0; i < kernel.length; i++) kernel[i] *= factors[Math.floor(i / inner) % shape[axis]];
}

function expectSize(values: Float32Array, specs: readonly ParameterSpec[], what: string): void {
  if (values.length !== totalSize(specs))
    throw new InputError(
      `encoder and decoder have ${totalSize(specs)} ${what}, not ${values.length}: give those of an auto-encoder`,
    );
}
