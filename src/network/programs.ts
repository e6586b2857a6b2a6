/**
 * The two training programs: one step of an auto-encoder (M1) and one of DBC (M2), each a single graph of forward
 * pass, loss, backward pass, update and running statistics. Where a mini-batch comes in parts, it is two graphs: all up
 * to the gradients, for each part, and the update, once.
 */
import { apartLoss, knownLoss, togetherLoss } from "../clustering/constraint-loss.ts";
import { clusteringLoss, softScores } from "../clustering/soft-assignment.ts";
import type { Program } from "../engine/program.ts";
import { InputError } from "../files/errors.ts";
import { encode } from "../graph/encode.ts";
import { gradients } from "../graph/gradients.ts";
import { sum } from "../graph/operators/broadcasting.ts";
import { add, multiply, square, subtract } from "../graph/operators/elementwise.ts";
import { concatenate, reshape, slice, split, transpose } from "../graph/operators/layout.ts";
import { input, type Tensor } from "../graph/tensor.ts";
import type { Architecture } from "./architecture.ts";
import type { Encoder } from "./ensemble.ts";
import {
  autoEncoderParameters,
  autoEncoderStatistics,
  decodeFeatures,
  encodeImages,
  encoderParameters,
  encoderStatistics,
  imageInput,
  imageMap,
} from "./layers.ts";
import type { Optimizer } from "./optimizer.ts";
import { heBound, type ParameterSpec, parameterSize, splitParameters, totalSize } from "./parameters.ts";
import { featureSize } from "./shapes.ts";

/** How much of the running statistics each batch replaces; PyTorch's value. */
const statisticsMomentum = 0.1;

export interface TrainingProgram extends Program {
  readonly parameters: readonly ParameterSpec[];
  readonly statistics: readonly ParameterSpec[];
  /** Images per step, or per part of it. */
  readonly batch: number;
  /**
   * Where steps come in parts: takes the parameters and one part, and gives its `sums`, one flat vector of gradient,
   * batch statistics and loss. The program itself takes the sum of these over all parts.
   */
  readonly gradients?: Program;
}

export interface TrainingSettings {
  /** Images per step, or per part of it. */
  readonly batch: number;
  readonly optimizer: Optimizer;
  /** Parts of a step, each normalized by its own statistics; the step takes the mean of what they give. Default: 1. */
  readonly parts?: number;
}

export interface AutoEncoderSettings extends TrainingSettings {
  /** Multiplies images by `imageMask` [batch, channels·height·width], and features by `featureMask` [batch, d]. */
  readonly masked?: boolean;
  /** A function of the features [batch, d] that is added to the loss; it may have inputs of its own. */
  readonly penalty?: (features: Tensor) => Tensor;
  /** Also outputs `features` [batch, d], the batch's after the step. For networks without batch normalization. */
  readonly featuresAfter?: boolean;
}

/**
 * One step on `images` [batch, channels·height·width]: minimizes the mean of ‖x − x̂‖², plus a penalty if there is one.
 * Outputs `loss`.
 */
export function autoEncoderProgram(architecture: Architecture, settings: AutoEncoderSettings): TrainingProgram {
  const { batch, masked = false, penalty, featuresAfter = false } = settings;
  const parameters = autoEncoderParameters(architecture);
  const statistics = autoEncoderStatistics(architecture);
  const vector = input("parameters", [totalSize(parameters)]);
  const context = { parameters: splitParameters(vector, parameters) };
  expectBatch(batch);
  const x = imageInput(architecture, batch);
  const encoded = encodeImages(masked ? multiply(x, imageMask(architecture, batch)) : x, architecture, context);
  const feature = masked ? multiply(encoded.feature, featureMask(encoded.feature)) : encoded.feature;
  const decoded = decodeFeatures({ ...encoded, feature }, architecture, context);
  const error = multiply(sum(square(subtract(decoded.reconstruction, x))), 1 / batch);
  const loss = penalty === undefined ? error : add(error, penalty(featureRows(encoded.feature)));
  const batchStatistics = new Map([...encoded.batchStatistics, ...decoded.batchStatistics]);
  const step = { vector, parameters, context, statistics, batchStatistics, settings };
  if (!featuresAfter) return trainingProgram(loss, step);
  const after = (next: ReadonlyMap<string, Tensor>): Record<string, Tensor> => ({
    features: featureRows(encodeImages(x, architecture, { parameters: next }).feature),
  });
  return trainingProgram(loss, { ...step, after });
}

const imageMask = ({ image }: Architecture, batch: number): Tensor => imageMap("imageMask", image, batch);

/** The mask of features [d, 1, 1, batch]. */
function featureMask({ shape }: Tensor): Tensor {
  return reshape(transpose(input("featureMask", [shape[3], shape[0]]), [1, 0]), shape);
}

/** The feature map [d, 1, 1, batch] as [batch, d]. */
const featureRows = (feature: Tensor): Tensor =>
  transpose(reshape(feature, [feature.shape[0], feature.shape[3]]), [1, 0]);

export interface ClusteringSettings extends TrainingSettings {
  /** Number of clusters. */
  readonly k: number;
  /** The degree of freedom v of the t-distribution. Default: 1, as in the paper. */
  readonly v?: number;
  /** Constraints that count beside the mini-batch. Default: none. */
  readonly constraints?: ConstraintCounts;
}

/** Constraints of a step. Their images follow the mini-batch's: those that are known, then the pairs, all firsts first. */
export interface ConstraintCounts {
  readonly known: number;
  readonly together: number;
  readonly apart: number;
}

/** How many images they are about. */
export const constrainedImages = ({ known, together, apart }: ConstraintCounts): number =>
  known + 2 * together + 2 * apart;

/** The name of the centres μ [k, features] among the parameters of `clusteringProgram`. */
export const centresName = "centres";

/** The parameters of DBC: the encoder's θ, and the centres μ. */
export function clusteringParameters(encoder: Encoder, k: number): ParameterSpec[] {
  const features = featureSize(encoder);
  return [
    ...encoderParameters(encoder),
    { name: centresName, shape: [k, features], initial: { bound: heBound(features) } },
  ];
}

/**
 * One step on `images` and their `targets` [batch, k]: minimizes the mean KL(r‖s). With constraints, each of them counts
 * as an image more; `known` [known, k] are those clusters, as ones among zeros. Outputs `loss`.
 */
export function clusteringProgram(architecture: Architecture, settings: ClusteringSettings): TrainingProgram {
  const { k, v = 1, batch, constraints = noConstraints } = settings;
  if (!Number.isInteger(k) || k < 1) throw new InputError(`k must be a whole number from 1, not ${k}`);
  if (!(v > 0)) throw new InputError(`v must be a positive number, not ${v}`);
  const parameters = clusteringParameters(architecture, k);
  const statistics = encoderStatistics(architecture);
  const vector = input("parameters", [totalSize(parameters)]);
  const context = { parameters: splitParameters(vector, parameters) };
  expectBatch(batch);
  const constrained = constrainedImages(constraints);
  const x = imageInput(architecture, batch + constrained);
  const { feature, batchStatistics } = encodeImages(x, architecture, context);
  const centres = context.parameters.get(centresName);
  if (centres === undefined) throw new Error("the centres are parameters");
  const targets = input("targets", [batch, k]);
  const parts = { vector, parameters, context, statistics, batchStatistics, settings };
  if (constrained === 0) return trainingProgram(clusteringLoss(featureRows(feature), centres, targets, v).loss, parts);
  const [z, constrainedZ] = split(featureRows(feature), [batch, constrained], 0);
  const divergence = multiply(clusteringLoss(z, centres, targets, v).loss, batch);
  const broken = constraintLoss(softScores(constrainedZ, centres, v), constraints);
  const count = batch + constraints.known + constraints.together + constraints.apart;
  return trainingProgram(multiply(add(divergence, broken), 1 / count), parts);
}

/**
 * From `parameters` and `images` to `features` [batch, d] and `scores` [batch, k] as a step sees them: normalized by the
 * batch's own statistics.
 */
export function batchScoringProgram(
  architecture: Architecture,
  { batch, k, v = 1 }: Pick<ClusteringSettings, "batch" | "k" | "v">,
): Program {
  expectBatch(batch);
  const specs = clusteringParameters(architecture, k);
  const parameters = splitParameters(input("parameters", [totalSize(specs)]), specs);
  const features = featureRows(encodeImages(imageInput(architecture, batch), architecture, { parameters }).feature);
  const centres = parameters.get(centresName);
  if (centres === undefined) throw new Error("the centres are parameters");
  return encode({ features, scores: softScores(features, centres, v) });
}

const noConstraints: ConstraintCounts = { known: 0, together: 0, apart: 0 };

/** Of the scores of their images. */
function constraintLoss(scores: Tensor, { known, together, apart }: ConstraintCounts): Tensor {
  let end = 0;
  const next = (rows: number): Tensor => {
    end += rows;
    return slice(scores, [{ axis: 0, start: end - rows, end }]);
  };
  const terms: Tensor[] = [];
  if (known > 0) terms.push(knownLoss(next(known), input("known", [known, scores.shape[1]])));
  if (together > 0) terms.push(togetherLoss(next(together), next(together)));
  if (apart > 0) terms.push(apartLoss(next(apart), next(apart)));
  return terms.reduce((total, term) => add(total, term));
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
  /** More outputs, computed from the parameters after the step. */
  readonly after?: (next: ReadonlyMap<string, Tensor>) => Record<string, Tensor>;
}

function trainingProgram(loss: Tensor, parts: Parts): TrainingProgram {
  const { vector, parameters, context, statistics, settings, after } = parts;
  const pieces = gradients(loss, [...context.parameters.values()]);
  const gradient = concatenate(
    pieces.map((piece, index) => reshape(piece, [parameterSize(parameters[index])])),
    0,
  );
  const common = { parameters, statistics, batch: settings.batch };
  const current = batchStatisticsOf(statistics, parts.batchStatistics);
  if ((settings.parts ?? 1) > 1) {
    if (after !== undefined) throw new Error("what follows the update is not known where steps come in parts");
    const sums = concatenate([gradient, ...current, reshape(loss, [1])], 0);
    return { ...updateProgram(vector, parts), ...common, gradients: encode({ sums }) };
  }
  const { next, states } = settings.optimizer.update(vector, gradient);
  const outputs = { loss, ...after?.(splitParameters(next, parameters)) };
  const program = encode(outputs, {
    states: [{ input: vector, next }, ...states, ...current.map(movedStatistics)],
  });
  return { ...program, ...common };
}

/** The update by itself, from the sums of all parts. */
function updateProgram(vector: Tensor, { parameters, statistics, settings }: Parts): Program {
  const sizes = [totalSize(parameters), ...(statistics.length === 0 ? [] : [totalSize(statistics)]), 1];
  const sums = input("sums", [sizes.reduce((a, b) => a + b)]);
  const [gradient, ...rest] = split(multiply(sums, 1 / (settings.parts ?? 1)), sizes, 0);
  const [loss] = rest.splice(-1);
  const { next, states } = settings.optimizer.update(vector, gradient);
  return encode({ loss }, { states: [{ input: vector, next }, ...states, ...rest.map(movedStatistics)] });
}

/** The statistics of the batch, all in one vector; none for a network without batch normalization. */
function batchStatisticsOf(specs: readonly ParameterSpec[], batchStatistics: ReadonlyMap<string, Tensor>): Tensor[] {
  if (specs.length === 0) return [];
  const values = specs.map(({ name }) => {
    const value = batchStatistics.get(name);
    if (value === undefined) throw new Error(`the batch has no statistics "${name}"`);
    return value;
  });
  return [concatenate(values, 0)];
}

/** The running statistics, moved towards the batch's. */
function movedStatistics(current: Tensor) {
  const running = input("statistics", current.shape);
  return {
    input: running,
    next: add(multiply(running, 1 - statisticsMomentum), multiply(current, statisticsMomentum)),
  };
}
