import { expect, test } from "vitest";
import { Session } from "../engine/session.ts";
import { encode } from "../graph/encode.ts";
import { input } from "../graph/tensor.ts";
import { centredPhotographs, convolve, maxPool, pooledProgram, relu6 } from "./layers.ts";

const run = async (program: ReturnType<typeof encode>, feeds: Record<string, Float32Array>) => {
  const session = await Session.open(program);
  const results = await session.run(feeds);
  await session.close();
  return Object.fromEntries(Object.entries(results).map(([name, values]) => [name, [...values]]));
};

/** One channel, and a kernel of ones: each output is the sum of what is under the window. */
async function sums(side: number, window: number, stride: number, padding: "same" | number): Promise<number[]> {
  const kernel = { shape: [1, 1, window, window], values: new Float32Array(window * window).fill(1) };
  const x = input("x", ["batch", 1, side, side]);
  const y = convolve(x, { kernel, bias: Float32Array.of(0) }, { stride, padding });
  const values = Float32Array.from({ length: side * side }, (_, at) => (at % side) + 1);
  const { y: result } = await run(encode({ y }), { x: values });
  expect(result).toHaveLength(Number(y.shape[2]) * Number(y.shape[3]));
  return result.map(Number);
}

test("of an odd padding, TensorFlow puts the larger half below and to the right", async () => {
  // Columns are 1, 2, 3, 4. Windows of 3 in steps of 2 begin at the first and at the third; the last one hangs over.
  expect(await sums(4, 3, 2, "same")).toEqual([18, 21, 12, 14]);
  expect(await sums(3, 3, 1, "same")).toEqual([6, 12, 10, 9, 18, 15, 6, 12, 10]);
  expect(await sums(4, 1, 2, "same")).toEqual([1, 3, 1, 3]);
  expect(await sums(4, 3, 2, 1)).toEqual([6, 18, 9, 27]);
});

test("a depthwise convolution keeps channels apart", async () => {
  const x = input("x", ["batch", 2, 1, 2]);
  const kernel = { shape: [2, 1, 1, 1], values: Float32Array.of(10, 100) };
  const y = convolve(x, { kernel, bias: Float32Array.of(0, 1) }, { padding: "same", depthwise: true });
  expect(await run(encode({ y }), { x: Float32Array.of(1, 2, 3, 4) })).toEqual({ y: [10, 20, 301, 401] });
});

test("ReLU6 has two ends, and pooling takes the largest", async () => {
  const x = input("x", ["batch", 1, 2, 2]);
  const y = relu6(x);
  const z = maxPool(y, { window: 3, stride: 2, padding: 1 });
  expect(await run(encode({ y, z }), { x: Float32Array.of(-1, 3, 7, 6) })).toEqual({ y: [0, 3, 6, 6], z: [6] });
});

test("a network gives the means over its last map, and what the classifier makes of them", async () => {
  const map = maxPool(centredPhotographs([0, 0.25, 0.5]), { window: 224, stride: 224, padding: 0 });
  const matrix = { shape: [2, 3], values: Float32Array.of(1, 0, 0, 1, 1, 1) };
  const program = pooledProgram(map, { matrix, bias: Float32Array.of(0, 10) }, {});
  const image = new Float32Array(3 * 224 * 224).fill(1);
  const { embedding, logits } = await run(program, { pixel_values: Float32Array.from([...image, ...image.fill(0.5)]) });
  expect(embedding).toEqual([1, 0.75, 0.5, 0.5, 0.25, 0]);
  expect(logits).toEqual([1, 12.25, 0.5, 10.75]);
});
