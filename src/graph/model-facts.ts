/** What an ONNX file says of itself: what goes in, what comes out, and which operators are between. */
import { NodeProto, ValueInfoProto } from "./onnx-schema.ts";
import { fieldsOf, textAt } from "./wire.ts";

export interface TensorFacts {
  readonly name: string;
  /** ONNX's number of the element type; 0 where it is not told. */
  readonly elementType: number;
  /** Sizes, or names of sizes that are free; undefined where it is not told. */
  readonly shape: readonly (number | string)[] | undefined;
}

export interface NodeFacts {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

export interface ModelFacts {
  /** Version of ONNX's own operators. */
  readonly opset: number;
  /** Without those that have a value of their own. */
  readonly inputs: readonly TensorFacts[];
  readonly outputs: readonly TensorFacts[];
  readonly nodes: readonly NodeFacts[];
  /** Files beside it that hold weights. */
  readonly externalFiles: readonly string[];
}

/** `undefined` where the bytes are no ONNX model, or not all of one. */
export function modelFacts(model: Uint8Array): ModelFacts | undefined {
  try {
    return readModel(model);
  } catch {
    return undefined;
  }
}

function readModel(model: Uint8Array): ModelFacts | undefined {
  const fields = [...fieldsOf(model)];
  const graph = fields.find(({ id }) => id === 7);
  // It follows the graph, and every model has it: without it the model was cut off.
  const opset = fields.find(({ id, content }) => id === 8 && operatorDomain(content) === "");
  if (graph === undefined || opset === undefined) return undefined;
  const parts = [...fieldsOf(graph.content)];
  const contents = (wanted: number): Uint8Array[] =>
    parts.filter(({ id }) => id === wanted).map(({ content }) => content);
  const initializers = contents(5);
  const valued = new Set(initializers.map((tensor) => textAt(tensor, 8)));
  return {
    opset: [...fieldsOf(opset.content)].find(({ id }) => id === 2)?.number ?? 1,
    inputs: contents(11)
      .map(tensorFacts)
      .filter(({ name }) => !valued.has(name)),
    outputs: contents(12).map(tensorFacts),
    nodes: contents(1).map(nodeFacts),
    externalFiles: [...new Set(initializers.flatMap(externalFile))],
  };
}

/** Of an entry of `opset_import`; ONNX's own has two names. */
export function operatorDomain(entry: Uint8Array): string {
  const domain = textAt(entry, 1);
  return domain === "ai.onnx" ? "" : domain;
}

function tensorFacts(content: Uint8Array): TensorFacts {
  const object = ValueInfoProto.toObject(ValueInfoProto.decode(content), { longs: Number });
  const dimensions: { dimValue?: number; dimParam?: string }[] | undefined =
    object.type?.tensorType?.shape === undefined ? undefined : (object.type.tensorType.shape.dim ?? []);
  return {
    name: object.name ?? "",
    elementType: object.type?.tensorType?.elemType ?? 0,
    // Some exporters write 0 or -1 for a size that is free.
    shape: dimensions?.map(({ dimValue = 0, dimParam }) => (dimValue > 0 ? dimValue : (dimParam ?? "?"))),
  };
}

function nodeFacts(content: Uint8Array): NodeFacts {
  const object = NodeProto.toObject(NodeProto.decode(content), { arrays: true });
  return { operator: object.opType ?? "", inputs: object.input, outputs: object.output };
}

/** Where a tensor's values are not in the model: `external_data` is field 13, with keys and values. */
function externalFile(tensor: Uint8Array): string[] {
  return [...fieldsOf(tensor)]
    .filter(({ id, content }) => id === 13 && textAt(content, 1) === "location")
    .map(({ content }) => textAt(content, 2));
}
