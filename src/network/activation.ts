/** The activation functions an architecture can name. */
import { leakyRelu, relu, sigmoid, tanh } from "../graph/operators/elementwise.ts";
import type { Tensor } from "../graph/tensor.ts";
import type { Activation } from "./architecture.ts";

const leakySlope = 0.01;

export function activate(x: Tensor, activation: Activation): Tensor {
  switch (activation) {
    case "relu":
      return relu(x);
    case "leaky-relu":
      return leakyRelu(x, leakySlope);
    case "tanh":
      return tanh(x);
    case "sigmoid":
      return sigmoid(x);
    case "linear":
      return x;
  }
}
