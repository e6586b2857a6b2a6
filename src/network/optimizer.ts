/** Optimizers, as graph nodes on the flat vector of parameters. */
import { InputError } from "../files/errors.ts";
import { add, divide, multiply, square, squareRoot, subtract } from "../graph/operators/elementwise.ts";
import { input, type Tensor } from "../graph/tensor.ts";

/** Adam (Kingma & Ba) with bias correction. */
export interface AdamOptions {
  readonly kind: "adam";
  /** Default: 1e-3. */
  readonly learningRate?: number;
  /** Decay of the mean of gradients. Default: 0.9. */
  readonly beta1?: number;
  /** Decay of the mean of squared gradients. Default: 0.999. */
  readonly beta2?: number;
  /** Default: 1e-8. */
  readonly epsilon?: number;
}

/** Stochastic gradient descent with (heavy-ball) momentum. */
export interface SgdOptions {
  readonly kind: "sgd";
  /** Default: 0.1. */
  readonly learningRate?: number;
  /** Default: 0.9. */
  readonly momentum?: number;
}

export type OptimizerOptions = AdamOptions | SgdOptions;

/** An optimizer's options with their defaults filled in. */
export type OptimizerSettings =
  | { readonly [Name in keyof AdamOptions]-?: AdamOptions[Name] }
  | { readonly [Name in keyof SgdOptions]-?: SgdOptions[Name] };

/** Numbers that change from step to step, computed in double precision outside the graph. */
export type StepFeeds = Readonly<Record<string, Float32Array>>;

export interface Optimizer {
  readonly settings: OptimizerSettings;
  /** The updated parameters, and the optimizer's own state vectors with their next values. */
  update(parameters: Tensor, gradient: Tensor): { next: Tensor; states: { input: Tensor; next: Tensor }[] };
  /** The feeds of step t = 1, 2, …; `scale` multiplies the learning rate. */
  feeds(step: number, scale?: number): StepFeeds;
}

export function createOptimizer(options: OptimizerOptions): Optimizer {
  return options.kind === "adam" ? adam(options) : sgd(options);
}

function adam({ learningRate = 1e-3, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8 }: AdamOptions): Optimizer {
  expectRate(learningRate);
  return {
    settings: { kind: "adam", learningRate, beta1, beta2, epsilon },
    update(parameters, gradient) {
      const m = input("adam.m", parameters.shape);
      const v = input("adam.v", parameters.shape);
      const nextM = add(multiply(m, beta1), multiply(gradient, 1 - beta1));
      const nextV = add(multiply(v, beta2), multiply(square(gradient), 1 - beta2));
      const change = divide(nextM, add(squareRoot(nextV), input("adam.epsilon", [])));
      return {
        next: subtract(parameters, multiply(change, input("adam.rate", []))),
        states: [
          { input: m, next: nextM },
          { input: v, next: nextV },
        ],
      };
    },
    // m̂ / (√v̂ + ε) with the corrections moved into the scalars: √(1−β₂ᵗ)/(1−β₁ᵗ) · m / (√v + ε√(1−β₂ᵗ)).
    feeds(step, scale = 1) {
      const root = Math.sqrt(1 - beta2 ** step);
      return {
        "adam.rate": Float32Array.of((scale * learningRate * root) / (1 - beta1 ** step)),
        "adam.epsilon": Float32Array.of(epsilon * root),
      };
    },
  };
}

function sgd({ learningRate = 0.1, momentum = 0.9 }: SgdOptions): Optimizer {
  expectRate(learningRate);
  return {
    settings: { kind: "sgd", learningRate, momentum },
    update(parameters, gradient) {
      const velocity = input("sgd.velocity", parameters.shape);
      const next = add(multiply(velocity, momentum), gradient);
      return {
        next: subtract(parameters, multiply(next, input("sgd.rate", []))),
        states: [{ input: velocity, next }],
      };
    },
    feeds(_step, scale = 1) {
      return { "sgd.rate": Float32Array.of(scale * learningRate) };
    },
  };
}

function expectRate(learningRate: number): void {
  if (!(learningRate > 0) || !Number.isFinite(learningRate))
    throw new InputError(`the learning rate must be a positive number, not ${learningRate}`);
}
