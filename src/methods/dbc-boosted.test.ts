/** What the boosted preset adds to the paper's DBC. */
import { describe, expect, test } from "vitest";
import { firstImages, labelsOf } from "../../test/datasets.ts";
import { shapeDataset } from "../../test/shapes.ts";
import { StoppingStore } from "../../test/stopping-store.ts";
import { openDataset } from "../data/open.ts";
import { accuracy, nmi } from "../metrics/external.ts";
import { type DbcOptions, dbcSettings, fitDbc } from "./dbc.ts";
import { fitKms } from "./kms.ts";

const shapes = shapeDataset(240);
const quick: DbcOptions = {
  k: 4,
  batch: 32,
  pretrainEpochs: 4,
  trials: 2,
  autoEncoders: 2,
  fineEpochs: 2,
  warmEpochs: 2,
  epochs: 8,
  repairs: 1,
  threads: 1,
};

test("2,000 digits come out far better than by k-means", async () => {
  const digits = firstImages(await openDataset("mnist-test"), 2000);
  const truth = labelsOf(digits);
  const kms = await fitKms(digits, { k: 10 });
  const boosted = await fitDbc(digits, { k: 10, pretrainEpochs: 10, epochs: 20 });
  expect(accuracy(truth, kms.assignments)).toBeLessThan(0.6);
  expect(accuracy(truth, boosted.assignments)).toBeGreaterThan(0.75);
  expect(nmi(truth, boosted.assignments)).toBeGreaterThan(0.75);
  digits.close();
}, 120_000);

test.each([2, 6, 9, 12, 15, 20])(
  "a run stopped after checkpoint %i goes on to the very same end",
  async (stopAfter) => {
    const whole = await fitDbc(shapes, quick);
    const store = new StoppingStore(undefined, stopAfter);
    await expect(fitDbc(shapes, { ...quick, checkpoints: store })).rejects.toThrow("stopped");
    const resumed = await fitDbc(shapes, { ...quick, checkpoints: new StoppingStore(store.last, -1) });
    expect(resumed.parameters).toEqual(whole.parameters);
    expect(resumed.assignments).toEqual(whole.assignments);
    expect(resumed.history).toEqual(whole.history);
  },
);

test("repairs never change the number of clusters", async () => {
  const fitted = await fitDbc(shapes, { ...quick, repairs: 3, warmEpochs: 2 });
  expect(fitted.k).toBe(4);
  expect(new Set(fitted.assignments).size).toBe(4);
  expect(fitted.scores.length).toBe(4 * shapes.count);
});

describe("settings", () => {
  test("of the paper's preset have nothing that the paper does not", () => {
    expect(dbcSettings(shapes, { k: 4, preset: "paper" })).toMatchObject({
      augmentation: "none",
      centres: "k-means",
      warmEpochs: 0,
      repairs: 0,
      trust: 0,
      finalRate: 1,
    });
  });

  test.each([
    [240, 4, { autoEncoders: 3, fineEpochs: 0 }],
    [240, 2, { fineEpochs: 13 }],
    [7200, 100, { autoEncoders: 2, fineEpochs: 13 }],
    [7200, 10, { fineEpochs: 13 }],
  ])("for %i images of %i clusters are %j", (count, k, expected) => {
    expect(dbcSettings({ ...shapes, count }, { k, epochs: 52 })).toMatchObject(expected);
  });

  test("that are given count before the preset's", () => {
    expect(dbcSettings(shapes, { k: 4, augmentation: "none", repairs: 2 })).toMatchObject({
      preset: "boosted",
      augmentation: "none",
      repairs: 2,
      centres: "graph",
    });
  });

  test.each([
    [{ preset: "best" }, 'there is no preset "best"'],
    [{ augmentation: "flip" }, 'there is no augmentation "flip"'],
    [{ centres: "random" }, 'there are no centres "random"'],
    [{ trust: 2 }, "trust must be from 0 to 1, not 2"],
    [{ finalRate: -1 }, "finalRate must be from 0 to 1, not -1"],
    [{ autoEncoders: 0 }, "autoEncoders must be a whole number from 1, not 0"],
    [{ repairs: 0.5 }, "repairs must be a whole number from 0, not 0.5"],
    [{ networkSide: 4 }, "networkSide must be a whole number from 8, not 4"],
  ])("%j is refused", (options, message) => {
    // As it comes from JavaScript, which no compiler has seen.
    const given: DbcOptions = JSON.parse(JSON.stringify({ k: 4, ...options }));
    expect(() => dbcSettings(shapes, given)).toThrow(message);
  });
});
