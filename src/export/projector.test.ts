import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { savedRun } from "../../test/saved-run.ts";
import { shapeDataset } from "../../test/shapes.ts";
import type { Dataset } from "../images/dataset.ts";
import { pixelCount } from "../images/image.ts";
import { exportProjector } from "./projector.ts";
import type { RunContents } from "./run-contents.ts";
import { makeSprite, spriteLayout } from "./sprite.ts";

const oddNames = ['a\ttab "and" quotes.png', "two\nlines\r.png", "back\\slash.png", "größe/日本語 🙂.png", ", ;'.png"];
const folder = mkdtempSync(join(tmpdir(), "boostcluster-projector-"));
const shapes = shapeDataset(14);
const dataset: Dataset = { ...shapes, itemName: (index) => oddNames[index] ?? String(index) };
const out = join(folder, "run", "projector");
let run: RunContents;

beforeAll(async () => {
  run = await savedRun(join(folder, "run"), dataset);
  await exportProjector(run, out);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const linesOf = (file: string): string[][] =>
  readFileSync(join(out, file), "utf8")
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => line.split("\t"));

const unescaped = (cell: string): string =>
  cell.replace(/\\(.)/g, (_, letter: string) => ({ t: "\t", n: "\n", r: "\r" })[letter] ?? letter);

test("a vector a line, the very features", () => {
  const vectors = linesOf("vectors.tsv");
  expect(vectors).toHaveLength(14);
  expect(Float32Array.from(vectors.flat(), Number)).toEqual(run.features);
  expect(vectors[0]).toHaveLength(144);
});

test("metadata: a heading, a line an image, whatever its name", () => {
  const [heading, ...lines] = linesOf("metadata.tsv");
  expect(heading).toEqual(["item", "cluster", "score", "label"]);
  expect(
    lines.map(([item, cluster, score, label]) => [unescaped(item), Number(cluster), Number(score), label]),
  ).toEqual(run.rows.map(({ item, cluster, score, label }) => [item, cluster, score, label]));
  expect(run.rows.slice(0, oddNames.length).map(({ item }) => item)).toEqual(oddNames);
});

test("without labels there is no column for them", async () => {
  const other = join(folder, "unlabelled");
  await exportProjector({ ...run, rows: run.rows.map((row) => ({ ...row, label: undefined })) }, other);
  expect(readFileSync(join(other, "metadata.tsv"), "utf8").split("\n")[0]).toBe("item\tcluster\tscore");
});

test("how well images belong has columns where it is known", async () => {
  const other = join(folder, "belonging");
  const rows = run.rows.map((row, image) => ({ ...row, belonging: -0.5, none: image === 2 }));
  await exportProjector({ ...run, rows }, other);
  const lines = readFileSync(join(other, "metadata.tsv"), "utf8").trimEnd().split("\n");
  expect(lines[0]).toBe("item\tcluster\tscore\tbelonging\tnone\tlabel");
  expect(lines.slice(1).map((line) => line.split("\t").slice(3, 5).join())).toEqual(
    rows.map((_, image) => `-0.5,${image === 2 ? 1 : 0}`),
  );
});

test("the configuration names the files beside it and the size of a tile", () => {
  const config = readFileSync(join(out, "projector_config.pbtxt"), "utf8");
  const named = [...config.matchAll(/_path: "(.*)"/g)].map(([, name]) => name);
  expect([...named, "projector_config.pbtxt"].sort()).toEqual(readdirSync(out).sort());
  expect(config.match(/single_image_dim: 12$/gm)).toHaveLength(2);
});

/** Pixels of tile `index`, four bytes each. */
async function tileAt(png: Uint8Array, index: number, tile: number, across: number): Promise<Uint8Array> {
  const place = { left: (index % across) * tile, top: Math.floor(index / across) * tile, width: tile, height: tile };
  return sharp(png).extract(place).raw().toBuffer();
}

test("image i is tile i of the sprite, row by row; tiles without an image are clear", async () => {
  const png = readFileSync(join(out, "sprite.png"));
  expect(await sharp(png).metadata()).toMatchObject({ width: 48, height: 48, channels: 4 });
  const values = new Float32Array(144);
  for (let image = 0; image < 14; image++) {
    dataset.read([image], values);
    const expected = Array.from(values, (value) => Math.round(255 * value)).flatMap((grey) => [grey, grey, grey, 255]);
    expect([...(await tileAt(png, image, 12, 4))], `image ${image}`).toEqual(expected);
  }
  for (const empty of [14, 15]) expect(Math.max(...(await tileAt(png, empty, 12, 4)))).toBe(0);
});

test("images that are no squares keep their shape and colours between clear bars", async () => {
  const image = { channels: 3, height: 4, width: 8 };
  const colours = [1, 0.2, 0];
  const wide: Dataset = {
    ...shapes,
    count: 2,
    image,
    read: (_, target) => target.set(Float32Array.from({ length: pixelCount(image) }, (_, at) => colours[at >> 5])),
  };
  const { png, tile } = await makeSprite(wide);
  expect(tile).toBe(8);
  const pixels = await tileAt(png, 1, 8, 2);
  for (let row = 0; row < 8; row++)
    expect([...pixels.subarray(row * 32, row * 32 + 4)]).toEqual(
      row < 2 || row >= 6 ? [0, 0, 0, 0] : [255, 51, 0, 255],
    );
});

test("a sprite is never larger than the projector takes, nor its tiles than they are looked at", () => {
  const square = (side: number) => ({ channels: 1, height: side, width: side });
  expect(spriteLayout(10_000, square(28))).toEqual({ across: 100, tile: 28 });
  expect(spriteLayout(70_000, square(28))).toEqual({ across: 265, tile: 28 });
  expect(spriteLayout(70_000, square(128))).toEqual({ across: 265, tile: 30 });
  expect(spriteLayout(5, square(128))).toEqual({ across: 3, tile: 64 });
  expect(spriteLayout(1, { channels: 3, height: 20, width: 40 })).toEqual({ across: 1, tile: 40 });
});

test("larger images are scaled down", async () => {
  const image = { channels: 1, height: 100, width: 100 };
  const large: Dataset = { ...shapes, count: 1, image, read: (_, target) => target.fill(0.6) };
  const { png, tile } = await makeSprite(large);
  expect(await sharp(png).metadata()).toMatchObject({ width: 64, height: 64 });
  expect(tile).toBe(64);
  expect([...(await tileAt(png, 0, 64, 1)).subarray(0, 4)]).toEqual([153, 153, 153, 255]);
});
