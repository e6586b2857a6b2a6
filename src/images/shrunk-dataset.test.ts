import { expect, it } from "vitest";
import type { Dataset } from "./dataset.ts";
import { shrinkFactor, shrunkDataset } from "./shrunk-dataset.ts";

const image = { channels: 2, height: 4, width: 6 };

/** Each pixel of image i is i plus its index. */
const dataset: Dataset = {
  name: "places",
  count: 3,
  image,
  labels: undefined,
  origin: { source: "places" },
  skipped: [],
  fingerprint: "",
  itemName: String,
  read: (indices, target) => {
    for (let row = 0; row < indices.length; row++)
      for (let place = 0; place < 48; place++) target[row * 48 + place] = indices[row] + place;
  },
  close: () => {},
};

it("gives the mean of each square, channel by channel, on every read", () => {
  const shrunk = shrunkDataset(dataset, 2);
  expect(shrunk.image).toEqual({ channels: 2, height: 2, width: 3 });
  const corners = [0, 2, 4, 12, 14, 16, 24, 26, 28, 36, 38, 40];
  const means = (index: number): number[] => corners.map((corner) => index + corner + (0 + 1 + 6 + 7) / 4);
  for (let time = 0; time < 2; time++) {
    const target = new Float32Array(24);
    shrunk.read([2, 0], target);
    expect([...target]).toEqual([...means(2), ...means(0)]);
  }
});

it("chooses a whole factor that divides both sides and leaves both long enough", () => {
  expect(shrinkFactor({ channels: 1, height: 128, width: 128 }, 32)).toBe(4);
  expect(shrinkFactor({ channels: 1, height: 28, width: 28 }, 32)).toBe(1);
  expect(shrinkFactor({ channels: 1, height: 96, width: 64 }, 32)).toBe(2);
  expect(shrinkFactor({ channels: 1, height: 97, width: 97 }, 32)).toBe(1);
  expect(shrinkFactor({ channels: 1, height: 16, width: 128 }, 32)).toBe(2);
  expect(shrinkFactor({ channels: 1, height: 8, width: 128 }, 32)).toBe(1);
});
