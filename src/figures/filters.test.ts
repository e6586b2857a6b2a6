import { expect, test } from "vitest";
import { decodedPixels, expectStoredPicture } from "../../test/stored-pictures.ts";
import { deriveArchitecture, paperArchitecture } from "../network/architecture.ts";
import { autoEncoderParameters, encoderParameters } from "../network/layers.ts";
import { initialValues } from "../network/parameters.ts";
import { filtersFigure, filtersPicture, learnedFilters } from "./filters.ts";

const grey = paperArchitecture("mnist");
const colour = deriveArchitecture({ channels: 3, height: 12, width: 12 });
const greyFilters = learnedFilters(grey, initialValues(autoEncoderParameters(grey), 0));
const colourFilters = learnedFilters(colour, initialValues(autoEncoderParameters(colour), 0));

test("every convolution and deconvolution has filters, in colour where kernels see the image", () => {
  expect(greyFilters.map(({ layer, shape }) => `${layer} ${shape.join("x")}`)).toEqual([
    ...["conv1 6x1x5x5", "conv2 16x6x5x5", "feature 120x16x4x4"],
    ...["defeature 120x16x4x4", "deconv2 16x6x5x5", "deconv1 6x1x5x5"],
  ]);
  expect(colourFilters.filter(({ coloured }) => coloured).map(({ layer }) => layer)).toEqual(["conv1", "deconv1"]);
});

test("parameters without a decoder give the encoder's filters", () => {
  const alone = learnedFilters(grey, initialValues(encoderParameters(grey), 0));
  expect(alone.map(({ layer }) => layer)).toEqual(["conv1", "conv2", "feature"]);
  expect(alone[0].values).toEqual(greyFilters[0].values);
});

test("filters of the image are drawn as images, others by channel", async () => {
  await expectStoredPicture("filters-grey", filtersPicture(greyFilters[0]));
  await expectStoredPicture("filters-colour", filtersPicture(colourFilters[0]));
  await expectStoredPicture("filters-channels", filtersPicture(greyFilters[1]));
});

test("of many filters, the first ones are drawn", async () => {
  const { overlay } = filtersPicture(greyFilters[2], { most: 8 });
  expect(overlay).toContain("the first 8 of 120 filters of 4 × 4, across; the first 8 of 16 channels, down");
  const { width } = await decodedPixels(await filtersFigure(greyFilters[0], { theme: "dark" }));
  expect(width).toBe(filtersPicture(greyFilters[0]).raster.width);
});

test("each filter is scaled by its own largest weight", () => {
  const shape = [2, 1, 1, 2] as const;
  const large = { layer: "a", shape, values: Float32Array.of(-3, 1.5, 3, 0), coloured: false };
  const small = { ...large, values: large.values.map((weight, at) => (at < 2 ? weight / 100 : weight)) };
  expect(Buffer.compare(filtersPicture(small).raster.pixels, filtersPicture(large).raster.pixels)).toBe(0);
});

test("weights of the wrong number are refused", () => {
  expect(() => learnedFilters(grey, new Float32Array(5))).toThrow('network "mnist" has ');
  expect(() => filtersPicture({ ...greyFilters[0], values: new Float32Array(5) })).toThrow(
    'layer "conv1": 5 weights do not make filters of 6x1x5x5',
  );
});
