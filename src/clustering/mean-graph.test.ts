import { expect, test } from "vitest";
import { accuracy } from "../metrics/external.ts";
import { type Matrix, matrix } from "../numeric/matrix.ts";
import { Random } from "../numeric/random.ts";
import { graphClusters } from "./graph-clusters.ts";
import { meanGraph } from "./mean-graph.ts";
import { type NeighbourGraph, neighbourGraph } from "./neighbour-graph.ts";
import { nearestNeighbours } from "./neighbours.ts";

const count = 60;
const random = new Random(3, "views");
const view = (columns: number) =>
  matrix(
    Float32Array.from({ length: count * columns }, () => random.uniform()),
    columns,
  );
const graphOf = async (columns: number): Promise<NeighbourGraph> =>
  neighbourGraph(await nearestNeighbours(view(columns), { neighbours: 5, threads: 1 }));

/** Both in one matrix. */
const beside = (a: Matrix, b: Matrix): Matrix =>
  matrix(
    Float32Array.from({ length: a.values.length + b.values.length }, (_, place) => {
      const columns = a.columns + b.columns;
      const [row, column] = [Math.floor(place / columns), place % columns];
      return column < a.columns ? a.values[row * a.columns + column] : b.values[row * b.columns + column - a.columns];
    }),
    a.columns + b.columns,
  );

/** Every weight by its two ends. */
function table({ starts, others, weights }: NeighbourGraph): Map<string, number> {
  const links = new Map<string, number>();
  for (let node = 0; node < count; node++)
    for (let edge = starts[node]; edge < starts[node + 1]; edge++) {
      const name = `${node} ${others[edge]}`;
      expect(links.has(name), `${name} is listed once`).toBe(false);
      links.set(name, weights[edge]);
    }
  return links;
}

test("every link has the mean of its weights, 0 where a graph has none", async () => {
  const graphs = [await graphOf(2), await graphOf(3), await graphOf(4)];
  const mean = table(meanGraph(graphs));
  const each = graphs.map(table);
  expect(new Set(mean.keys())).toEqual(new Set(each.flatMap((links) => [...links.keys()])));
  for (const [name, weight] of mean)
    expect(weight).toBeCloseTo(each.reduce((sum, links) => sum + (links.get(name) ?? 0), 0) / 3, 6);
});

test("the nearest of each is the one with the strongest link, and the same graph three times is that graph", async () => {
  const graph = await graphOf(2);
  const mean = meanGraph([graph, graph, graph]);
  expect(mean.starts).toEqual(graph.starts);
  expect(mean.others).toEqual(graph.others);
  for (let node = 0; node < count; node++) {
    const weights = mean.weights.subarray(mean.starts[node], mean.starts[node + 1]);
    const place = mean.starts[node] + weights.indexOf(Math.max(...weights));
    expect(mean.nearest[node]).toBe(mean.others[place]);
  }
});

test("clusters are found of which no view tells all apart", async () => {
  const each = 30;
  const truth = Int32Array.from({ length: 4 * each }, (_, sample) => Math.floor(sample / each));
  const seen = (places: readonly number[]) =>
    matrix(
      Float32Array.from({ length: 2 * truth.length }, (_, value) => {
        const group = truth[Math.floor(value / 2)];
        return places[group] + random.uniform();
      }),
      2,
    );
  // One encoder takes the first two groups for the same, the other the last two.
  const views = [seen([0, 0, 3, 6]), seen([0, 3, 6, 6])] as const;
  const { labels } = await graphClusters(beside(...views), { k: 4, views, threads: 1 });
  expect(new Set(labels).size).toBe(4);
  expect(accuracy(truth, labels)).toBe(1);
});
