/** Batch normalization (Ioffe & Szegedy) of maps and vectors whose first axis holds the channels and the last the batch. */
import { elementCount } from "../../engine/program.ts";
import { expectShapes } from "../shape.ts";
import { differentiable, type Tensor } from "../tensor.ts";
import { sum } from "./broadcasting.ts";
import { add, divide, multiply, negate, relu, square, squareRoot, stopGradient, subtract } from "./elementwise.ts";
import { reshape } from "./layout.ts";
import { mean, sumSquare } from "./reduction.ts";

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

/** y = γ (x − mean) / √(variance + ε) + β with given statistics. */
export function normalize(x: Tensor, { gamma, beta }: Scaling, statistics: Statistics): Tensor {
  for (const vector of [gamma, beta, statistics.mean, statistics.variance]) expectPerChannel(x, vector);
  const scale = divide(gamma, squareRoot(add(statistics.variance, epsilon)));
  const shift = subtract(beta, multiply(statistics.mean, scale));
  return add(multiply(x, perChannel(scale, x)), perChannel(shift, x));
}

/** Normalizes with the mean and the (biased) variance of this batch, and returns them; no gradient flows through those. */
export function batchNormalize(x: Tensor, scaling: Scaling): { y: Tensor; statistics: Statistics } {
  const axes = x.shape.map((_, axis) => axis).slice(1);
  const count = elementCount(x.shape.slice(1));
  const batchMean = mean(x, axes);
  // Rounding can take the difference of two equal numbers below zero.
  const variance = relu(subtract(multiply(sumSquare(x, axes), 1 / count), square(batchMean)));
  const y = normalize(x, scaling, { mean: batchMean, variance });
  differentiable(y, [x, scaling.gamma, scaling.beta], (dy) => {
    // With x̂ = (x − mean) σ⁻¹:  dβ = Σ dy,  dγ = Σ dy x̂,  dx = γ σ⁻¹ (dy − dβ/n − x̂ dγ/n) = a dy + b x + c.
    const inverse = divide(1, squareRoot(add(variance, epsilon)));
    const dbeta = sum(dy, axes);
    const dgamma = multiply(inverse, subtract(sum(multiply(dy, x), axes), multiply(batchMean, dbeta)));
    const a = multiply(scaling.gamma, inverse);
    const b = multiply(multiply(a, inverse), multiply(dgamma, -1 / count));
    const c = negate(add(multiply(a, multiply(dbeta, 1 / count)), multiply(b, batchMean)));
    const dx = add(multiply(dy, perChannel(a, x)), add(multiply(x, perChannel(b, x)), perChannel(c, x)));
    return [dx, dgamma, dbeta];
  });
  return { y, statistics: { mean: stopGradient(batchMean), variance: stopGradient(variance) } };
}

function expectPerChannel(x: Tensor, vector: Tensor): void {
  const one = vector.shape.length === 1 && vector.shape[0] === x.shape[0];
  expectShapes(one, "normalize", [x.shape, vector.shape], "need one value a channel");
}

const perChannel = (vector: Tensor, x: Tensor): Tensor =>
  reshape(vector, [x.shape[0], ...x.shape.slice(1).map(() => 1)]);
