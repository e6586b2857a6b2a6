/**
 * Operators in the form that a version of ONNX has. Reductions took their axes as an attribute once and take them as an
 * input now: sums since version 13, all others since version 18. A model of somebody else's that ours becomes part of
 * may have any version.
 */
import { type GraphNode, integers } from "./tensor.ts";

/** Our own models': the newest that both Debian's checker and every ONNX Runtime of recent years support. */
export const ownOpset = 17;

export function inVersion(node: GraphNode, opset: number): GraphNode {
  if (node.domain !== "" || !node.operator.startsWith("Reduce")) return node;
  return opset < (node.operator === "ReduceSum" ? 13 : 18) ? withAxesAttribute(node) : withAxesInput(node);
}

function withAxesAttribute(node: GraphNode): GraphNode {
  const [x, axes] = node.inputs;
  if (axes === undefined) return node;
  if (axes.origin.kind !== "constant") throw new Error(`${node.operator}: its axes must be constant`);
  const attributes = { ...node.attributes, axes: Array.from(axes.origin.data, Number) };
  return { ...node, inputs: [x], attributes };
}

function withAxesInput(node: GraphNode): GraphNode {
  const { axes, ...attributes } = node.attributes;
  if (!Array.isArray(axes)) return node;
  return { ...node, inputs: [...node.inputs, integers(axes)], attributes };
}
