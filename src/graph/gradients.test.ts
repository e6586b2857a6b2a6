/** Every operator's gradient against its difference quotient, which is independent of our rules. */
import { expect, test } from "vitest";
import { evaluate, randomValues, relativeError } from "../../test/evaluate.ts";
import type { Shape } from "../engine/program.ts";
import { Random } from "../numeric/random.ts";
import { gradients } from "./gradients.ts";
import { expand, sum } from "./operators/broadcasting.ts";
import { convolve, convolveTranspose, correlate } from "./operators/convolution.ts";
import * as elementwise from "./operators/elementwise.ts";
import { concatenate, padAxis, reshape, slice, split, transpose } from "./operators/layout.ts";
import { addPerChannel, batchNormalize, batchNormalizeMaxPool } from "./operators/normalization.ts";
import { gatherSwitches, maxPool, maxUnpool } from "./operators/pooling.ts";
import { matmul } from "./operators/product.ts";
import { mean, sumSquare } from "./operators/reduction.ts";
import { floats, input, type Tensor } from "./tensor.ts";

const { add, multiply, square } = elementwise;

interface Case {
  readonly shapes: readonly Shape[];
  /** Applied to inputs with absolute values from 0.2 to 1.2. */
  readonly compute: (...inputs: Tensor[]) => Tensor;
  /** Only positive inputs. */
  readonly positive?: boolean;
  /** Inputs at least 0.05 from one another, so that no small step changes which one is the largest. */
  readonly distinct?: boolean;
}

const vector: Shape = [6];
const matrixShape: Shape = [4, 3];
const map: Shape = [2, 6, 4, 3];
const kernel: Shape = [3, 2, 3, 3];
const channel: Shape = [2];

const cases: Record<string, Case> = {
  "add with broadcasting": { shapes: [matrixShape, [3]], compute: (a, b) => elementwise.add(a, b) },
  "subtract with broadcasting": { shapes: [[4, 1], matrixShape], compute: (a, b) => elementwise.subtract(a, b) },
  "multiply with broadcasting": { shapes: [matrixShape, [4, 1]], compute: (a, b) => elementwise.multiply(a, b) },
  "divide with broadcasting": { shapes: [matrixShape, [3]], compute: (a, b) => elementwise.divide(a, b) },
  maximum: { shapes: [vector, vector], compute: (a, b) => elementwise.maximum(a, b) },
  power: { shapes: [vector], positive: true, compute: (x) => elementwise.power(x, -1.5) },
  square: { shapes: [vector], compute: elementwise.square },
  negate: { shapes: [vector], compute: elementwise.negate },
  exponential: { shapes: [vector], compute: elementwise.exponential },
  logarithm: { shapes: [vector], positive: true, compute: elementwise.logarithm },
  squareRoot: { shapes: [vector], positive: true, compute: elementwise.squareRoot },
  relu: { shapes: [vector], compute: elementwise.relu },
  leakyRelu: { shapes: [vector], compute: (x) => elementwise.leakyRelu(x, 0.1) },
  tanh: { shapes: [vector], compute: elementwise.tanh },
  sigmoid: { shapes: [vector], compute: elementwise.sigmoid },
  "sum over axes": { shapes: [map], compute: (x) => sum(x, [1, 3]) },
  expand: { shapes: [[4, 1]], compute: (x) => expand(x, matrixShape) },
  mean: { shapes: [map], compute: (x) => mean(x, [0, 2]) },
  sumSquare: { shapes: [map], compute: (x) => sumSquare(x, [-1]) },
  reshape: { shapes: [matrixShape], compute: (x) => reshape(x, [2, 6]) },
  transpose: { shapes: [map], compute: (x) => transpose(x, [3, 0, 2, 1]) },
  split: { shapes: [matrixShape], compute: (x) => elementwise.multiply(split(x, [1, 1, 1], 1)[1], 3) },
  concatenate: { shapes: [matrixShape, [2, 3]], compute: (a, b) => concatenate([a, b, a], 0) },
  slice: { shapes: [matrixShape], compute: (x) => slice(x, [{ axis: 0, start: 1, end: 3 }]) },
  padAxis: { shapes: [matrixShape], compute: (x) => padAxis(x, 1, 2, 1) },
  matmul: { shapes: [matrixShape, [3, 2]], compute: (a, b) => matmul(a, b) },
  "matmul, left transposed": { shapes: [matrixShape, [4, 2]], compute: (a, b) => matmul(a, b, { left: true }) },
  "matmul, right transposed": { shapes: [matrixShape, [2, 3]], compute: (a, b) => matmul(a, b, { right: true }) },
  "matmul, both transposed": {
    shapes: [matrixShape, [2, 4]],
    compute: (a, b) => matmul(a, b, { left: true, right: true }),
  },
  convolve: { shapes: [map, kernel], compute: (x, w) => convolve(x, w) },
  "convolve, padded": { shapes: [map, kernel], compute: (x, w) => convolve(x, w, { padding: [1, 1] }) },
  "convolve, oblong": { shapes: [map, [3, 2, 2, 3]], compute: (x, w) => convolve(x, w, { padding: [0, 1] }) },
  "convolve, in phases": { shapes: [map, kernel], compute: (x, w) => convolve(x, w, { phases: [2, 2] }) },
  "convolve, in oblong phases, padded": {
    shapes: [map, kernel],
    compute: (x, w) => convolve(x, w, { padding: [1, 1], phases: [3, 2] }),
  },
  "convolve, kernel covering the map": { shapes: [map, [3, 2, 6, 4]], compute: (x, w) => convolve(x, w) },
  convolveTranspose: { shapes: [[3, 1, 4, 2, 3], kernel], compute: (x, w) => convolveTranspose(x, w) },
  "convolveTranspose, padded": {
    shapes: [[3, 1, 6, 4, 3], kernel],
    compute: (x, w) => convolveTranspose(x, w, { padding: [1, 1] }),
  },
  "convolveTranspose, from phases": {
    shapes: [[3, 4, 2, 1, 3], kernel],
    compute: (x, w) => convolveTranspose(x, w, { phases: [2, 2] }),
  },
  "convolveTranspose from one pixel": {
    shapes: [
      [3, 1, 1, 1, 4],
      [3, 2, 6, 4],
    ],
    compute: (x, w) => convolveTranspose(x, w),
  },
  correlate: { shapes: [map, [3, 1, 4, 2, 3]], compute: (large, small) => correlate(large, small) },
  "correlate, padded": {
    shapes: [map, [3, 1, 6, 4, 3]],
    compute: (large, small) => correlate(large, small, { padding: [1, 1] }),
  },
  "correlate, in phases": {
    shapes: [map, [3, 4, 3, 2, 3]],
    compute: (large, small) => correlate(large, small, { padding: [1, 1], phases: [2, 2] }),
  },
  maxPool: { shapes: [map], distinct: true, compute: (x) => maxPool(x).values },

  maxUnpool: {
    distinct: true,
    shapes: [map, [2, 4, 3]],
    compute: (x, small) => maxUnpool(small, maxPool(x).switches),
  },
  gatherSwitches: {
    distinct: true,
    shapes: [map, map],
    compute: (x, y) => gatherSwitches(y, maxPool(x).switches),
  },
  addPerChannel: { shapes: [map, channel], compute: (x, bias) => addPerChannel(x, bias) },
  batchNormalize: {
    shapes: [map, channel, channel],
    compute: (x, gamma, beta) => batchNormalize(x, { gamma, beta }).y,
  },
  "batchNormalize of vectors": {
    shapes: [[3, 7], [3], [3]],
    compute: (x, gamma, beta) => batchNormalize(x, { gamma, beta }).y,
  },
};

const size = (shape: Shape): number => shape.reduce<number>((count, dimension) => count * Number(dimension), 1);

/** Away from zero, where some operators have a kink or a pole. */
function pointValues(random: Random, length: number, { positive = false, distinct = false }: Case): Float32Array {
  if (distinct) return Float32Array.from(random.permutation(length), (rank) => (rank - length / 2) * 0.05);
  return randomValues(random, length).map((value) =>
    positive ? Math.abs(value) + 0.2 : value + Math.sign(value) * 0.2,
  );
}

test.each(Object.entries(cases))("the gradient of %s is its difference quotient", async (name, checked) => {
  const { shapes, compute } = checked;
  const random = new Random(3, name);
  const inputs = shapes.map((shape, index) => input(`x${index}`, shape));
  const y = compute(...inputs);
  // A random weighting makes every element count, each differently.
  const weights = input("weights", y.shape);
  const scalar = sum(multiply(y, weights));
  const derivatives = gradients(scalar, inputs);
  const point = Object.fromEntries(
    shapes.map((shape, index) => [`x${index}`, pointValues(random, size(shape), checked)]),
  );
  const direction = Object.fromEntries(shapes.map((shape, index) => [`x${index}`, randomValues(random, size(shape))]));
  const feeds = { ...point, weights: randomValues(random, size(y.shape)) };
  const exact = await evaluate(
    Object.fromEntries(derivatives.map((derivative, index) => [`d x${index}`, derivative])),
    feeds,
  );
  const slope = Object.entries(direction).reduce(
    (total, [key, values]) => total + values.reduce((part, value, index) => part + value * exact[`d ${key}`][index], 0),
    0,
  );
  const at = async (h: number): Promise<number> => {
    const moved = Object.fromEntries(
      Object.entries(point).map(([key, values]) => [
        key,
        values.map((value, index) => value + h * direction[key][index]),
      ]),
    );
    return (await evaluate({ scalar }, { ...feeds, ...moved })).scalar[0];
  };
  // Richardson's extrapolation: the error of the quotient is of fourth order, that of float32 about 1e-7 / h.
  const quotient = async (h: number): Promise<number> => ((await at(h)) - (await at(-h))) / (2 * h);
  const [coarse, fine] = [await quotient(0.02), await quotient(0.01)];
  const estimate = (4 * fine - coarse) / 3;
  const scale = Object.values(exact)
    .flat()
    .reduce((total, value) => total + Math.abs(value), 0);
  expect(Math.abs(estimate - slope) / scale).toBeLessThan(2e-4);
});

test("fused normalization, rectification and pooling equal the plain operators in sequence", async () => {
  const random = new Random(4);
  const [x, gamma, beta] = [input("x", map), input("gamma", channel), input("beta", channel)];
  const weights = input("weights", [2, 4, 3]);
  const scaling = { gamma, beta };
  const variants = {
    fused: batchNormalizeMaxPool(x, scaling).values,
    rectified: maxPool(batchNormalize(x, scaling, { rectify: true }).y).values,
    plain: maxPool(elementwise.relu(batchNormalize(x, scaling).y)).values,
  };
  const outputs = Object.entries(variants).flatMap(([name, values]) => {
    const [dx, dgamma, dbeta] = gradients(sum(multiply(values, weights)), [x, gamma, beta]);
    return Object.entries({ values, dx, dgamma, dbeta }).map(([key, value]) => [`${name} ${key}`, value]);
  });
  for (const gammas of [Float32Array.of(1, -0.5), Float32Array.of(0, 1)]) {
    const results = await evaluate(Object.fromEntries(outputs), {
      x: randomValues(random, size(map)),
      gamma: gammas,
      beta: Float32Array.of(gammas[0] === 0 ? 0.3 : -0.9, -0.5),
      weights: randomValues(random, 24),
    });
    expect(results["plain values"]).toContain(0);
    for (const key of ["values", "dx", "dgamma", "dbeta"])
      for (const name of ["fused", "rectified"])
        expect(relativeError(results[`${name} ${key}`], results[`plain ${key}`]), `${name} ${key}`).toBeLessThan(1e-5);
  }
});

test("where several values of a window are the largest, exactly one switch is set: the first", async () => {
  const x = input("x", [1, 4, 5]);
  const windows = [
    [0, 0, 0, 0],
    [1, 2, 2, 0],
    [-1, -1, -3, -1],
    [3, 1e-30, 0, 3],
    [0, 0, 0, 1e-30],
  ];
  const byPhase = Float32Array.from({ length: 20 }, (_, index) => windows[index % 5][Math.floor(index / 5)]);
  const { switches } = await evaluate({ switches: maxPool(x).switches }, { x: byPhase });
  const places = windows.map((_, window) => [0, 1, 2, 3].map((phase) => switches[phase * 5 + window]));
  expect(places).toEqual([
    [1, 0, 0, 0],
    [0, 1, 0, 0],
    [1, 0, 0, 0],
    [1, 0, 0, 0],
    [0, 0, 0, 1],
  ]);
});

test("second derivatives work, since gradient rules are built from operators", async () => {
  const x = input("x", [3]);
  const [first] = gradients(sum(multiply(square(x), x)), [x]);
  const [second] = gradients(sum(first), [x]);
  const { second: values } = await evaluate({ second }, { x: Float32Array.of(1, -2, 0.5) });
  expect(values).toEqual([6, -12, 3]);
});

test("the gradient of an intermediate value is available beside its input's, and that of an unused input is zero", async () => {
  const [x, unused] = [input("x", [2]), input("unused", [3])];
  const y = square(x);
  const [dx, dy, dunused] = gradients(sum(multiply(y, 3)), [x, y, unused]);
  const results = await evaluate({ dx, dy, dunused }, { x: Float32Array.of(2, 5) });
  expect(results).toEqual({ dx: [12, 30], dy: [3, 3], dunused: [0, 0, 0] });
});

test("only a scalar has gradients, and none goes through an index", () => {
  const x = input("x", map);
  expect(() => gradients(x, [x])).toThrow("gradients: only a scalar has them, and this has shape [2, 6, 4, 3]");
  const index = elementwise.asFloat(elementwise.greater(x, 0));
  expect(() => gradients(sum(add(index, x)), [x])).toThrow("the result of Cast has no gradient");
});

test.each<[string, () => unknown, string]>([
  ["add", () => add(input("a", [2, 3]), input("b", [4])), "Add: [2, 3] and [4]: do not broadcast"],
  ["matmul", () => matmul(input("a", [2, 3]), input("b", [4, 3])), "MatMul: [2, 3] and [4, 3]: do not multiply"],
  ["reshape", () => reshape(input("a", [2, 3]), [4]), "Reshape: [2, 3] and [4]: have different numbers of elements"],
  [
    "convolve",
    () => convolve(input("a", map), input("w", [3, 5, 3, 3])),
    "convolve: [2, 6, 4, 3] and [3, 5, 3, 3]: have different numbers of channels",
  ],
  ["large kernel", () => convolve(input("a", map), input("w", [3, 2, 7, 7])), "the kernel is larger than the map"],
  [
    "windows",
    () => convolve(input("a", map), input("w", kernel), { phases: [3, 2] }),
    "convolve: [4, 2] and [3, 2]: windows do not fill the map",
  ],
  [
    "concatenate",
    () => concatenate([input("a", [2, 3]), input("b", [2, 4])], 0),
    "Concat: [2, 3] and [2, 4]: differ outside axis 0",
  ],
  ["split", () => split(input("a", [6]), [2, 3], 0), "Split: [6] and [2, 3]: do not add up along axis 0"],
  [
    "normalize",
    () => batchNormalize(input("a", map), { gamma: floats([1]), beta: floats([1, 2]) }),
    "normalize: [2, 6, 4, 3] and [1]: need one value per channel",
  ],
])("%s refuses shapes that do not fit, naming them", (_, build, message) => {
  expect(build).toThrow(message);
});
