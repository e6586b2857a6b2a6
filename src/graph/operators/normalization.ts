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

/** x plus one value a channel. */
export function addPerChannel(x: Tensor, bias: Tensor): Tensor {
  expectPerChannel(x, [bias]);
  return add(x, perChannel(bias, x));
}

/** y = γ (x − mean) / √(variance + ε) + β with given statistics. */
export function normalize(x: Tensor, { gamma, beta }: Scaling, statistics: Statistics): Tensor {
  expectPerChannel(x, [gamma, beta, statistics.mean, statistics.variance]);
  const scale = divide(gamma, squareRoot(add(statistics.variance, epsilon)));
  const shift = subtract(beta, multiply(statistics.mean, scale));
  return add(multiply(x, perChannel(scale, x)), perChannel(shift, x));
}

export interface BatchNormalized {
  readonly y: Tensor;
  /** max(y, 0), at no further cost. */
  readonly rectified: Tensor;
  /** No gradient flows through these. */
  readonly statistics: Statistics;
}

/** Normalizes with the mean and the (biased) variance of this batch. */
export function batchNormalize(x: Tensor, { gamma, beta }: Scaling): BatchNormalized {
  expectPerChannel(x, [gamma, beta]);
  const count = elementCount(x.shape.slice(1));
  const rows = asRows(x);
  const batchMean = mean(rows, [1]);
  // Rounding can take the difference of two equal numbers below zero.
  const variance = relu(subtract(multiply(dotRows(rows, rows), 1 / count), square(batchMean)));
  const inverse = divide(1, squareRoot(add(variance, epsilon)));
  const a = multiply(gamma, inverse);
  const shift = subtract(beta, multiply(batchMean, a));
  const y = reshape(scaleRows(rows, a, shift), x.shape);
  differentiable(y, [x, gamma, beta], (dy) => {
    // With x̂ = (x − mean) σ⁻¹:  dβ = Σ dy,  dγ = Σ dy x̂,  dx = γ σ⁻¹ (dy − dβ/n − x̂ dγ/n) = a dy + b x + c.
    const dyRows = asRows(dy);
    const dbeta = sum(dyRows, [1]);
    const dgamma = multiply(inverse, subtract(dotRows(dyRows, rows), multiply(batchMean, dbeta)));
    const b = multiply(multiply(a, inverse), multiply(dgamma, -1 / count));
    const c = negate(add(multiply(a, multiply(dbeta, 1 / count)), multiply(b, batchMean)));
    const dx = scaleRows(rows, b, c, { plus: { values: dyRows, factor: a } });
    return [reshape(dx, x.shape), dgamma, dbeta];
  });
  const rectified = reshape(scaleRows(rows, a, shift, { rectify: true }), x.shape);
  differentiable(rectified, [y], (dy) => [multiply(dy, positiveMask(rectified))]);
  return { y, rectified, statistics: { mean: stopGradient(batchMean), variance: stopGradient(variance) } };
}

const asRows = (x: Tensor): Tensor => reshape(x, [x.shape[0], elementCount(x.shape.slice(1))]);

function expectPerChannel(x: Tensor, vectors: readonly Tensor[]): void {
  for (const vector of vectors) {
    const fits = vector.shape.length === 1 && vector.shape[0] === x.shape[0];
    expectShapes(fits, "normalize", [x.shape, vector.shape], "need one value a channel");
  }
}

const perChannel = (vector: Tensor, x: Tensor): Tensor =>
  reshape(vector, [x.shape[0], ...x.shape.slice(1).map(() => 1)]);
