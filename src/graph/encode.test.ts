import { expect, test } from "vitest";
import { evaluate } from "../../test/evaluate.ts";
import { encode } from "./encode.ts";
import { ModelProto } from "./onnx-schema.ts";
import { sum } from "./operators/broadcasting.ts";
import { add, multiply } from "./operators/elementwise.ts";
import { floats, input } from "./tensor.ts";

test("only the nodes that the outputs depend on are written", () => {
  const [x, y] = [input("x", [2]), input("y", [2])];
  multiply(x, y);
  const program = encode({ sum: add(x, 1) });
  expect(Object.keys(program.inputs)).toEqual(["x"]);
  const { graph } = ModelProto.toObject(ModelProto.decode(program.model));
  expect(graph.node.map((node: { opType: string }) => node.opType)).toEqual(["Add"]);
});

test("a value can be an output twice, and an input or a constant can be one", async () => {
  const x = input("x", [2]);
  const y = add(x, 1);
  const results = await evaluate({ y, again: y, given: x, three: floats([3]) }, { x: Float32Array.of(1, 2) });
  expect(results).toEqual({ y: [2, 3], again: [2, 3], given: [1, 2], three: [3] });
});

test("metadata, free dimensions and shapes are in the file", () => {
  const { model } = encode({ y: add(input("x", ["batch", 3]), 1) }, { metadata: { preprocessing: "divide by 255" } });
  const { metadataProps, graph } = ModelProto.toObject(ModelProto.decode(model), { longs: Number });
  expect(metadataProps).toEqual([{ key: "preprocessing", value: "divide by 255" }]);
  for (const value of [graph.input[0], graph.output[0]])
    expect(value.type.tensorType.shape.dim).toEqual([{ dimParam: "batch" }, { dimValue: 3 }]);
});

test("two inputs with the same name, or an input and an output with the same name, are refused", () => {
  expect(() => encode({ y: add(input("x", [2]), input("x", [2])) })).toThrow('two different inputs are called "x"');
  const x = input("x", [2]);
  expect(() => encode({ x: add(x, 1) })).toThrow('"x" is an input and an output; rename one');
  expect(() => encode({}, { states: [{ input: add(x, 1), next: x }] })).toThrow("a state must be an input");
});

test("an attribute whose value is zero is written: readers other than ONNX Runtime need it", () => {
  const { model } = encode({ total: sum(input("x", [3])) });
  const { graph } = ModelProto.toObject(ModelProto.decode(model), { longs: Number });
  expect(graph.node[0].attribute).toEqual([{ name: "keepdims", i: 0, type: 2 }]);
});
