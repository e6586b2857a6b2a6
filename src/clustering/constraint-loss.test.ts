import { expect, test } from "vitest";
import { evaluate, randomValues, relativeError } from "../../test/evaluate.ts";
import { gradients } from "../graph/gradients.ts";
import { input, type Tensor } from "../graph/tensor.ts";
import { Random } from "../numeric/random.ts";
import { apartLoss, knownLoss, togetherLoss } from "./constraint-loss.ts";
import { softScores } from "./soft-assignment.ts";

const [pairs, d, k] = [4, 3, 5];
const [a, b, centres] = [input("a", [pairs, d]), input("b", [pairs, d]), input("centres", [k, d])];
const [scoresA, scoresB] = [softScores(a, centres), softScores(b, centres)];
const random = new Random(3, "constraints");
const feeds = {
  a: randomValues(random, pairs * d),
  b: randomValues(random, pairs * d),
  centres: randomValues(random, k * d),
  known: Float32Array.from({ length: pairs * k }, (_, index) => Number(index % k === Math.floor(index / k))),
};

const losses: Readonly<Record<string, Tensor>> = {
  known: knownLoss(scoresA, input("known", [pairs, k])),
  together: togetherLoss(scoresA, scoresB),
  apart: apartLoss(scoresA, scoresB),
};

test.each(Object.entries(losses))("gradients of %s agree with difference quotients", async (_, loss) => {
  for (const name of ["a", "centres"] as const) {
    const [gradient] = gradients(loss, [name === "a" ? a : centres]);
    const { exact } = await evaluate({ exact: gradient }, feeds);
    const step = 1e-2;
    const at = async (index: number, change: number): Promise<number> => {
      const moved = feeds[name].slice();
      moved[index] += change;
      return (await evaluate({ loss }, { ...feeds, [name]: moved })).loss[0];
    };
    const quotients: number[] = [];
    for (let index = 0; index < feeds[name].length; index++)
      quotients.push(((await at(index, step)) - (await at(index, -step))) / (2 * step));
    expect(relativeError(exact, quotients), name).toBeLessThan(5e-3);
  }
});

/** Two centres on a line, and images on it. */
async function pull(loss: (first: Tensor, second: Tensor) => Tensor, placeA: number, placeB: number): Promise<number> {
  const [x, y, mu] = [input("x", [1, 1]), input("y", [1, 1]), input("mu", [2, 1])];
  const total = loss(softScores(x, mu), softScores(y, mu));
  const [gradient] = gradients(total, [x]);
  const results = await evaluate(
    { gradient },
    { x: Float32Array.of(placeA), y: Float32Array.of(placeB), mu: Float32Array.of(-3, 3) },
  );
  return -results.gradient[0];
}

test("a constraint that holds pulls less than one that is broken, and each pulls the right way", async () => {
  // The second image is at the right centre; the first, at the left one or with it.
  const [broken, held] = [await pull(togetherLoss, -2, 3), await pull(togetherLoss, 2.5, 3)];
  expect(broken).toBeGreaterThan(0);
  expect(Math.abs(held)).toBeLessThan(broken / 2);
  const [together, apart] = [await pull(apartLoss, 2, 3), await pull(apartLoss, -2.5, 3)];
  expect(together).toBeLessThan(0);
  expect(Math.abs(apart)).toBeLessThan(-together / 2);
});

test("an answer that everything speaks against does not pull without end", async () => {
  const scores = input("scores", [1, 2]);
  const [gradient] = gradients(knownLoss(scores, input("target", [1, 2])), [scores]);
  const results = await evaluate({ gradient }, { scores: Float32Array.of(0, 1), target: Float32Array.of(1, 0) });
  expect(results.gradient.every(Number.isFinite)).toBe(true);
  expect(results.gradient[0]).toBeLessThan(0);
});
