import { expect, test } from "vitest";
import { decodedPixels } from "../../test/stored-pictures.ts";
import { InputError } from "../files/errors.ts";
import { klLossFigure } from "./kl-loss.ts";
import { pictureOf, svgToPng } from "./picture.ts";

test("a PNG of an SVG is on white, twice as wide or as wide as requested", async () => {
  const svg = klLossFigure({ width: 300, height: 100 });
  const own = await decodedPixels(await svgToPng(svg));
  expect(own.width).toBe(2 * (300 + 2 * 12));
  expect([...own.pixels.subarray(0, 3)]).toEqual([255, 255, 255]);
  expect((await decodedPixels(await svgToPng(svg, { width: 200 }))).width).toBe(200);
});

test("invalid SVG, widths and themes are refused", async () => {
  await expect(svgToPng("<p>")).rejects.toThrow(InputError);
  await expect(svgToPng(klLossFigure(), { width: 0.5 })).rejects.toThrow(
    "width must be a whole number from 1, not 0.5",
  );
  const parts = { width: 1, height: 1, title: "", tiles: [], overlay: [] };
  expect(() => pictureOf(parts, JSON.parse('{"theme":"blue"}'))).toThrow('there is no theme "blue"');
});
