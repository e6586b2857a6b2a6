/**
 * The part of ONNX's protobuf schema that we write: messages, fields and field numbers as in the specification's
 * `onnx.proto` (IR version 8).
 */
import protobuf from "protobufjs/light.js";

const field = (id: number, type: string) => ({ id, type });
const list = (id: number, type: string) => ({ id, type, rule: "repeated" });

type Field = ReturnType<typeof field> & { rule?: string };

/** In proto2, unlike proto3, an attribute that is zero is written. */
const message = (fields: Record<string, Field>, nested: Record<string, { fields: Record<string, Field> }> = {}) => ({
  edition: "proto2",
  fields,
  nested,
});

const root = protobuf.Root.fromJSON({
  nested: {
    ModelProto: message({
      irVersion: field(1, "int64"),
      producerName: field(2, "string"),
      graph: field(7, "GraphProto"),
      opsetImport: list(8, "OperatorSetIdProto"),
      metadataProps: list(14, "StringStringEntryProto"),
    }),
    OperatorSetIdProto: message({ domain: field(1, "string"), version: field(2, "int64") }),
    StringStringEntryProto: message({ key: field(1, "string"), value: field(2, "string") }),
    GraphProto: message({
      node: list(1, "NodeProto"),
      name: field(2, "string"),
      initializer: list(5, "TensorProto"),
      input: list(11, "ValueInfoProto"),
      output: list(12, "ValueInfoProto"),
    }),
    NodeProto: message({
      input: list(1, "string"),
      output: list(2, "string"),
      name: field(3, "string"),
      opType: field(4, "string"),
      attribute: list(5, "AttributeProto"),
      domain: field(7, "string"),
    }),
    AttributeProto: message({
      name: field(1, "string"),
      f: field(2, "float"),
      i: field(3, "int64"),
      s: field(4, "bytes"),
      ints: list(8, "int64"),
      type: field(20, "int32"),
    }),
    TensorProto: message({
      dims: list(1, "int64"),
      dataType: field(2, "int32"),
      name: field(8, "string"),
      rawData: field(9, "bytes"),
    }),
    ValueInfoProto: message({ name: field(1, "string"), type: field(2, "TypeProto") }),
    TypeProto: message(
      { tensorType: field(1, "Tensor") },
      { Tensor: { fields: { elemType: field(1, "int32"), shape: field(2, "TensorShapeProto") } } },
    ),
    TensorShapeProto: message(
      { dim: list(1, "Dimension") },
      { Dimension: { fields: { dimValue: field(1, "int64"), dimParam: field(2, "string") } } },
    ),
  },
});

/** `AttributeProto.AttributeType`. */
export const attributeTypes = { float: 1, int: 2, string: 3, ints: 7 } as const;

/** `TensorProto.DataType`. */
export const elementTypeCodes = { float32: 1, uint8: 2, int32: 6, int64: 7, bool: 9, float64: 11 } as const;

export const ModelProto = root.lookupType("ModelProto");
export const NodeProto = root.lookupType("NodeProto");
export const ValueInfoProto = root.lookupType("ValueInfoProto");
