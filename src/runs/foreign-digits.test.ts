/** Which images belong nowhere, on real digits. */
import { beforeAll, expect, test } from "vitest";
import type { Images } from "../images/dataset.ts";
import { pixelCount } from "../images/image.ts";
import { openDataset } from "../images/sources/open.ts";
import { fitKms } from "../methods/baselines/kms.ts";
import { Random } from "../numeric/random.ts";
import { structureOf } from "./structure.ts";

const count = 1000;
const foreign = 50;
let digits: Images;

beforeAll(async () => {
  digits = await openDataset("mnist-test", { labels: "none" });
});

/** The first digits, of which the last `foreign` are changed. */
function planted(change: (pixels: Float32Array) => void): Images {
  const pixels = pixelCount(digits.image);
  return {
    ...digits,
    count,
    read(indices, target) {
      digits.read(indices, target);
      for (let place = 0; place < indices.length; place++)
        if (indices[place] >= count - foreign) change(target.subarray(place * pixels, (place + 1) * pixels));
    },
  };
}

async function putAside(images: Images): Promise<number[]> {
  const fitted = await fitKms(images, { k: 10, restarts: 1, threads: 1 });
  const { belonging } = await structureOf(fitted, images, { threads: 1 });
  return Array.from(belonging?.none.keys() ?? []).filter((image) => belonging?.none[image] === 1);
}

const planting = Array.from({ length: foreign }, (_, index) => count - foreign + index);

test("nothing is taken out of digits", async () => {
  expect(await putAside(planted(() => {}))).toEqual([]);
});

test("inverted digits among digits are found, all of them and nothing else", async () => {
  const invert = (pixels: Float32Array) => pixels.set(pixels.map((value) => 1 - value));
  expect(await putAside(planted(invert))).toEqual(planting);
});

test("so is noise", async () => {
  const noise = (pixels: Float32Array) => {
    const random = new Random(Math.round(1000 * pixels.reduce((a, b) => a + b)), "noise");
    for (let pixel = 0; pixel < pixels.length; pixel++) pixels[pixel] = random.uniform();
  };
  expect(await putAside(planted(noise))).toEqual(planting);
});
