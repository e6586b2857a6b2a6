/** What runs here is validated by ONNX's own checker as well. */
import { expect, test } from "vitest";
import { constant as given, type ModelOptions, node, onnxModel, value } from "../../test/onnx-models.ts";
import { expectFloats, type Program, type ValueSpec } from "../engine/program.ts";
import { Session } from "../engine/session.ts";
import { encode } from "./encode.ts";
import { add, multiply } from "./operators/elementwise.ts";
import { splice } from "./splice.ts";
import { floats, input } from "./tensor.ts";
import { fieldsOf, textAt } from "./wire.ts";

const vectors: ValueSpec = { type: "float32", shape: ["batch", 3] };

const before = encode({ pixels: add(multiply(input("images", ["batch", 3]), floats([1, 2, 3])), floats([4, 5, 6])) });

const tensor = input("given", ["batch", 3]);
const features = multiply(tensor, floats([7, 8, 9]));
const after = encode({ features, scores: add(features, floats([1, 1, 2])) }, { metadata: { note: "of ours" } });

const images = Float32Array.of(1, -2, 3, 0.5, 0, -0.25);

async function run(program: Program, name: string, values: Float32Array): Promise<Record<string, Float32Array>> {
  const session = await Session.open(program);
  const results = await session.run({ [name]: values });
  await session.close();
  return Object.fromEntries(Object.entries(results).map(([key, found]) => [key, expectFloats(found)]));
}

interface Ends {
  readonly input: string;
  readonly output: string;
}

/** The spliced model, and the three by themselves. */
async function bothWays(model: Uint8Array, { input: taken, output }: Ends) {
  const middle = { model, inputs: { [taken]: vectors }, outputs: { [output]: vectors }, states: {} };
  const { pixels } = await run(before, "images", images);
  const { [output]: inner } = await run(middle, taken, pixels);
  const expected = await run(after, "given", inner);
  const spliced = splice(model, { input: taken, output, before, after });
  return { spliced, expected, found: await run(spliced, "images", images) };
}

/** Its tensors are called as ours are, before and after splicing. */
const clashing = (options?: ModelOptions) =>
  onnxModel(
    {
      inputs: [value("images", ["n", 3])],
      outputs: [value("scores", ["n", 3])],
      nodes: [
        node("Mul", ["images", "constant_0"], ["features"]),
        node("Add", ["features", "before/constant_0"], ["backbone/images"]),
        node("Relu", ["backbone/images"], ["after/constant_0"]),
        node("Neg", ["after/constant_0"], ["given"]),
        node("Add", ["given", "pixels"], ["scores"]),
      ],
      constants: [
        given("constant_0", [3], [1, -1, 2]),
        given("before/constant_0", [1], [10]),
        given("pixels", [3], [0.5, 0.25, 4]),
      ],
    },
    options,
  );

test("the whole computes what its parts compute one after another, whatever tensors are called", async () => {
  const { expected, found, spliced } = await bothWays(clashing(), { input: "images", output: "scores" });
  expect(found).toEqual(expected);
  expect(spliced.inputs).toEqual(before.inputs);
  expect(spliced.outputs).toEqual(after.outputs);
});

/** Sums take their axes from another input since version 13 of ONNX, and means since version 18. */
function reducing(opset: number, ir: number): Uint8Array {
  const reduce = (operator: string, since: number, source: string, target: string) =>
    opset < since
      ? node(operator, [source], [target], { axes: [1], keepdims: 1 })
      : node(operator, [source, "axes"], [target], { keepdims: 1 });
  const graph = {
    inputs: [value("x", ["n", 3])],
    outputs: [value("y", ["n", 3])],
    nodes: [
      reduce("ReduceSum", 13, "x", "sum"),
      reduce("ReduceMean", 18, "x", "mean"),
      node("Mul", ["x", "sum"], ["product"]),
      node("Add", ["product", "mean"], ["y"]),
    ],
    constants: opset < 13 ? [] : [given("axes", [1], [1], "int64")],
  };
  return onnxModel(graph, { opset, ir });
}

test.each([
  [11, 3],
  [11, 6],
  [13, 7],
  [17, 8],
  [21, 10],
])("a model of version %i of ONNX, in format %i, keeps its version", async (opset, ir) => {
  const { expected, found } = await bothWays(reducing(opset, ir), { input: "x", output: "y" });
  expect(found).toEqual(expected);
});

test.each([3, 4, 5, 6, 7, 8, 9, 10])("models of format version %i", async (ir) => {
  const { expected, found } = await bothWays(clashing({ ir }), { input: "images", output: "scores" });
  expect(found).toEqual(expected);
});

test("the standard's operators have two names, and one version all the same", () => {
  const model = clashing({ opset: 13, domain: "ai.onnx" });
  const spliced = splice(model, { input: "images", output: "scores", before, after });
  const versions = [...fieldsOf(spliced.model)].filter(({ id }) => id === 8);
  expect(versions.map(({ content }) => textAt(content, 1))).toEqual(["ai.onnx"]);
});

test("what was spliced can be spliced again", async () => {
  const { spliced } = await bothWays(clashing(), { input: "images", output: "scores" });
  const { expected, found } = await bothWays(spliced.model, { input: "images", output: "features" });
  expect(found).toEqual(expected);
});

test("a tensor within the model can be taken, which is no output", async () => {
  const inner = splice(clashing(), { input: "images", output: "features", before, after });
  const { scores } = await run(inner, "images", images);
  const pixel = (at: number): number => images[at] * [1, 2, 3][at % 3] + [4, 5, 6][at % 3];
  const byHand = Array.from(images, (_, at) => pixel(at) * [1, -1, 2][at % 3] * [7, 8, 9][at % 3] + [1, 1, 2][at % 3]);
  expect([...scores]).toEqual(byHand);
});

/** Inside of If and Loop, tensors of the outside are used, and others have names of ours. */
const branching = onnxModel({
  inputs: [value("images", ["n", 3])],
  outputs: [value("scores", ["n", 3])],
  nodes: [
    node("Abs", ["images"], ["features"]),
    node("If", ["constant_0"], ["chosen"], {
      then_branch: {
        inputs: [],
        outputs: [value("then/scores", ["n", 3])],
        nodes: [node("Add", ["features", "constant_1"], ["pixels"]), node("Neg", ["pixels"], ["then/scores"])],
        constants: [given("constant_1", [1], [2])],
      },
      else_branch: {
        inputs: [],
        outputs: [value("else/scores", ["n", 3])],
        nodes: [node("Identity", ["images"], ["else/scores"])],
      },
    }),
    node("Loop", ["times", "", "chosen"], ["scores"], {
      body: {
        inputs: [value("round", [], "int64"), value("going", [], "bool"), value("so far", ["n", 3])],
        outputs: [value("going on", [], "bool"), value("next", ["n", 3])],
        nodes: [node("Identity", ["going"], ["going on"]), node("Add", ["so far", "features"], ["next"])],
      },
    }),
  ],
  constants: [given("constant_0", [], [1], "bool"), given("times", [], [3], "int64")],
});

test("graphs within nodes see the same tensors as before", async () => {
  const { expected, found } = await bothWays(branching, { input: "images", output: "scores" });
  expect(found).toEqual(expected);
});

test("notes of ours are in the whole, and no bytes of weights are lost", async () => {
  const weights = Array.from({ length: 3000 }, (_, index) => index / 7);
  const model = onnxModel({
    inputs: [value("x", ["n", 3])],
    outputs: [value("y", ["n", 3])],
    nodes: [node("MatMul", ["x", "weights"], ["wide"]), node("MatMul", ["wide", "back"], ["y"])],
    constants: [given("weights", [3, 1000], weights), given("back", [1000, 3], weights)],
  });
  const { expected, found, spliced } = await bothWays(model, { input: "x", output: "y" });
  expect(found).toEqual(expected);
  expect(Buffer.from(spliced.model).includes("of ours")).toBe(true);
});
