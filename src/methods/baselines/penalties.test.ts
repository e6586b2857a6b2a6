import { expect, test } from "vitest";
import { evaluate, randomValues } from "../../../test/evaluate.ts";
import { gradients } from "../../graph/gradients.ts";
import { input, type Tensor } from "../../graph/tensor.ts";
import { Random } from "../../numeric/random.ts";
import { compactness, groupSparsity, locality, typicalVariance } from "./penalties.ts";

const [batch, d] = [4, 6];
const z = input("z", [batch, d]);

const penalties: Record<string, Tensor> = {
  compactness: compactness(z),
  locality: locality(z),
  groupSparsity: groupSparsity(z, 3),
  typicalVariance: typicalVariance(z),
};

async function computed(penalty: Tensor, feeds: Record<string, Float32Array>): Promise<number> {
  return (await evaluate({ penalty }, feeds)).penalty[0];
}

test("compactness is the mean squared distance to the centres", async () => {
  const anchors = Float32Array.of(1, 0, 0, 0);
  const value = await computed(compactness(input("z", [2, 2])), { z: Float32Array.of(1, 2, 3, -4), anchors });
  expect(value).toBe((4 + (9 + 16)) / 2);
});

test("locality is the mean of affinity times squared distance, first half of the batch to second", async () => {
  const affinities = Float32Array.of(0.5, 2);
  const values = Float32Array.of(0, 0, 1, 1, /* their neighbours */ 3, 4, 1, 2);
  expect(await computed(locality(input("z", [4, 2])), { z: values, affinities })).toBe((0.5 * 25 + 2 * 1) / 2);
});

test("group sparsity is the mean of the groups' norms, each times the root of its size", async () => {
  const values = Float32Array.of(3, 4, 0, 0, 0, 0, 6, 8);
  const value = await computed(groupSparsity(input("z", [2, 4]), 2), { z: values });
  expect(value).toBeCloseTo((Math.SQRT2 * (5 + 10)) / 2, 5);
});

test("typical variance is half the geometric mean of squared distances from row to row", async () => {
  const values = Float32Array.of(0, 0, 3, 4, 3, 5);
  const expected = Math.cbrt(25 * 1 * 34) / 2;
  expect(await computed(typicalVariance(input("z", [3, 2])), { z: values })).toBeCloseTo(expected, 4);
});

test("typical variance is that of normal features, and hardly that of a few that are far from all others", async () => {
  const random = new Random(1, "features");
  const features = randomValues(random, 256 * 40);
  const typical = (values: Float32Array) => computed(typicalVariance(input("z", [256, 40])), { z: values });
  const usual = await typical(features);
  const far = features.map((value, place) => (place < 4 * 40 ? 1000 * value : value));
  expect(await typical(far)).toBeLessThan(2 * usual);
  expect(await typical(features.map((value) => 3 * value))).toBeCloseTo(9 * usual, 2);
});

test("features that do not make pairs or groups are refused", () => {
  expect(() => locality(input("z", [3, 2]))).toThrow("locality: [3, 2]: must be images and as many neighbours");
  expect(() => groupSparsity(input("z", [2, 5]), 2)).toThrow("groupSparsity: [2, 5]: do not make groups of 2");
});

test.each(Object.entries(penalties))("the gradient of %s is its difference quotient", async (name, penalty) => {
  const random = new Random(1, name);
  const point = randomValues(random, batch * d);
  const direction = randomValues(random, batch * d);
  const feeds = { anchors: randomValues(random, batch * d), affinities: randomValues(random, batch / 2) };
  const [gradient] = gradients(penalty, [z]);
  const exact = (await evaluate({ gradient }, { ...feeds, z: point })).gradient;
  const slope = exact.reduce((total, value, index) => total + value * direction[index], 0);
  const at = (h: number) => computed(penalty, { ...feeds, z: point.map((value, i) => value + h * direction[i]) });
  // Richardson's extrapolation: the error of the quotient is of fourth order, that of float32 about 1e-7 / h.
  const quotient = async (h: number) => ((await at(h)) - (await at(-h))) / (2 * h);
  const estimate = (4 * (await quotient(0.01)) - (await quotient(0.02))) / 3;
  const scale = exact.reduce((total, value) => total + Math.abs(value), 0);
  expect(scale).toBeGreaterThan(0.1);
  expect(Math.abs(estimate - slope) / scale).toBeLessThan(2e-4);
});

test("a group that is all zero stays there: its gradient is zero, not infinite", async () => {
  const [gradient] = gradients(groupSparsity(z, 3), [z]);
  expect(await evaluate({ gradient }, { z: new Float32Array(batch * d) })).toEqual({
    gradient: new Array(batch * d).fill(0),
  });
});
