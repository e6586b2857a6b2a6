/** Where a model sorts images into classes of its own: how that is seen, and what its last layer looks at. */
import type { ModelFacts, NodeFacts } from "../graph/model-facts.ts";

const classNames = /(logits|softmax|prob|class(?!_?token)|score|prediction)/i;

/** Sizes of the usual sets of classes: ImageNet's, with and without "background", and its larger sister. */
const classCounts = [1000, 1001, 21841, 21843];

/** Whether a tensor of this name and shape has a number for each class; `classifies` where the model says so itself. */
export function isClasses(name: string, shape: readonly number[], classifies: boolean): boolean {
  const [, ...sides] = shape;
  const count = Math.max(...sides);
  const isVector = sides.reduce((product, side) => product * side, 1) === count;
  return isVector && (classifies || classNames.test(name) || classCounts.includes(count));
}

/** Operators between the last layer and the classes that are given. */
const passing = [
  ...["Softmax", "LogSoftmax", "Sigmoid", "Relu", "Add", "Identity", "Cast"],
  ...["Reshape", "Flatten", "Squeeze", "GlobalAveragePool", "ReduceMean"],
];
const layers = ["Gemm", "MatMul", "Conv"];
/** More than there are between any model's last layer and its classes. */
const mostSteps = 8;

/** What the last layer before `tensor` takes; undefined where there is no such layer. */
export function classifierInput(facts: ModelFacts, tensor: string): string | undefined {
  const makers = makersOf(facts);
  let current = tensor;
  for (let step = 0; step < mostSteps; step++) {
    const node = makers.get(current);
    if (node === undefined) return undefined;
    if (layers.includes(node.operator)) return makers.has(node.inputs[0]) ? node.inputs[0] : undefined;
    if (!passing.includes(node.operator)) return undefined;
    // Of a sum with a bias, the side that depends on the image.
    current = node.inputs.find((name) => makers.has(name)) ?? "";
  }
  return undefined;
}

/** The node that makes each tensor, of those that depend on the image: nodes may make constants and biases, too. */
function makersOf({ inputs, nodes }: ModelFacts): ReadonlyMap<string, NodeFacts> {
  const given = new Set(inputs.map(({ name }) => name));
  const makers = new Map<string, NodeFacts>();
  for (const node of nodes)
    if (node.inputs.some((name) => given.has(name) || makers.has(name)))
      for (const output of node.outputs) makers.set(output, node);
  return makers;
}
