import { expect, test } from "vitest";
import { common, dataset as shapes } from "../../../test/method-subjects.ts";
import { alone, type Collective } from "../../engine/ranks/collective.ts";
import type { Dataset } from "../../images/dataset.ts";
import { fitDbc } from "../dbc/dbc.ts";
import { methods } from "../methods.ts";
import { shuffledBatches } from "./batches.ts";
import { ownImages, ownParts, partSize, sharesOf } from "./parts.ts";

const rankOf = (rank: number, size: number): Collective => ({ ...alone, rank, size });

test("every image is in one share, shares are of one size, and have some of each class however images are sorted", () => {
  const count = 1003;
  const shares = sharesOf(count, 4);
  expect(shares.map(({ length }) => length)).toEqual([251, 251, 251, 250]);
  expect(new Set(shares.flatMap((images) => [...images])).size).toBe(count);
  // Ten classes one after another, and ten that take turns.
  for (const images of shares)
    for (const classOf of [(image: number) => Math.floor(image / 101), (image: number) => image % 10]) {
      const sizes = new Map<number, number>();
      for (const image of images) sizes.set(classOf(image), (sizes.get(classOf(image)) ?? 0) + 1);
      expect(sizes.size).toBe(10);
      expect(Math.min(...sizes.values())).toBeGreaterThan(10);
    }
});

test("the shares of a rank's parts are the share of the rank, so that parts can be more than ranks", () => {
  const collective = rankOf(1, 3);
  const parts = ownParts({ parts: 6, collective });
  expect(parts).toEqual([
    { number: 1, of: 6 },
    { number: 4, of: 6 },
  ]);
  const shares = sharesOf(100, 6);
  const images = parts.flatMap(({ number }) => [...shares[number]]).sort((a, b) => a - b);
  expect(images).toEqual([...sharesOf(100, 3)[1]]);
  expect(images.every(ownImages(100, collective))).toBe(true);
});

test("the mini-batches of an epoch see each image once, part by part, in another order each epoch", () => {
  const of = 3;
  const epochs = [1, 2].map((epoch) =>
    Array.from({ length: of }, (_, number) => {
      const order = { seed: 0, use: "test", epoch, part: { number, of } };
      return [...shuffledBatches(90, 10, order)].flatMap((batch) => [...batch]);
    }),
  );
  for (const parts of epochs) {
    expect(parts.map(({ length }) => length)).toEqual([30, 30, 30]);
    expect(new Set(parts.flat()).size).toBe(90);
  }
  expect(epochs[0]).not.toEqual(epochs[1]);
});

test("parts are of one size, and never a single image, which has no statistics", () => {
  expect(partSize(256, {})).toBe(256);
  expect(partSize(256, { parts: 4 })).toBe(64);
  expect(partSize(10, { collective: rankOf(0, 4) })).toBe(3);
  expect(partSize(4, { parts: 8 })).toBe(2);
});

test("a rank reads the images of its share, and no others", async () => {
  const read = new Set<number>();
  const watched: Dataset = {
    ...shapes,
    read: (indices, target) => {
      for (const image of Array.from(indices)) read.add(image);
      shapes.read(indices, target);
    },
  };
  // The other rank has what this one has, which is as good for what is read.
  const collective: Collective = { ...rankOf(0, 2), gather: (own) => [own, own] };
  const brief = { pretrainEpochs: 1, epochs: 1, batch: 16, batches: 2, overClusteringEpochs: 1 };
  await methods.dbc.fit(watched, { ...common, ...brief, collective });
  expect([...read].sort((a, b) => a - b)).toEqual([...sharesOf(shapes.count, 2)[0]]);
});

test("work that cannot be divided is refused in one line", () => {
  const settings = (options: object) => () => methods["fcae-kms"].settings(shapes, { ...common, ...options });
  expect(settings({ parts: 0 })).toThrow("parts must be a whole number from 1, not 0");
  expect(settings({ parts: 3, collective: rankOf(0, 2) })).toThrow(
    "parts must be a multiple of the number of ranks, 2, not 3",
  );
  expect(settings({ parts: 100 })).toThrow("shapes: 160 images are too few for 100 parts, which take 2 each");
  expect(settings({ collective: rankOf(0, 100) })).toThrow("160 images are too few for 100 parts");
});

test("a run says how many parts there were, and nothing where there was one", () => {
  expect(methods.dbc.settings(shapes, { ...common, collective: rankOf(0, 2) })).toHaveProperty("parts", 2);
  expect(JSON.stringify(methods.dbc.settings(shapes, common))).not.toContain("parts");
});

test.each(["dcn", "den", "iec"] as const)("%s cannot share its work, and says so", (name) => {
  const settings = (options: object) => () => methods[name].settings(shapes, { ...common, ...options });
  expect(settings({ collective: rankOf(1, 2) })).toThrow(
    new RegExp(`^method "${name}" runs in one process and in one part, as .*; start it without mpirun$`),
  );
  expect(settings({ parts: 2 })).toThrow(/; leave out parts$/);
  expect(settings({})).not.toThrow();
});

test("what people have said is learned in parts as well", async () => {
  const known = new Int32Array(shapes.count).fill(-1);
  for (let image = 0; image < 12; image++) known[image] = image % 4;
  const constraints = { known, together: [], apart: [] };
  const schedule = { k: 4, batch: 32, pretrainEpochs: 1, overClusteringEpochs: 0, epochs: 1, autoEncoders: 1 };
  const { assignments } = await fitDbc(shapes, { ...schedule, threads: 1, parts: 2, constraints });
  expect(assignments).toHaveLength(shapes.count);
});
