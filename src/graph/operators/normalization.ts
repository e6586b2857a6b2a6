/** Batch normalization (Ioffe & Szegedy) of values whose first axis holds the channels and the last the batch. */
import { elementCount } from "../../engine/program.ts";
import { dotRows, scaleRows } from "../lowering/rows.ts";
import { expectShapes } from "../shape.ts";
import { differentiable, type Tensor } from "../tensor.ts";
import { sum } from "./broadcasting.ts";
import {
  add,
  divide,
  multiply,
  negate,
  positiveMask,
  relu,
  square,
  squareRoot,
  stopGradient,
  subtract,
} from "./elementwise.ts";
import { reshape } from "./layout.ts";
import { largestPhase, maxUnpool, type Pooled } from "./pooling.ts";
import { mean } from "./reduction.ts";

/** Keeps the division finite where a channel is constant; PyTorch's value. */
export const epsilon = 1e-5;

export interface Scaling {
  readonly gamma: Tensor;
  readonly beta: Tensor;
}

export interface Statistics {
  readonly mean: Tensor;
  readonly variance: Tensor;
}

/** x plus one value per channel. */
export function addPerChannel(x: Tensor, bias: Tensor): Tensor {
  expectPerChannel(x, [bias]);
  return add(x, perChannel(bias, x));
}

export interface BatchNormalized {
  readonly y: Tensor;
  /** No gradient flows through these. */
  readonly statistics: Statistics;
}

/** Normalizes with the mean and the (biased) variance of this batch; `rectify` also clips the result at zero. */
export function batchNormalize(x: Tensor, scaling: Scaling, { rectify = false } = {}): BatchNormalized {
  const moments = batchMoments(x, scaling);
  const y = reshape(scaleRows(moments.rows, moments.scale, moments.shift, { rectify }), x.shape);
  differentiable(y, [x, scaling.gamma, scaling.beta], (dy) => {
    const dyRows = asRows(rectify ? multiply(dy, positiveMask(y)) : dy);
    const scaled = multiply(dyRows, perChannel(moments.scale, dyRows));
    return normalizationGradients(x, moments, {
      scaled,
      dbeta: sum(dyRows, [1]),
      dot: dotRows(dyRows, moments.rows),
    });
  });
  return { y, statistics: stoppedStatistics(moments) };
}

/**
 * Batch normalization, max(·, 0) and max-pooling of a map sorted by position in the pooling window. The gradient is
 * that of the three in sequence, computed on the pooled values, which are fewer, wherever possible.
 */
export function batchNormalizeMaxPool(x: Tensor, scaling: Scaling): Pooled & { statistics: Statistics } {
  const moments = batchMoments(x, scaling);
  const rectified = reshape(scaleRows(moments.rows, moments.scale, moments.shift, { rectify: true }), x.shape);
  const { values, switches } = largestPhase(rectified);
  differentiable(values, [x, scaling.gamma, scaling.beta], (dvalues) => {
    const dy = multiply(dvalues, positiveMask(values));
    // Σ dy x is computed from the scaled dy, so the scale must not be zero; one this small changes nothing else.
    const scale = add(moments.scale, 1e-30);
    const scaled = asRows(maxUnpool(multiply(dy, perChannel(scale, dy)), switches));
    const dot = divide(dotRows(scaled, moments.rows), scale);
    return normalizationGradients(x, moments, { scaled, dbeta: sum(asRows(dy), [1]), dot });
  });
  return { values, switches, statistics: stoppedStatistics(moments) };
}

/** y = scale x + shift, for the x of this batch; one row per channel. */
interface BatchMoments extends Statistics {
  readonly rows: Tensor;
  readonly count: number;
  /** 1 / √(variance + ε). */
  readonly inverse: Tensor;
  readonly scale: Tensor;
  readonly shift: Tensor;
}

function batchMoments(x: Tensor, { gamma, beta }: Scaling): BatchMoments {
  expectPerChannel(x, [gamma, beta]);
  const count = elementCount(x.shape.slice(1));
  const rows = asRows(x);
  const batchMean = mean(rows, [1]);
  // Rounding can take the difference of two equal numbers below zero.
  const variance = relu(subtract(multiply(dotRows(rows, rows), 1 / count), square(batchMean)));
  const inverse = divide(1, squareRoot(add(variance, epsilon)));
  const scale = multiply(gamma, inverse);
  return { rows, count, mean: batchMean, variance, inverse, scale, shift: subtract(beta, multiply(batchMean, scale)) };
}

interface OutputGradient {
  /** dy times the scale. */
  readonly scaled: Tensor;
  /** Σ dy. */
  readonly dbeta: Tensor;
  /** Σ dy x. */
  readonly dot: Tensor;
}

/** With x̂ = (x − mean) σ⁻¹:  dγ = Σ dy x̂,  dβ = Σ dy,  dx = γ σ⁻¹ (dy − dβ/n − x̂ dγ/n) = scale dy + b x + c. */
function normalizationGradients(x: Tensor, moments: BatchMoments, { scaled, dbeta, dot }: OutputGradient): Tensor[] {
  const { rows, count, mean: batchMean, inverse, scale } = moments;
  const dgamma = multiply(inverse, subtract(dot, multiply(batchMean, dbeta)));
  const b = multiply(multiply(scale, inverse), multiply(dgamma, -1 / count));
  const c = negate(add(multiply(scale, multiply(dbeta, 1 / count)), multiply(b, batchMean)));
  return [reshape(scaleRows(rows, b, c, { plus: scaled }), x.shape), dgamma, dbeta];
}

const stoppedStatistics = ({ mean: batchMean, variance }: Statistics): Statistics => ({
  mean: stopGradient(batchMean),
  variance: stopGradient(variance),
});

const asRows = (x: Tensor): Tensor => reshape(x, [x.shape[0], elementCount(x.shape.slice(1))]);

function expectPerChannel(x: Tensor, vectors: readonly Tensor[]): void {
  for (const vector of vectors) {
    const fits = vector.shape.length === 1 && vector.shape[0] === x.shape[0];
    expectShapes(fits, "normalize", [x.shape, vector.shape], "need one value per channel");
  }
}

const perChannel = (vector: Tensor, x: Tensor): Tensor =>
  reshape(vector, [x.shape[0], ...x.shape.slice(1).map(() => 1)]);
