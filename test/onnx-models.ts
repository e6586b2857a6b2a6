/** ONNX models written by hand, so that what reads other people's is tested against the format and not our writer. */

type Value = number | string | Uint8Array | readonly Field[];
type Field = readonly [id: number, value: Value];

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}

/** A protobuf message: whole numbers, texts, bytes and messages, by field number. */
export function message(fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([id, value]) => {
      if (typeof value === "number") return [varint(id << 3), varint(value)];
      const content = typeof value === "string" || value instanceof Uint8Array ? Buffer.from(value) : message(value);
      return [varint((id << 3) | 2), varint(content.length), content];
    }),
  );
}

export const elementTypes = { float32: 1, uint8: 2, int64: 7, bool: 9, float16: 10 } as const;
type ElementTypeName = keyof typeof elementTypes;

export interface TensorValue {
  readonly name: string;
  readonly shape: readonly (number | string)[] | undefined;
  readonly type: ElementTypeName;
}

export const value = (
  name: string,
  shape: readonly (number | string)[] | undefined,
  type: ElementTypeName = "float32",
): TensorValue => ({ name, shape, type });

export interface Constant extends TensorValue {
  readonly shape: readonly number[];
  readonly data: Uint8Array;
  /** The file that has the data, in place of the model. */
  readonly location?: string;
}

export function constant(
  name: string,
  shape: readonly number[],
  values: readonly number[],
  type: ElementTypeName = "float32",
): Constant {
  return { name, shape, type, data: new Uint8Array(typed(values, type).buffer) };
}

function typed(values: readonly number[], type: ElementTypeName) {
  if (type === "float32") return Float32Array.from(values);
  if (type === "int64") return BigInt64Array.from(values, BigInt);
  if (type === "float16") return Uint16Array.from(values, halfOf);
  return Uint8Array.from(values);
}

/** Of numbers that half precision has exactly. */
function halfOf(number: number): number {
  const [bits] = new Uint32Array(Float32Array.of(number).buffer);
  if (number === 0) return 0;
  return ((bits >>> 16) & 0x8000) | ((((bits >>> 23) & 255) - 112) << 10) | ((bits >>> 13) & 1023);
}

export interface Node {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Readonly<Record<string, number | readonly number[] | Graph>>;
  readonly domain?: string;
}

export const node = (
  operator: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: Node["attributes"] = {},
): Node => ({ operator, inputs, outputs, attributes });

export interface Graph {
  readonly inputs: readonly TensorValue[];
  readonly outputs: readonly TensorValue[];
  readonly nodes: readonly Node[];
  readonly constants?: readonly Constant[];
}

export interface ModelOptions {
  /** Default: 17. */
  readonly opset?: number;
  /** Default: 8. */
  readonly ir?: number;
  /** What the standard's operators are called: "" or "ai.onnx". Default: "". */
  readonly domain?: string;
}

/** Before version 4 of the format, constants are inputs as well. */
export function onnxModel(graph: Graph, { opset = 17, ir = 8, domain = "" }: ModelOptions = {}): Buffer {
  const inputs = ir < 4 ? [...graph.inputs, ...(graph.constants ?? [])] : graph.inputs;
  return message([
    [1, ir],
    [2, "by hand"],
    [7, graphFields({ ...graph, inputs })],
    [8, [...(domain === "" ? [] : [[1, domain] as const]), [2, opset]]],
  ]);
}

const graphFields = ({ inputs, outputs, nodes, constants = [] }: Graph): Field[] => [
  ...nodes.map((one) => [1, nodeFields(one)] as const),
  [2, "tiny"],
  ...constants.map((one) => [5, constantFields(one)] as const),
  ...inputs.map((one) => [11, valueFields(one)] as const),
  ...outputs.map((one) => [12, valueFields(one)] as const),
];

const nodeFields = ({ operator, inputs, outputs, attributes, domain = "" }: Node): Field[] => [
  ...inputs.map((name) => [1, name] as const),
  ...outputs.map((name) => [2, name] as const),
  [3, `node of ${outputs[0]}`],
  [4, operator],
  ...Object.entries(attributes).map(([name, content]) => [5, attributeFields(name, content)] as const),
  [7, domain],
];

function attributeFields(name: string, content: Node["attributes"][string]): Field[] {
  if (typeof content === "number")
    return [
      [1, name],
      [3, content],
      [20, 2],
    ];
  if ("nodes" in content)
    return [
      [1, name],
      [6, graphFields(content)],
      [20, 5],
    ];
  return [[1, name], ...content.map((one) => [8, one] as const), [20, 7]];
}

const constantFields = ({ name, shape, type, data, location }: Constant): Field[] => [
  ...shape.map((side) => [1, side] as const),
  [2, elementTypes[type]],
  [8, name],
  ...(location === undefined
    ? [[9, data] as const]
    : ([
        [
          13,
          [
            [1, "location"],
            [2, location],
          ],
        ],
        [14, 1],
      ] as const)),
];

const valueFields = ({ name, shape, type }: TensorValue): Field[] => [
  [1, name],
  [2, [[1, [[1, elementTypes[type]], ...(shape === undefined ? [] : [[2, shape.map(dimension)] as const])]]]],
];

const dimension = (side: number | string): Field => [1, [typeof side === "number" ? [1, side] : [2, side]]];
