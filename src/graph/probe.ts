/** What a model of somebody else's gives: it is run once, on zeros. */
import { loadRuntime } from "../engine/runtime.ts";
import { delimitedField, fieldsOf, joinPieces, textField } from "./wire.ts";

export interface ProbeInput {
  readonly name: string;
  readonly type: "float32" | "float16" | "uint8";
  readonly shape: readonly number[];
}

/** The shape of each of these tensors, which may be any within the model. */
export async function probeShapes(
  model: Uint8Array,
  { name, type, shape }: ProbeInput,
  tensors: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const { InferenceSession, Tensor } = await loadRuntime();
  const session = await InferenceSession.create(withOutputs(model, tensors), { logSeverityLevel: 4 });
  try {
    const results = await session.run({ [name]: zeros(Tensor, type, shape) });
    return new Map(tensors.map((tensor) => [tensor, results[tensor].dims]));
  } finally {
    await session.release();
  }
}

function zeros(Tensor: typeof import("onnxruntime-node").Tensor, type: ProbeInput["type"], shape: readonly number[]) {
  const length = shape.reduce((product, side) => product * side, 1);
  if (type === "uint8") return new Tensor("uint8", new Uint8Array(length), shape);
  if (type === "float16") return new Tensor("float16", new Uint16Array(length), shape);
  return new Tensor("float32", new Float32Array(length), shape);
}

/** Field numbers of `onnx.proto`. */
const [graphField, outputField, nameField] = [7, 12, 1];

/** The same model with other outputs; their types follow from the graph. */
function withOutputs(model: Uint8Array, tensors: readonly string[]): Uint8Array {
  const outputs = tensors.flatMap((tensor) => delimitedField(outputField, textField(nameField, tensor)));
  const pieces = [...fieldsOf(model)].flatMap(({ id, whole, content }) => {
    if (id !== graphField) return [whole];
    const kept = [...fieldsOf(content)].filter((field) => field.id !== outputField).map((field) => field.whole);
    return delimitedField(id, [...kept, ...outputs]);
  });
  return joinPieces(pieces);
}
