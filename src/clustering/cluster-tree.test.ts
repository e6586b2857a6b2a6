import { expect, test } from "vitest";
import { type Matrix, matrix } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { clusterLevel, coarsened, cutAtLevel, finestLevel } from "./cluster-tree.ts";
import { clusterTree } from "./grow-tree.ts";

/** Spots of 30 samples; two clusters of two spots each near one another, and a third far away, of three. */
const spots = [
  [0, 0],
  [0, 6],
  [12, 0],
  [12, 6],
  [90, 0],
  [90, 6],
  [90, 20],
] as const;
const clusterOfSpot = [0, 0, 1, 1, 2, 2, 2];
const each = 30;

function spotted(): { features: Matrix; spot: number[]; assignments: Int32Array } {
  const random = new Random(3, "spots");
  const spot = Array.from({ length: spots.length * each }, (_, row) => row % spots.length);
  const values = spot.flatMap((index) => spots[index].map((place) => place + random.uniform()));
  const assignments = Int32Array.from(spot, (index) => clusterOfSpot[index]);
  return { features: matrix(Float32Array.from(values), 2), spot, assignments };
}

const { features, spot, assignments } = spotted();
const grown = clusterTree(features, assignments, { k: 3, threads: 1 });

/** The names of the groups that images of each spot are in. */
async function namesOfSpots(level: number): Promise<string[]> {
  const { names, groups } = cutAtLevel(await grown, level);
  return spots.map((_, index) => {
    const found = new Set(spot.flatMap((one, row) => (one === index ? [names[groups[row]]] : [])));
    return [...found].join();
  });
}

test("the level of the clusters has exactly the clusters, under their numbers", async () => {
  const tree = await grown;
  expect(clusterLevel(tree)).toBe(3);
  const { names, groups } = cutAtLevel(tree, 3);
  expect(names).toEqual(["0", "1", "2"]);
  expect(groups).toEqual(assignments);
});

test("finer levels are the parts of each cluster, and show in their names what they are part of", async () => {
  const names = await namesOfSpots(7);
  expect(new Set(names).size).toBe(7);
  names.forEach((name, index) => {
    expect(name).toMatch(new RegExp(`^${clusterOfSpot[index]}\\.[123]$`));
  });
  expect([...names].sort()).toEqual(["0.1", "0.2", "1.1", "1.2", "2.1", "2.2", "2.3"]);
});

test("coarser levels merge whole clusters, the nearest first", async () => {
  expect(await namesOfSpots(2)).toEqual(["0+1", "0+1", "0+1", "0+1", "2", "2", "2"]);
  expect(new Set(await namesOfSpots(1))).toEqual(new Set(["0+1+2"]));
});

test("each level splits one group of the level before, and the others keep their names", async () => {
  const tree = await grown;
  for (let level = 2; level <= finestLevel(tree); level++) {
    const [coarse, fine] = [cutAtLevel(tree, level - 1), cutAtLevel(tree, level)];
    expect(fine.names).toHaveLength(level);
    expect(new Set(fine.groups).size).toBe(level);
    const kept = coarse.names.filter((name) => fine.names.includes(name));
    expect(kept.length).toBeGreaterThanOrEqual(level - 2);
    const pairs = new Set(Array.from(fine.groups, (group, row) => `${group} in ${coarse.groups[row]}`));
    expect(pairs.size).toBe(level);
  }
});

test("a tree without its finest levels has the same groups at all others", async () => {
  const tree = await grown;
  const short = coarsened(tree, 6);
  expect(finestLevel(short)).toBe(6);
  for (let level = 1; level <= 6; level++) expect(cutAtLevel(short, level)).toEqual(cutAtLevel(tree, level));
});

test("no group is smaller than three images, but for clusters that are", async () => {
  const few = Int32Array.from({ length: 210 }, (_, row) => (row < 2 ? 1 : 0));
  const tree = await clusterTree(features, few, { k: 4, finest: 200, threads: 1 });
  const sizes = cutAtLevel(tree, finestLevel(tree)).names.map(
    (_, group) => cutAtLevel(tree, finestLevel(tree)).groups.filter((one) => one === group).length,
  );
  expect(sizes.filter((size) => size < 3)).toEqual([2]);
  expect(cutAtLevel(tree, 2).names).toEqual(["0", "1"]);
});

test("the finest level has as many groups as asked for at most; the same features give the same tree", async () => {
  const tree = await clusterTree(features, assignments, { k: 3, finest: 5, threads: 1 });
  expect(finestLevel(tree)).toBe(5);
  expect(await clusterTree(features, assignments, { k: 3, finest: 5, threads: 1 })).toEqual(tree);
});

test("names of very many clusters stay short", async () => {
  const own = Int32Array.from({ length: 210 }, (_, row) => row % 21);
  const tree = await clusterTree(features, own, { k: 21, threads: 1 });
  expect(cutAtLevel(tree, 1).names).toEqual(["0+1+2+3+4+5+6+7+13-more"]);
});

test("a level that the tree does not have is refused", async () => {
  const tree = await grown;
  for (const level of [0, 2.5, finestLevel(tree) + 1])
    expect(() => cutAtLevel(tree, level)).toThrow(`level must be a whole number from 1 to ${finestLevel(tree)}`);
});
