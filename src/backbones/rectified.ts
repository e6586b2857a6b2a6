/** Whether a model's features tell how much of something there is, from nothing on: they come out of a rectifier. */
import type { ModelFacts } from "../graph/model-facts.ts";

const rectifiers = ["Relu", "Clip", "Sigmoid", "Softmax", "HardSigmoid"];
/** What leaves numbers that are not negative as they are in this. */
const keeping = [
  ...["GlobalAveragePool", "AveragePool", "GlobalMaxPool", "MaxPool", "ReduceMean", "ReduceMax"],
  ...["Flatten", "Reshape", "Squeeze", "Transpose", "Identity", "Cast", "Dropout"],
];
/** More than there are between any model's rectifier and its features. */
const mostSteps = 8;

export function isRectified({ nodes }: ModelFacts, tensor: string): boolean {
  const makers = new Map(nodes.flatMap((node) => node.outputs.map((name) => [name, node] as const)));
  let current = tensor;
  for (let step = 0; step < mostSteps; step++) {
    const node = makers.get(current);
    if (node === undefined) return false;
    if (rectifiers.includes(node.operator)) return true;
    if (!keeping.includes(node.operator)) return false;
    current = node.inputs[0];
  }
  return false;
}
