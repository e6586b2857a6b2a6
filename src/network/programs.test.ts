import { expect, test } from "vitest";
import { evaluate, relativeError } from "../../test/evaluate.ts";
import { type FcaeStepOracle, readOracle } from "../../test/oracles.ts";
import { gradients } from "../graph/gradients.ts";
import { sum } from "../graph/operators/broadcasting.ts";
import { multiply, square, subtract } from "../graph/operators/elementwise.ts";
import { transpose } from "../graph/operators/layout.ts";
import { input, type Tensor } from "../graph/tensor.ts";
import type { Architecture } from "./architecture.ts";
import { autoEncoderParameters, decodeFeatures, encodeImages } from "./layers.ts";

function oracleArchitecture({ channels, size, padding, convs, feature }: FcaeStepOracle): Architecture {
  const blocks = convs.flatMap(([kernel, filters], index) => [
    {
      kind: "convolution" as const,
      name: `conv${index + 1}`,
      kernel: [kernel, kernel] as const,
      filters,
      padding: [padding, padding] as const,
      batchNormalization: true,
      activation: "relu" as const,
    },
    { kind: "pool" as const, name: `pool${index + 1}`, size: [2, 2] as const },
  ]);
  const last = {
    kind: "convolution" as const,
    name: "feature",
    kernel: [feature[0], feature[0]] as const,
    filters: feature[1],
    padding: [0, 0] as const,
    batchNormalization: true,
    activation: "linear" as const,
  };
  return { name: "oracle", image: { channels, height: size, width: size }, layers: [...blocks, last] };
}

/** conv1.gamma is bn1.gamma in the reference, feature.gamma is feature.bn.gamma, and deconv2.gamma is debn2.gamma. */
function oracleName(name: string): string {
  if (!name.endsWith(".gamma") && !name.endsWith(".beta")) return name;
  return name.includes("feature") ? name.replace(".", ".bn.") : name.replace("conv", "bn");
}

const batchFirst = (x: Tensor): Tensor => transpose(x, [3, 0, 1, 2]);

for (const name of ["fcae-step-padded", "fcae-step-colour"] as const)
  test(`${name}: loss, activations and every gradient agree with PyTorch`, async () => {
    const oracle = readOracle(name);
    const architecture = oracleArchitecture(oracle);
    const specs = autoEncoderParameters(architecture);
    const parameters = new Map(specs.map((spec) => [spec.name, input(spec.name, spec.shape)]));
    const watched = new Map<string, Tensor>();
    const context = { parameters, watch: (layer: string, value: Tensor) => watched.set(layer, value) };
    const x = transpose(input("x", oracle.x.shape), [1, 2, 3, 0]);
    const encoded = encodeImages(x, architecture, context);
    const { reconstruction } = decodeFeatures(encoded, architecture, context);
    const loss = multiply(sum(square(subtract(reconstruction, x))), 1 / oracle.x.shape[0]);
    const derivatives = gradients(loss, [...parameters.values()]);

    const outputs: Record<string, Tensor> = { loss, reconstruction: batchFirst(reconstruction) };
    for (const layer of Object.keys(oracle.activations)) {
      const value = watched.get(layer);
      if (value !== undefined) outputs[layer] = batchFirst(value);
    }
    specs.forEach((spec, index) => {
      outputs[`d ${spec.name}`] = derivatives[index];
    });
    const feeds = Object.fromEntries(
      specs.map((spec) => [spec.name, Float32Array.from(oracle.parameters[oracleName(spec.name)].data)]),
    );
    const results = await evaluate(outputs, { ...feeds, x: Float32Array.from(oracle.x.data) });

    expect(results.loss[0] / oracle.loss).toBeCloseTo(1, 5);
    expect(relativeError(results.reconstruction, oracle.reconstruction.data)).toBeLessThan(1e-4);
    for (const [layer, expected] of Object.entries(oracle.activations))
      expect(relativeError(results[layer], expected.data), layer).toBeLessThan(1e-4);
    for (const spec of specs)
      expect(
        relativeError(results[`d ${spec.name}`], oracle.gradients[oracleName(spec.name)].data),
        spec.name,
      ).toBeLessThan(1e-4);
    const named = new Set(specs.map((spec) => oracleName(spec.name)));
    const unnamed = Object.keys(oracle.parameters).filter((parameter) => !named.has(parameter));
    for (const bias of unnamed) {
      expect(bias).toMatch(/\.bias$/);
      const largest = Math.max(...oracle.gradients[bias].data.map(Math.abs));
      expect(largest, `${bias}: batch normalization cancels it, so we omit it`).toBeLessThan(1e-9);
    }
  });
