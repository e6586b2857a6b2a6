/**
 * `weights.safetensors` of a run: the encoder with its centres, its running statistics, and the auto-encoder that training
 * began with, if any; each parameter under its own name.
 */
import { join } from "node:path";
import { InputError } from "../files/errors.ts";
import { readSafetensors, type StoredTensor, writeSafetensors } from "../files/safetensors.ts";
import type { Architecture } from "../network/architecture.ts";
import { type Encoder, isEnsemble } from "../network/ensemble.ts";
import { decoderParameters, decoderStatistics, encoderParameters, encoderStatistics } from "../network/layers.ts";
import { type ParameterSpec, parameterView, totalSize } from "../network/parameters.ts";
import { clusteringParameters } from "../network/programs.ts";
import type { TrainedValues } from "../network/trained.ts";
import type { Fitted } from "./fitted.ts";

const pathIn = (folder: string): string => join(folder, "weights.safetensors");

export const writeWeights = (folder: string, fitted: Fitted): void =>
  writeSafetensors(pathIn(folder), weightTensors(fitted));

export interface RunWeights {
  readonly trained: TrainedValues;
  /** Encoder, then decoder, as clustering began with them; not every method has them. */
  readonly autoEncoder?: TrainedValues;
}

/** Those of an encoder with k centres. */
export function readWeights(folder: string, { architecture, k }: { architecture: Encoder; k: number }): RunWeights {
  const { tensors } = readSafetensors(pathIn(folder));
  const gather = (specs: readonly ParameterSpec[]): Float32Array => {
    const values = new Float32Array(totalSize(specs));
    for (const { name } of specs) {
      const stored = tensors.get(name)?.values;
      const view = parameterView(values, specs, name);
      if (!(stored instanceof Float32Array) || stored.length !== view.length)
        throw new InputError(
          `${folder}: weights.safetensors does not fit run.json: "${name}" is missing or of another size`,
        );
      view.set(stored);
    }
    return values;
  };
  const trained = {
    parameters: gather(clusteringParameters(architecture, k)),
    statistics: gather(encoderStatistics(architecture)),
  };
  const hasAutoEncoder = [...tensors.keys()].some((name) => name.startsWith(autoEncoderPrefix));
  if (isEnsemble(architecture) || !hasAutoEncoder) return { trained };
  const specs = autoEncoderSpecs(architecture);
  return { trained, autoEncoder: { parameters: gather(specs.parameters), statistics: gather(specs.statistics) } };
}

/** Every parameter and statistic under its name. */
function weightTensors({ architecture, k, parameters, statistics, autoEncoder }: Fitted): Record<string, StoredTensor> {
  const pieces: [Float32Array, readonly ParameterSpec[]][] = [
    [parameters, clusteringParameters(architecture, k)],
    [statistics, encoderStatistics(architecture)],
  ];
  if (autoEncoder !== undefined && !isEnsemble(architecture)) {
    const specs = autoEncoderSpecs(architecture);
    pieces.push([autoEncoder.parameters, specs.parameters], [autoEncoder.statistics, specs.statistics]);
  }
  return Object.fromEntries(
    pieces.flatMap(([values, specs]) =>
      specs.map(({ name, shape }) => [name, { shape, values: parameterView(values, specs, name) }]),
    ),
  );
}

const autoEncoderPrefix = "auto-encoder.";

/** Of encoder and decoder, under names of their own: the encoder's have changed since. */
function autoEncoderSpecs(architecture: Architecture) {
  const named = (specs: readonly ParameterSpec[]): ParameterSpec[] =>
    specs.map((spec) => ({ ...spec, name: `${autoEncoderPrefix}${spec.name}` }));
  return {
    parameters: named([...encoderParameters(architecture), ...decoderParameters(architecture)]),
    statistics: named([...encoderStatistics(architecture), ...decoderStatistics(architecture)]),
  };
}
