import { expect, test } from "vitest";
import { Random } from "../numeric/random.ts";
import { CoAssociation } from "./co-association.ts";

const random = new Random(5, "clusterings");

/** Soft clusterings at random [rows, k]: no two affinities are alike. */
function responsibilitiesAtRandom(rows: number, k: number): Float32Array {
  const values = Float32Array.from({ length: rows * k }, () => random.uniform() ** 3);
  return values.map((value, place) => {
    const start = place - (place % k);
    return value / values.subarray(start, start + k).reduce((sum, one) => sum + one, 0);
  });
}

interface NaiveJoin {
  readonly into: number;
  readonly from: number;
  readonly affinity: number;
}

/** Average linkage by its definition: of all pairs of groups, the one with the highest mean over its samples' pairs. */
function naiveLinkage(affinity: (a: number, b: number) => number, rows: number): NaiveJoin[] {
  let groups = Array.from({ length: rows }, (_, row) => [row]);
  const mean = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, one) => sum + b.reduce((inner, other) => inner + affinity(one, other), 0), 0) /
    (a.length * b.length);
  return Array.from({ length: rows - 1 }, () => {
    const pairs = groups.flatMap((a, place) => groups.slice(place + 1).map((b) => ({ a, b, affinity: mean(a, b) })));
    const { a, b, affinity: strongest } = pairs.reduce((best, one) => (one.affinity > best.affinity ? one : best));
    const [first, second] = [a, b].map((group) => Math.min(...group));
    groups = [...groups.filter((group) => group !== a && group !== b), [...a, ...b]];
    return { into: Math.min(first, second), from: Math.max(first, second), affinity: strongest };
  });
}

test("joins are those of average linkage by its definition", () => {
  const [rows, k] = [40, 3];
  const agreement = new CoAssociation(rows);
  const all = Array.from({ length: 7 }, () => responsibilitiesAtRandom(rows, k));
  for (const responsibilities of all) agreement.add(responsibilities, k);
  const together = (values: Float32Array, a: number, b: number): number =>
    values.subarray(a * k, a * k + k).reduce((sum, value, j) => sum + value * values[b * k + j], 0);
  const affinity = (a: number, b: number): number =>
    all.reduce((sum, values) => sum + together(values, a, b), 0) / all.length;
  const { joins, groupCount } = agreement.linkage();
  expect(groupCount).toBe(rows);
  const expected = naiveLinkage(affinity, rows);
  expect(joins.map(({ into, from }) => [into, from])).toEqual(expected.map(({ into, from }) => [into, from]));
  joins.forEach((join, place) => {
    expect(join.affinity).toBeCloseTo(expected[place].affinity, 2);
  });
});

/** Responsibilities of 0 and 1. */
const certain = (labels: readonly number[], k: number): Float32Array =>
  Float32Array.from({ length: labels.length * k }, (_, place) => (labels[Math.floor(place / k)] === place % k ? 1 : 0));

test("samples that were always together join first, and all become one group in the end", () => {
  const agreement = new CoAssociation(6);
  for (const labels of [
    [0, 0, 1, 1, 2, 2],
    [0, 0, 1, 1, 1, 0],
  ])
    agreement.add(certain(labels, 3), 3);
  const { joins } = agreement.linkage();
  expect(joins).toHaveLength(5);
  expect(joins.slice(0, 2).map(({ into, from, affinity }) => [into, from, affinity])).toEqual([
    [0, 1, 1],
    [2, 3, 1],
  ]);
  expect(new Set([0, ...joins.map(({ from }) => from)]).size).toBe(6);
});
