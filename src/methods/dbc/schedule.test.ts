import { expect, test } from "vitest";
import type { Images } from "../../images/dataset.ts";
import { drawnImages, shuffledBatches } from "../training/batches.ts";
import { DrawnImages, longestEpoch } from "../training/drawn-images.ts";
import { dbcSettings } from "./options.ts";

/** So many grey images, which nobody may read. */
const images = (count: number, side = 28): Images => ({
  name: "none",
  count,
  image: { channels: 1, height: side, width: side },
  origin: { source: "none" },
  skipped: [],
  fingerprint: "none",
  itemName: String,
  read: () => {
    throw new Error("settings read no images");
  },
  close: () => {},
});

const settingsOf = (count: number, preset: "paper" | "boosted" = "boosted", k = 10) =>
  dbcSettings(images(count), { k, preset });

test("up to 70,000 images an epoch sees each of them, and schedules are what they were", () => {
  for (const count of [300, 5000, 70_000]) {
    const { batch, batches, pretrainBatches } = settingsOf(count);
    expect(pretrainBatches).toBe(Math.ceil(count / batch));
    expect(batches).toBe(Math.max(20, Math.ceil(count / batch)));
  }
  const { pretrainEpochs, overClusteringEpochs, epochs, warmUpEpochs, unaugmentedEpochs } = settingsOf(70_000);
  expect([pretrainEpochs, overClusteringEpochs, epochs, warmUpEpochs, unaugmentedEpochs]).toEqual([10, 3, 12, 8, 4]);
});

test("of more images, steps stay as many; the paper's epochs are passes all the same", () => {
  const stepsOf = (count: number): number[] => {
    const { pretrainEpochs, pretrainBatches, overClusteringEpochs, epochs, batches } = settingsOf(count);
    return [pretrainEpochs * pretrainBatches, overClusteringEpochs * batches, epochs * batches];
  };
  expect(stepsOf(1_000_000)).toEqual(stepsOf(70_000));
  expect(stepsOf(100_000_000)).toEqual(stepsOf(70_000));
  const { batch, batches, pretrainBatches } = settingsOf(1_000_000, "paper");
  expect([batches, pretrainBatches]).toEqual(new Array(2).fill(Math.ceil(1_000_000 / batch)));
});

test("small clusters have two auto-encoders, however many images there are, and over-clustering always takes place", () => {
  const autoEncodersOf = (count: number, k: number): number => settingsOf(count, "boosted", k).autoEncoders;
  expect([autoEncodersOf(60, 4), autoEncodersOf(1440, 20), autoEncodersOf(72_000, 1000)]).toEqual([2, 2, 2]);
  expect([autoEncodersOf(1000, 10), autoEncodersOf(7000, 70), autoEncodersOf(70_000, 10)]).toEqual([1, 1, 1]);
  for (const count of [60, 1440, 70_000]) expect(settingsOf(count).overClusteringEpochs).toBeGreaterThan(0);
});

test("the images that an epoch is said to draw are those of its mini-batches", () => {
  const options = { seed: 1, use: "test", epoch: 3, batches: 7 };
  const seen = new Set([...shuffledBatches(1000, 32, options)].flatMap((batch) => [...batch]));
  expect([...(drawnImages(1000, 32, options) ?? [])]).toEqual([...seen].sort((a, b) => a - b));
  expect(drawnImages(1000, 32, { ...options, batches: 32 })).toBeUndefined();
});

test("what is known of drawn images goes to their places and comes back from them", () => {
  const drawn = new DrawnImages(6, Uint32Array.of(1, 4, 5));
  const all = drawn.merge(undefined, Int32Array.of(7, 8, 9));
  expect([...all]).toEqual([-1, 7, -1, -1, 8, 9]);
  expect([...drawn.select(all)]).toEqual([7, 8, 9]);
  const rows = Float32Array.of(10, 11, 40, 41, 50, 51);
  expect([...drawn.gather(rows, 2, Uint32Array.of(5, 1), new Float32Array(4))]).toEqual([50, 51, 10, 11]);
  expect(longestEpoch).toBe(70_000);
});
