/**
 * A trained encoder ready for use: with fixed statistics, batch normalization becomes part of the kernel and a bias;
 * the images' scale becomes part of the first kernel.
 */
import { epsilon } from "../graph/operators/normalization.ts";
import { constant, type Tensor } from "../graph/tensor.ts";
import type { Architecture } from "./architecture.ts";
import type { Encoder } from "./ensemble.ts";
import { encoderParameters, encoderStatistics } from "./layers.ts";
import { parameterView } from "./parameters.ts";
import { centresName, clusteringParameters } from "./programs.ts";
import { type Block, blocksOf } from "./shapes.ts";

export interface TrainedValues {
  /** θ and, to get scores, μ, in the order of `encoderParameters` or `clusteringParameters`. */
  readonly parameters: Float32Array;
  /** Running statistics, in the order of `encoderStatistics`; further values are ignored. */
  readonly statistics: Float32Array;
}

/** The values of an encoder that has nothing to train. */
export const untrained: TrainedValues = { parameters: new Float32Array(0), statistics: new Float32Array(0) };

export interface TrainedBlock extends Block {
  readonly weight: Tensor;
  readonly bias: Tensor;
}

/** The encoder's blocks with constant weights: copies, which further training does not change. */
export function trainedBlocks(architecture: Architecture, { parameters, statistics }: TrainedValues): TrainedBlock[] {
  const parameter = (name: string) => parameterView(parameters, encoderParameters(architecture), name);
  const statistic = (name: string) => parameterView(statistics, encoderStatistics(architecture), name);
  return blocksOf(architecture).map((block, index) => {
    const { name, filters, kernel, batchNormalization } = block.layer;
    const weight = parameter(`${name}.weight`).slice();
    const bias = batchNormalization ? parameter(`${name}.beta`).slice() : parameter(`${name}.bias`).slice();
    if (batchNormalization) {
      // γ (w x − mean) / √(variance + ε) + β
      const size = weight.length / filters;
      for (let filter = 0; filter < filters; filter++) {
        const factor = parameter(`${name}.gamma`)[filter] / Math.sqrt(statistic(`${name}.variance`)[filter] + epsilon);
        for (let i = filter * size; i < (filter + 1) * size; i++) weight[i] *= factor;
        bias[filter] -= statistic(`${name}.mean`)[filter] * factor;
      }
    }
    if (index === 0 && architecture.scale !== undefined) scaleBy(weight, architecture.scale);
    const shape = [filters, block.input.channels, ...kernel];
    return { ...block, weight: constant(weight, shape, "float32"), bias: constant(bias, [filters], "float32") };
  });
}

function scaleBy(values: Float32Array, factor: number): void {
  for (let i = 0; i < values.length; i++) values[i] *= factor;
}

/** A copy of the centres μ [k, d]. */
export function trainedCentres(encoder: Encoder, { parameters }: TrainedValues, k: number): Float32Array {
  return parameterView(parameters, clusteringParameters(encoder, k), centresName).slice();
}
