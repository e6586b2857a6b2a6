import { expect, test } from "vitest";
import { shapeDataset } from "../../test/shapes.ts";
import { decodedPixels, expectStoredSvg } from "../../test/stored-pictures.ts";
import { Random } from "../numeric/random.ts";
import { readTiles } from "./images.ts";
import { scatterFigure } from "./scatter.ts";

const random = new Random(0, "map");
const groups = Array.from({ length: 80 }, (_, image) => image % 4);
const map = (spread: number): Float32Array =>
  Float32Array.from({ length: 160 }, (_, at) => {
    const group = groups[Math.floor(at / 2)];
    return (at % 2 === 0 ? group % 2 : group / 2) * 10 + spread * random.uniform();
  });
const names = ["across", "down", "frame", "slash"];

test("every panel shows each image once, in the colour of its group", async () => {
  const panels = [12, 7, 3].map((spread, index) => ({ points: map(spread), groups, title: `epoch ${index}` }));
  const svg = await scatterFigure({ panels, names, title: "Map of the shapes", panelSize: 180 });
  expectStoredSvg("scatter", svg);
  expect(svg.match(/h0/g)).toHaveLength(3 * 80);
});

test("thumbnails are the images at their points", async () => {
  const images = shapeDataset(80);
  const thumbnails = { images, size: 12, most: 10 };
  const svg = await scatterFigure({ panels: [{ points: map(6), groups }], thumbnails, panelSize: 180 });
  const uris = [...svg.matchAll(/data:image\/png;base64,([^"]+)/g)].map(([, base64]) => base64);
  expect(uris.length).toBe(10);
  const tiles = readTiles(
    images,
    groups.map((_, image) => image),
    24,
  );
  const pixels = await Promise.all(uris.map(async (uri) => (await decodedPixels(Buffer.from(uri, "base64"))).pixels));
  for (const shown of pixels) expect(tiles.some((tile) => Buffer.compare(shown, tile.pixels) === 0)).toBe(true);
  // The bytes of a PNG depend on the version of the library.
  expectStoredSvg("scatter-thumbnails", svg.replaceAll(/base64,[^"]+/g, "base64,"));
});

test("a hundred groups have a hundred colours", async () => {
  const many = Array.from({ length: 100 }, (_, image) => image);
  const points = Float32Array.from({ length: 200 }, () => random.uniform());
  const svg = await scatterFigure({ panels: [{ points, groups: many }] });
  expect(new Set([...svg.matchAll(/fill="(#[0-9a-f]{6})"/g)].map(([, colour]) => colour)).size).toBe(100);
});

test("coinciding points are drawn", async () => {
  expect(await scatterFigure({ panels: [{ points: new Float32Array(6), groups: [0, 1, 0] }] })).not.toContain("NaN");
});

test("invalid maps are refused", async () => {
  const points = new Float32Array(4);
  await expect(scatterFigure({ panels: [] })).rejects.toThrow("a map needs at least one panel");
  await expect(scatterFigure({ panels: [{ points, groups: [0] }] })).rejects.toThrow("4 coordinates and 1 groups");
  await expect(scatterFigure({ panels: [{ points, groups: [0, -1] }] })).rejects.toThrow("from 0, not -1");
  await expect(scatterFigure({ panels: [{ points: Float32Array.of(0, Number.NaN), groups: [0] }] })).rejects.toThrow(
    "points that are not finite",
  );
  await expect(scatterFigure({ panels: [{ points, groups: [0, 1] }], names: ["a"] })).rejects.toThrow("only 1 names");
  const thumbnails = { images: shapeDataset(3) };
  await expect(scatterFigure({ panels: [{ points, groups: [0, 1] }], thumbnails })).rejects.toThrow("2 points and 3");
});
