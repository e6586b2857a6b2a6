/**
 * The two training programs: one step of the auto-encoder (M1) and one of DBC (M2), each a single graph of forward
 * pass, loss, backward pass, update and running statistics.
 */
import { clusteringLoss } from "../clustering/soft-assignment.ts";
import type { Program } from "../engine/program.ts";
import { InputError } from "../errors.ts";
import { encode } from "../graph/encode.ts";
import { gradients } from "../graph/gradients.ts";
import { sum } from "../graph/operators/broadcasting.ts";
import { add, multiply, square, subtract } from "../graph/operators/elementwise.ts";
import { concatenate, reshape, transpose } from "../graph/operators/layout.ts";
import { input, type Tensor } from "../graph/tensor.ts";
import type { Architecture } from "./architecture.ts";
import {
  decodeFeatures,
  decoderParameters,
  decoderStatistics,
  encodeImages,
  encoderParameters,
  encoderStatistics,
  imageInput,
} from "./layers.ts";
import type { Optimizer } from "./optimizer.ts";
import { heBound, type ParameterSpec, parameterSize, splitParameters, totalSize } from "./parameters.ts";
import { featureSize } from "./shapes.ts";

/** How much of the running statistics each batch replaces; PyTorch's value. */
const statisticsMomentum = 0.1;

export interface TrainingProgram extends Program {
  readonly parameters: readonly ParameterSpec[];
  readonly statistics: readonly ParameterSpec[];
  readonly batch: number;
}

export interface TrainingSettings {
  /** Images a step. */
  readonly batch: number;
  readonly optimizer: Optimizer;
}

/** One step on `images` [batch, channels·height·width]: minimizes the mean of ‖x − x̂‖². Gives `loss`. */
export function autoEncoderProgram(architecture: Architecture, settings: TrainingSettings): TrainingProgram {
  const parameters = [...encoderParameters(architecture), ...decoderParameters(architecture)];
  const statistics = [...encoderStatistics(architecture), ...decoderStatistics(architecture)];
  const vector = input("parameters", [totalSize(parameters)]);
  const context = { parameters: splitParameters(vector, parameters) };
  expectBatch(settings.batch);
  const x = imageInput(architecture.image, settings.batch);
  const encoded = encodeImages(x, architecture, context);
  const decoded = decodeFeatures(encoded, architecture, context);
  const loss = multiply(sum(square(subtract(decoded.reconstruction, x))), 1 / settings.batch);
  const batchStatistics = new Map([...encoded.batchStatistics, ...decoded.batchStatistics]);
  return trainingProgram({ loss }, { vector, parameters, context, statistics, batchStatistics, settings });
}

export interface ClusteringSettings extends TrainingSettings {
  /** Number of clusters. */
  readonly k: number;
  /** The degree of freedom v of the t-distribution. Default: 1, as the paper. */
  readonly v?: number;
}

/** The name of the centres μ [k, features] among the parameters of `clusteringProgram`. */
export const centresName = "centres";

/** The parameters of DBC: the encoder's θ, and the centres μ. */
export function clusteringParameters(architecture: Architecture, k: number): ParameterSpec[] {
  const features = featureSize(architecture);
  return [
    ...encoderParameters(architecture),
    { name: centresName, shape: [k, features], initial: { bound: heBound(features) } },
  ];
}

/** One step on `images` and their `targets` [batch, k]: minimizes the mean KL(r‖s). Gives `loss`. */
export function clusteringProgram(architecture: Architecture, settings: ClusteringSettings): TrainingProgram {
  const { k, v = 1, batch } = settings;
  if (!Number.isInteger(k) || k < 1) throw new InputError(`k must be a whole number from 1, not ${k}`);
  if (!(v > 0)) throw new InputError(`v must be a positive number, not ${v}`);
  const parameters = clusteringParameters(architecture, k);
  const statistics = encoderStatistics(architecture);
  const vector = input("parameters", [totalSize(parameters)]);
  const context = { parameters: splitParameters(vector, parameters) };
  expectBatch(batch);
  const x = imageInput(architecture.image, batch);
  const { feature, batchStatistics } = encodeImages(x, architecture, context);
  const z = transpose(reshape(feature, [feature.shape[0], batch]), [1, 0]);
  const centres = context.parameters.get(centresName);
  if (centres === undefined) throw new Error("the centres are parameters");
  const { loss } = clusteringLoss(z, centres, input("targets", [batch, k]), v);
  return trainingProgram({ loss }, { vector, parameters, context, statistics, batchStatistics, settings });
}

function expectBatch(batch: number): void {
  if (!Number.isInteger(batch) || batch < 2)
    throw new InputError(`the batch must be a whole number from 2, not ${batch}: batch statistics need several images`);
}

interface Parts {
  readonly vector: Tensor;
  readonly parameters: readonly ParameterSpec[];
  readonly context: { readonly parameters: ReadonlyMap<string, Tensor> };
  readonly statistics: readonly ParameterSpec[];
  readonly batchStatistics: ReadonlyMap<string, Tensor>;
  readonly settings: TrainingSettings;
}

function trainingProgram(outputs: { readonly loss: Tensor }, parts: Parts): TrainingProgram {
  const { vector, parameters, context, statistics, settings } = parts;
  const pieces = gradients(outputs.loss, [...context.parameters.values()]);
  const gradient = concatenate(
    pieces.map((piece, index) => reshape(piece, [parameterSize(parameters[index])])),
    0,
  );
  const { next, states } = settings.optimizer.update(vector, gradient);
  const program = encode(outputs, {
    states: [{ input: vector, next }, ...states, ...statisticsStates(statistics, parts.batchStatistics)],
  });
  return { ...program, parameters, statistics, batch: settings.batch };
}

/** All running statistics in one vector, moved towards the batch's. A network without any has no such state. */
function statisticsStates(specs: readonly ParameterSpec[], batchStatistics: ReadonlyMap<string, Tensor>) {
  if (specs.length === 0) return [];
  const running = input("statistics", [totalSize(specs)]);
  const current = concatenate(
    specs.map(({ name }) => {
      const value = batchStatistics.get(name);
      if (value === undefined) throw new Error(`the batch has no statistics "${name}"`);
      return value;
    }),
    0,
  );
  const next = add(multiply(running, 1 - statisticsMomentum), multiply(current, statisticsMomentum));
  return [{ input: running, next }];
}
