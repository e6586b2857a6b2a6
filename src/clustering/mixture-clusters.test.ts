import { expect, test } from "vitest";
import { type Blobs, blobs } from "../../test/blobs.ts";
import { principalComponents } from "../embedding/principal-components.ts";
import { accuracy } from "../metrics/external.ts";
import { type Matrix, matrix } from "../numeric/matrix.ts";
import { kMeansClusters } from "./clusters.ts";
import { graphClusters } from "./graph-clusters.ts";
import { agreedClusters, mixtureClusters } from "./mixture-clusters.ts";

const threads = 1;

/** As `mixtureClusters` takes them: by decreasing variance. */
async function componentsOf({ samples }: Blobs): Promise<Matrix> {
  const { projections } = await principalComponents(samples, { components: samples.columns, threads });
  return matrix(projections, samples.columns);
}

test("clusters that are apart are those of the neighbour graph", async () => {
  const apart = blobs({ groups: 4, count: 200, dimensions: 10, distance: 3 });
  const features = await componentsOf(apart);
  const options = { k: 4, threads };
  const found = await mixtureClusters(features, options);
  expect(found).toEqual(await graphClusters(features, options));
  expect(accuracy(apart.labels, found.labels)).toBe(1);
});

test("clusters that overlap, and are wider in some directions, are found better than by k-means", async () => {
  for (let seed = 0; seed < 3; seed++) {
    const overlapping = blobs({ groups: 5, count: 200, dimensions: 12, distance: 1, wide: 2, seed });
    const features = await componentsOf(overlapping);
    const options = { k: 5, seed, threads };
    const agreed = await mixtureClusters(features, options);
    const byDistance = await kMeansClusters(features, options);
    expect(accuracy(overlapping.labels, agreed.labels)).toBeGreaterThan(
      accuracy(overlapping.labels, byDistance.labels),
    );
  }
});

test("the same seed gives the same bits", async () => {
  const features = await componentsOf(blobs({ groups: 3, count: 90, dimensions: 8, distance: 1, wide: 2 }));
  const find = (seed: number) => mixtureClusters(features, { k: 3, seed, threads });
  expect(await find(4)).toEqual(await find(4));
});

test("of more samples than are compared with one another, each has a cluster", async () => {
  const many = blobs({ groups: 3, count: 2300, dimensions: 6, distance: 1.5 });
  const labels = await agreedClusters(many.samples, { k: 3, threads });
  expect(labels).toHaveLength(2300);
  expect(new Set(labels)).toEqual(new Set([0, 1, 2]));
  expect(accuracy(many.labels, labels)).toBeGreaterThan(0.9);
});

test("work that nobody waits for any more stops, also when it has begun", async () => {
  const { samples } = blobs({ groups: 3, count: 60, dimensions: 6, distance: 1 });
  const nobody = new AbortController();
  const work = agreedClusters(samples, { k: 3, signal: nobody.signal });
  setImmediate(() => nobody.abort());
  await expect(work).rejects.toThrow(/abort/i);
});

test("a sample that agrees on something unlikely does not outvote all samples", async () => {
  const many = blobs({ groups: 4, count: 2400, dimensions: 6, distance: 1.5 });
  const { labels } = await mixtureClusters(many.samples, { k: 4, threads });
  const byDistance = await kMeansClusters(many.samples, { k: 4, threads });
  expect(accuracy(many.labels, labels)).toBeGreaterThan(accuracy(many.labels, byDistance.labels) - 0.01);
});
