/**
 * The part of ONNX's protobuf schema that we write: messages, fields and field numbers as in the specification's
 * `onnx.proto` (IR version 8). Lists of numbers are unpacked there, as in all of proto2.
 */
import protobuf from "protobufjs/light.js";

const field = (id: number, type: string) => ({ id, type });
const list = (id: number, type: string) => ({ id, type, rule: "repeated", options: { packed: false } });

const root = protobuf.Root.fromJSON({
  nested: {
    ModelProto: {
      fields: {
        irVersion: field(1, "int64"),
        producerName: field(2, "string"),
        producerVersion: field(3, "string"),
        docString: field(6, "string"),
        graph: field(7, "GraphProto"),
        opsetImport: list(8, "OperatorSetIdProto"),
        metadataProps: list(14, "StringStringEntryProto"),
      },
    },
    OperatorSetIdProto: { fields: { domain: field(1, "string"), version: field(2, "int64") } },
    StringStringEntryProto: { fields: { key: field(1, "string"), value: field(2, "string") } },
    GraphProto: {
      fields: {
        node: list(1, "NodeProto"),
        name: field(2, "string"),
        initializer: list(5, "TensorProto"),
        input: list(11, "ValueInfoProto"),
        output: list(12, "ValueInfoProto"),
      },
    },
    NodeProto: {
      fields: {
        input: list(1, "string"),
        output: list(2, "string"),
        name: field(3, "string"),
        opType: field(4, "string"),
        attribute: list(5, "AttributeProto"),
        domain: field(7, "string"),
      },
    },
    AttributeProto: {
      fields: {
        name: field(1, "string"),
        f: field(2, "float"),
        i: field(3, "int64"),
        s: field(4, "bytes"),
        ints: list(8, "int64"),
        type: field(20, "int32"),
      },
    },
    TensorProto: {
      fields: {
        dims: list(1, "int64"),
        dataType: field(2, "int32"),
        name: field(8, "string"),
        rawData: field(9, "bytes"),
      },
    },
    ValueInfoProto: { fields: { name: field(1, "string"), type: field(2, "TypeProto") } },
    TypeProto: {
      fields: { tensorType: field(1, "Tensor") },
      nested: { Tensor: { fields: { elemType: field(1, "int32"), shape: field(2, "TensorShapeProto") } } },
    },
    TensorShapeProto: {
      fields: { dim: list(1, "Dimension") },
      nested: { Dimension: { fields: { dimValue: field(1, "int64"), dimParam: field(2, "string") } } },
    },
  },
});

/** `AttributeProto.AttributeType`. */
export const attributeTypes = { float: 1, int: 2, string: 3, ints: 7 } as const;

/** `TensorProto.DataType`. */
export const elementTypeCodes = { float32: 1, uint8: 2, int32: 6, int64: 7, bool: 9, float64: 11 } as const;

export const ModelProto = root.lookupType("ModelProto");
