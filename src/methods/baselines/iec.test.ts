import { expect, test } from "vitest";
import { momentsOf, rowsOf } from "../../../test/plain-matrices.ts";
import { shapeDataset } from "../../../test/shapes.ts";
import { kMeans } from "../../clustering/k-means.ts";
import { type Ensemble, isEnsemble } from "../../network/ensemble.ts";
import { Predictor } from "../../network/predictor.ts";
import { matrix } from "../../numeric/matrix.ts";
import { Random } from "../../numeric/random.ts";
import { coOccurrences, fitIec } from "./iec.ts";

const threads = 1;

/** The rows of B: a 1 for each cluster that an image is in. */
function membershipRows(labels: Int32Array, partitions: number, d: number): number[][] {
  const images = labels.length / partitions;
  return Array.from({ length: images }, (_, image) => {
    const own = Array.from({ length: partitions }, (_, p) => labels[p * images + image]);
    return Array.from({ length: d }, (_, cluster) => (own.includes(cluster) ? 1 : 0));
  });
}

async function featuresOf(ensemble: Ensemble, parameters: Float32Array, images: Float32Array): Promise<Float32Array> {
  const predictor = await Predictor.open(ensemble, { parameters, statistics: new Float32Array(0) }, { threads });
  const { features } = await predictor.predict(images);
  await predictor.close();
  return features;
}

test("co-occurrences are BᵀB", () => {
  const sizes = [2, 3, 4];
  const random = new Random(1);
  const before = (p: number) => sizes.slice(0, p).reduce((a, b) => a + b, 0);
  const labels = Int32Array.from({ length: 3 * 20 }, (_, index) => {
    const p = Math.floor(index / 20);
    return before(p) + random.integer(sizes[p]);
  });
  expect(rowsOf(coOccurrences(labels, 3, 9), 9)).toEqual(momentsOf(membershipRows(labels, 3, 9)));
});

test("the encoder finds the memberships that k-means gave", async () => {
  // Without groups, and bright to different degrees: many lie between centres of different norms.
  const image = { channels: 1, height: 6, width: 5 };
  const random = new Random(4);
  const images = Float32Array.from(
    Array.from({ length: 100 }, () => random.uniform()).flatMap((brightness) =>
      Array.from({ length: 30 }, () => brightness * random.uniform()),
    ),
  );
  const sizes = [3, 7];
  const found = [];
  for (const k of sizes) found.push(await kMeans(matrix(images, 30), { k, restarts: 1, threads }));
  const identity = Float32Array.from({ length: 100 }, (_, index) => (index % 11 === 0 ? 1 : 0));
  const parameters = Float32Array.of(...found.flatMap(({ centres }) => [...centres]), ...identity);
  const ensemble = { name: "two partitions", image, reduction: 1, partitions: sizes };
  const labels = Int32Array.of(...found[0].labels, ...found[1].labels.map((label) => sizes[0] + label));
  expect([...(await featuresOf(ensemble, parameters, images))]).toEqual(membershipRows(labels, 2, 10).flat());
});

test("large images are averaged down first, square by square; what fills no square is left out", async () => {
  const image = { channels: 2, height: 5, width: 4 };
  const ensemble = { name: "reduced", image, reduction: 2, partitions: [] };
  const first = [
    [0, 2, 10, 10],
    [4, 6, 20, 20],
    [1, 1, 0, 0],
    [1, 1, 0, 8],
    [99, 99, 99, 99],
  ].flat();
  const images = Float32Array.of(...first, ...first.map((value) => -value));
  expect([...(await featuresOf(ensemble, new Float32Array(0), images))]).toEqual([3, 15, 1, 2, -3, -15, -1, -2]);
});

test("each partition has from k to 2k clusters, by the seed", async () => {
  const partitionsOf = async (seed: number): Promise<readonly number[]> => {
    const options = { k: 4, partitions: 20, layers: 1, restarts: 1, seed, threads };
    const { architecture } = await fitIec(shapeDataset(40), options);
    return isEnsemble(architecture) ? architecture.partitions : [];
  };
  const partitions = await partitionsOf(0);
  expect([...new Set(partitions)].sort()).toEqual([4, 5, 6, 7, 8]);
  expect(await partitionsOf(1)).not.toEqual(partitions);
});
