/**
 * Symbolic tensors: values that an ONNX graph will compute.
 *
 * A graph consists of tensors that know how they are computed. `encode.ts` writes the tensors a caller wants and all
 * that they depend on, and nothing else. A gradient rule may therefore build gradients that nobody uses, at no cost.
 */
import type { ElementArray, ElementType, Shape, ValueSpec } from "../engine/program.ts";

export type Attribute = number | string | readonly number[] | { readonly float: number };

/** One ONNX operator applied to its inputs; a missing optional input is `undefined`. */
export interface GraphNode {
  readonly operator: string;
  /** The operator's domain; "" is standard ONNX. */
  readonly domain: string;
  readonly inputs: readonly (Tensor | undefined)[];
  readonly attributes: Readonly<Record<string, Attribute>>;
  /** Several, where the operator returns several values. */
  readonly outputs: Tensor[];
}

export type Origin =
  | { readonly kind: "input"; readonly name: string }
  | { readonly kind: "constant"; readonly data: ElementArray }
  | { readonly kind: "node"; readonly node: GraphNode };

/** Maps the gradient of a tensor to the gradients of the tensors it was computed from (`undefined`: none). */
export interface GradientRule {
  readonly inputs: readonly Tensor[];
  readonly apply: (dy: Tensor) => readonly (Tensor | undefined)[];
}

export class Tensor {
  readonly type: ElementType;
  readonly shape: Shape;
  readonly origin: Origin;
  rule: GradientRule | undefined;

  constructor(spec: ValueSpec, origin: Origin) {
    this.type = spec.type;
    this.shape = spec.shape;
    this.origin = origin;
  }
}

/** A value that the caller supplies at each run. */
export function input(name: string, shape: Shape, type: ElementType = "float32"): Tensor {
  return new Tensor({ type, shape }, { kind: "input", name });
}

export function constant(data: ElementArray, shape: Shape, type: ElementType): Tensor {
  return new Tensor({ type, shape }, { kind: "constant", data });
}

/** A float32 constant; a number becomes a scalar. */
export function floats(values: number | readonly number[]): Tensor {
  return typeof values === "number"
    ? constant(Float32Array.of(values), [], "float32")
    : constant(Float32Array.from(values), [values.length], "float32");
}

/** An int64 vector, the type that ONNX requires for axes, shapes and indices. */
export function integers(values: readonly number[]): Tensor {
  return constant(BigInt64Array.from(values, BigInt), [values.length], "int64");
}

interface EmitOptions {
  readonly attributes?: Readonly<Record<string, Attribute>>;
  readonly domain?: string;
}

/** Applies an ONNX operator with one output. The tensor has no gradient rule yet: see `differentiable`. */
export function emit(
  operator: string,
  inputs: readonly (Tensor | undefined)[],
  output: ValueSpec,
  options: EmitOptions = {},
): Tensor {
  return emitMany(operator, inputs, [output], options)[0];
}

/** Applies an ONNX operator with several outputs. */
export function emitMany(
  operator: string,
  inputs: readonly (Tensor | undefined)[],
  outputs: readonly ValueSpec[],
  { attributes = {}, domain = "" }: EmitOptions = {},
): Tensor[] {
  const node: GraphNode = { operator, domain, inputs, attributes, outputs: [] };
  for (const output of outputs) node.outputs.push(new Tensor(output, { kind: "node", node }));
  return node.outputs;
}

/** The same elements in another shape, without a gradient rule; a view of a view is a view of the original. */
export function view(x: Tensor, shape: Shape): Tensor {
  if (x.shape.length === shape.length && x.shape.every((dimension, axis) => dimension === shape[axis])) return x;
  const source = x.origin.kind === "node" && x.origin.node.operator === "Reshape" ? x.origin.node.inputs[0] : undefined;
  const target = integers(shape.map((dimension) => (typeof dimension === "number" ? dimension : -1)));
  return emit("Reshape", [source ?? x, target], { type: x.type, shape });
}

/**
 * Gives `y`, just computed from `inputs`, its gradient rule. A rule on a value made of several operators replaces
 * theirs: the gradient then flows straight to `inputs`.
 */
export function differentiable(y: Tensor, inputs: readonly Tensor[], apply: GradientRule["apply"]): Tensor {
  if (y.origin.kind !== "node" || inputs.includes(y)) throw new Error("only a newly computed tensor takes a rule");
  y.rule = { inputs, apply };
  return y;
}
