import { describe, expect, test } from "vitest";
import { readOracle } from "../../test/oracles.ts";
import { Random } from "../numeric/random.ts";
import {
  accuracy,
  ari,
  completeness,
  confusionMatrix,
  evaluateClustering,
  homogeneity,
  nmi,
  nmiArithmetic,
  optimalMap,
  purity,
} from "./external.ts";

const randomLabels = (random: Random, length: number, labels: number): number[] =>
  Array.from({ length }, () => random.integer(labels));

/** The most items that any one-to-one map of labels below `clusters` to labels below `classes` gets right. */
function bestByBruteForce(truth: number[], predicted: number[], classes: number, clusters: number): number {
  const most = (cluster: number, free: ReadonlySet<number>): number => {
    if (cluster === clusters) return 0;
    const unmapped = most(cluster + 1, free);
    const mapped = [...free].map((label) => {
      const hits = truth.filter((value, item) => value === label && predicted[item] === cluster).length;
      return hits + most(cluster + 1, new Set([...free].filter((other) => other !== label)));
    });
    return Math.max(unmapped, ...mapped);
  };
  return most(0, new Set(Array.from({ length: classes }, (_, label) => label)));
}

test("all metrics agree with scikit-learn", () => {
  const { cases } = readOracle("metrics");
  expect(cases).toHaveLength(7);
  for (const { truth, predicted, nmiMax, ...others } of cases) {
    const expected: Record<string, number> = { ...others, nmi: nmiMax };
    const actual: Record<string, number> = { ...evaluateClustering(truth, predicted) };
    expect(Object.keys(actual).sort()).toEqual(Object.keys(expected).sort());
    for (const [name, value] of Object.entries(expected))
      expect(Math.abs(actual[name] - value), name).toBeLessThan(1e-9);
  }
});

test("each function agrees with evaluateClustering", () => {
  const random = new Random(1);
  const [truth, predicted] = [randomLabels(random, 200, 5), randomLabels(random, 200, 7)];
  expect(evaluateClustering(truth, predicted)).toEqual({
    acc: accuracy(truth, predicted),
    nmi: nmi(truth, predicted),
    nmiArithmetic: nmiArithmetic(truth, predicted),
    ari: ari(truth, predicted),
    homogeneity: homogeneity(truth, predicted),
    completeness: completeness(truth, predicted),
    purity: purity(truth, predicted),
  });
});

test("accuracy is that of the best of all maps, also where classes and clusters differ in number", () => {
  const random = new Random(2);
  for (let round = 0; round < 300; round++) {
    const classes = 1 + random.integer(5);
    const clusters = 1 + random.integer(5);
    const truth = randomLabels(random, 1 + random.integer(40), classes);
    const predicted = randomLabels(random, truth.length, clusters);
    const best = bestByBruteForce(truth, predicted, classes, clusters);
    expect(accuracy(truth, predicted)).toBe(best / truth.length);
  }
});

test("the map is one-to-one, and accuracy and the diagonal count the items it maps correctly", () => {
  const random = new Random(3);
  for (const [classes, clusters] of [
    [4, 4],
    [3, 6],
    [6, 3],
    [100, 100],
  ]) {
    const truth = randomLabels(random, 2000, classes).map((label) => 3 * label + 1);
    const predicted = truth.map((label) =>
      random.uniform() < 0.5 ? (label * 7) % clusters : random.integer(clusters),
    );
    const map = optimalMap(truth, predicted);
    expect(map.size).toBe(Math.min(classes, clusters));
    expect(new Set(map.values()).size).toBe(map.size);
    const hits = truth.filter((label, item) => map.get(predicted[item]) === label).length;
    expect(accuracy(truth, predicted)).toBe(hits / truth.length);

    const matrix = confusionMatrix(truth, predicted);
    expect(matrix.classes).toEqual([...new Set(truth)].sort((a, b) => a - b));
    expect(matrix.counts.reduce((sum, row, index) => sum + row[index], 0)).toBe(hits);
    expect(matrix.counts.flat().reduce((sum, count) => sum + count, 0)).toBe(truth.length);
    matrix.clusters.forEach((cluster, column) => {
      const inClass = (label: number) => truth.filter((t, item) => t === label && predicted[item] === cluster).length;
      expect(matrix.counts.map((row) => row[column])).toEqual(matrix.classes.map(inClass));
    });
  }
});

test("a class without a cluster has an empty column, a cluster without a class comes last", () => {
  expect(confusionMatrix([0, 0, 1, 1, 2], [8, 8, 8, 9, 9])).toEqual({
    classes: [0, 1, 2],
    clusters: [8, 9, undefined],
    counts: [
      [2, 0, 0],
      [1, 1, 0],
      [0, 1, 0],
    ],
  });
  expect(confusionMatrix([4, 4, 4, 5], [7, 6, 6, 0])).toEqual({
    classes: [4, 5],
    clusters: [6, 0, 7],
    counts: [
      [2, 0, 1],
      [0, 1, 0],
    ],
  });
});

test("renaming the clusters changes nothing, even with large numbers or in typed arrays", () => {
  const random = new Random(4);
  const truth = randomLabels(random, 500, 8);
  const predicted = truth.map((label) => (random.uniform() < 0.6 ? label : random.integer(8)));
  const names = random.permutation(8);
  const expected: Record<string, number> = { ...evaluateClustering(truth, predicted) };
  const renamed = evaluateClustering(
    Uint8Array.from(truth),
    predicted.map((cluster) => names[cluster] * 1e9 + 3),
  );
  for (const [name, value] of Object.entries(renamed)) expect(value, name).toBeCloseTo(expected[name], 12);
});

test("a permutation of the classes is perfect", () => {
  const random = new Random(5);
  const truth = randomLabels(random, 3000, 100);
  const names = random.permutation(100);
  const perfect = evaluateClustering(
    truth,
    truth.map((label) => names[label]),
  );
  expect(perfect.acc).toBe(1);
  for (const value of Object.values(perfect)) expect(value).toBeCloseTo(1, 12);
});

describe("degenerate cases are as in scikit-learn", () => {
  const all = (value: number) => ({
    acc: value,
    nmi: value,
    nmiArithmetic: value,
    ari: value,
    homogeneity: value,
    completeness: value,
    purity: value,
  });

  test("one class in one cluster, or a single item", () => {
    expect(evaluateClustering([3, 3, 3], [0, 0, 0])).toEqual(all(1));
    expect(evaluateClustering([0], [5])).toEqual(all(1));
  });

  test("every item in a cluster and a class of its own", () => {
    expect(evaluateClustering([0, 1, 2, 3], [3, 1, 2, 0])).toEqual(all(1));
  });

  test("two classes in one cluster", () => {
    expect(evaluateClustering([0, 0, 1, 1], [0, 0, 0, 0])).toEqual({
      ...all(0),
      acc: 0.5,
      completeness: 1,
      purity: 0.5,
    });
  });

  test("one class in two clusters", () => {
    expect(evaluateClustering([0, 0, 0, 0], [0, 0, 1, 1])).toEqual({ ...all(0), acc: 0.5, homogeneity: 1, purity: 1 });
  });

  test("independent labels share no information; ARI may be negative", () => {
    expect(evaluateClustering([0, 0, 1, 1], [0, 1, 0, 1])).toEqual({ ...all(0), acc: 0.5, ari: -0.5, purity: 0.5 });
  });
});

test("bad labels are refused in one line", () => {
  expect(() => accuracy([], [])).toThrow("true labels: there are no labels");
  expect(() => nmi([0, 1], [0])).toThrow("2 true labels and 1 predicted ones: give both for each item");
  expect(() => ari([0, -1], [0, 0])).toThrow("true labels: the label of item 1 must be a whole number from 0, not -1");
  expect(() => purity([0, 1], [0, 0.5])).toThrow("predicted labels: the label of item 1 must be a whole number");
  const everyone = Uint32Array.from({ length: 9000 }, (_, item) => item);
  expect(() => accuracy(everyone, everyone)).toThrow("9000 classes and 9000 clusters are too many to compare");
});
