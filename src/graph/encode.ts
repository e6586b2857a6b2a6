/** Writes tensors, and all that they depend on, as an ONNX model. */
import type { ElementArray, Program, Shape, ValueSpec } from "../engine/program.ts";
import { InputError } from "../files/errors.ts";
import { attributeTypes, elementTypeCodes, ModelProto } from "./onnx-schema.ts";
import { inVersion, ownOpset } from "./opset.ts";
import type { Attribute, GraphNode, Tensor } from "./tensor.ts";

/** The newest version that both Debian's checker and every ONNX Runtime of recent years support. */
const irVersion = 8;
const contributedVersions: Readonly<Record<string, number>> = { "com.microsoft": 1 };

export interface EncodeOptions {
  /** Inputs that keep their value from run to run, each with the tensor that is its next value. */
  readonly states?: readonly { readonly input: Tensor; readonly next: Tensor }[];
  /** Notes that are stored in the model. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** The version of ONNX's operators. Default: 17. */
  readonly opset?: number;
}

/** The program that computes `outputs`, by name. */
export function encode(outputs: Readonly<Record<string, Tensor>>, options: EncodeOptions = {}): Program {
  const { states = [], metadata = {}, opset = ownOpset } = options;
  const stateNames = Object.fromEntries(states.map(({ input }) => [inputName(input), `${inputName(input)}.next`]));
  const wanted = { ...outputs, ...Object.fromEntries(states.map((s) => [stateNames[inputName(s.input)], s.next])) };
  const graph = collect(Object.values(wanted), opset);
  const clash = graph.inputs.map(inputName).find((name) => wanted[name] !== undefined);
  if (clash !== undefined) throw new InputError(`encode: "${clash}" is an input and an output; rename one`);
  const names = nameTensors(graph, wanted);
  const aliases = outputAliases(names, wanted);
  const domains = [...new Set(["", ...graph.nodes.map((node) => node.domain)])];
  const message = {
    irVersion,
    producerName: "boostcluster",
    opsetImport: domains.map((domain) => ({ domain, version: contributedVersions[domain] ?? opset })),
    metadataProps: Object.entries(metadata).map(([key, value]) => ({ key, value })),
    graph: {
      name: "boostcluster",
      node: [...graph.nodes.map((node, index) => encodeNode(node, index, names)), ...aliases],
      initializer: graph.constants.map((tensor) => encodeConstant(tensor, names)),
      input: graph.inputs.map((tensor) => valueInfo(inputName(tensor), tensor)),
      output: Object.entries(wanted).map(([name, tensor]) => valueInfo(name, tensor)),
    },
  };
  return {
    model: ModelProto.encode(ModelProto.create(message)).finish(),
    inputs: Object.fromEntries(graph.inputs.map((tensor) => [inputName(tensor), specOf(tensor)])),
    outputs: Object.fromEntries(Object.entries(wanted).map(([name, tensor]) => [name, specOf(tensor)])),
    states: stateNames,
  };
}

interface Collected {
  readonly inputs: Tensor[];
  readonly constants: Tensor[];
  /** In topological order: each node follows those it depends on. */
  readonly nodes: GraphNode[];
}

function collect(wanted: readonly Tensor[], opset: number): Collected {
  const collected: Collected = { inputs: [], constants: [], nodes: [] };
  const seen = new Set<Tensor | GraphNode>();
  const visit = (tensor: Tensor): void => {
    const key = tensor.origin.kind === "node" ? tensor.origin.node : tensor;
    if (seen.has(key)) return;
    seen.add(key);
    if (tensor.origin.kind === "input") collected.inputs.push(tensor);
    else if (tensor.origin.kind === "constant") collected.constants.push(tensor);
    else {
      const node = inVersion(tensor.origin.node, opset);
      for (const x of node.inputs) if (x !== undefined) visit(x);
      collected.nodes.push(node);
    }
  };
  wanted.forEach(visit);
  const names = collected.inputs.map(inputName);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new InputError(`encode: two different inputs are called "${twice}"; rename one`);
  return collected;
}

/** Outputs keep the names that the caller gave them; the other tensors are numbered. */
function nameTensors({ inputs, constants, nodes }: Collected, wanted: Readonly<Record<string, Tensor>>) {
  const names = new Map<Tensor, string>();
  for (const tensor of inputs) names.set(tensor, inputName(tensor));
  constants.forEach((tensor, index) => {
    names.set(tensor, `constant_${index}`);
  });
  for (const [name, tensor] of Object.entries(wanted)) if (!names.has(tensor)) names.set(tensor, name);
  nodes.forEach((node, index) => {
    node.outputs.forEach((tensor, output) => {
      if (!names.has(tensor)) names.set(tensor, `${node.operator}_${index}_${output}`);
    });
  });
  return names;
}

/** An output that is an input, a constant or another output under a second name is copied. */
function outputAliases(names: ReadonlyMap<Tensor, string>, wanted: Readonly<Record<string, Tensor>>) {
  return Object.entries(wanted).flatMap(([name, tensor]) => {
    const source = names.get(tensor);
    return source === name ? [] : [{ opType: "Identity", name: `alias_${name}`, input: [source], output: [name] }];
  });
}

function encodeNode(node: GraphNode, index: number, names: ReadonlyMap<Tensor, string>) {
  return {
    opType: node.operator,
    name: `${node.operator}_${index}`,
    domain: node.domain,
    input: node.inputs.map((x) => (x === undefined ? "" : names.get(x))),
    output: node.outputs.map((y) => names.get(y)),
    attribute: Object.entries(node.attributes).map(([name, value]) => encodeAttribute(name, value)),
  };
}

function encodeAttribute(name: string, value: Attribute) {
  if (typeof value === "string") return { name, s: new TextEncoder().encode(value), type: attributeTypes.string };
  if (typeof value === "number") return { name, i: value, type: attributeTypes.int };
  if ("float" in value) return { name, f: value.float, type: attributeTypes.float };
  return { name, ints: value, type: attributeTypes.ints };
}

function encodeConstant(tensor: Tensor, names: ReadonlyMap<Tensor, string>) {
  if (tensor.origin.kind !== "constant") throw new Error("not a constant");
  return {
    name: names.get(tensor),
    dims: tensor.shape,
    dataType: elementTypeCodes[tensor.type],
    rawData: bytesOf(tensor.origin.data),
  };
}

const bytesOf = (data: ElementArray): Uint8Array => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

function valueInfo(name: string, { type, shape }: ValueSpec) {
  return { name, type: { tensorType: { elemType: elementTypeCodes[type], shape: encodeShape(shape) } } };
}

const encodeShape = (shape: Shape) => ({
  dim: shape.map((dimension) => (typeof dimension === "string" ? { dimParam: dimension } : { dimValue: dimension })),
});

const specOf = ({ type, shape }: Tensor): ValueSpec => ({ type, shape });

function inputName(tensor: Tensor): string {
  if (tensor.origin.kind !== "input") throw new InputError("encode: a state must be an input of the graph");
  return tensor.origin.name;
}
