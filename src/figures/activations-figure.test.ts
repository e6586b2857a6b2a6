import { expect, test } from "vitest";
import { shapeDataset } from "../../test/shapes.ts";
import { decodedPixels, expectStoredPicture } from "../../test/stored-pictures.ts";
import { pixelCount } from "../images/image.ts";
import { Random } from "../numeric/random.ts";
import type { LayerActivations } from "./activations.ts";
import { activationsFigure, activationsPicture } from "./activations-figure.ts";

const random = new Random(0, "activations");
const image = { channels: 1, height: 12, width: 12 };
const pixels = new Float32Array(2 * 144);
shapeDataset(4).read([0, 3], pixels);

const layer = (name: string, channels: number, side: number): LayerActivations => {
  const map = { channels, height: side, width: side };
  const values = Float32Array.from({ length: 2 * pixelCount(map) }, () => Math.max(0, 2 * random.uniform() - 1));
  return { layer: name, map, values };
};
const activations: LayerActivations[] = [
  { layer: "input", map: image, values: pixels },
  layer("conv1", 5, 12),
  layer("pool1", 5, 6),
  { ...layer("feature", 20, 1), values: Float32Array.from({ length: 40 }, () => 2 * random.uniform() - 1) },
  layer("defeature", 5, 6),
  layer("depool1", 5, 12),
  { layer: "output", map: image, values: pixels.map((value) => 0.8 * value) },
];

test("the encoder is above the decoder, and they meet at the feature", async () => {
  const picture = activationsPicture({ activations, size: 60, title: "Two shapes" });
  await expectStoredPicture("activations", picture);
  for (const { layer: name } of activations) expect(picture.overlay.match(RegExp(`>${name}<`, "g"))).toHaveLength(2);
  const { width, height } = await decodedPixels(await activationsFigure({ activations, theme: "dark", size: 60 }));
  expect(width).toBe(picture.raster.width);
  expect(height).toBeLessThan(picture.raster.height);
});

test("missing layers and missing values are refused", () => {
  expect(() => activationsPicture({ activations: activations.slice(1) })).toThrow(
    "6 layers do not make an auto-encoder",
  );
  const short = activations.map((each) => (each.layer === "pool1" ? { ...each, values: new Float32Array(3) } : each));
  expect(() => activationsPicture({ activations: short })).toThrow('layer "pool1": 3 values do not make 2 images');
});
