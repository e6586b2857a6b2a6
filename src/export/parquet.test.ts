import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { savedRun } from "../../test/saved-run.ts";
import { shapeDataset } from "../../test/shapes.ts";
import type { Dataset } from "../images/dataset.ts";
import { exportParquet } from "./parquet.ts";
import type { RunContents } from "./run-contents.ts";

const folder = mkdtempSync(join(tmpdir(), "boostcluster-parquet-"));
const path = join(folder, "tables", "clusters.parquet");
/** More than one group of rows. */
const count = 1100;
const shapes = shapeDataset(count);
const dataset: Dataset = { ...shapes, itemName: (index) => `größe\t"${index}".png` };
let run: RunContents;

beforeAll(async () => {
  run = await savedRun(join(folder, "run"), dataset);
  await exportParquet(run, path);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const readRows = async (file: string) =>
  parquetReadObjects({ file: await asyncBufferFromFile(file), utf8: false, rowEnd: count });

test("what is read back is what the run says, number for number", async () => {
  const rows = await readRows(path);
  expect(rows).toHaveLength(count);
  rows.forEach(({ item, cluster, score, secondCluster, margin, label }, index) => {
    const expected = run.rows[index];
    expect({ item, cluster, secondCluster, label }).toEqual({
      item: expected.item,
      cluster: expected.cluster,
      secondCluster: expected.secondCluster,
      label: expected.label,
    });
    expect([score, margin]).toEqual([Math.fround(expected.score), Math.fround(expected.margin)]);
  });
  expect(Float32Array.from(rows.flatMap(({ features }) => features))).toEqual(run.features);
});

test("the image of a row is the image as the network saw it", async () => {
  const rows = await readRows(path);
  const values = new Float32Array(144);
  for (const index of [0, 1, 999, 1000, 1099]) {
    const { bytes, path: name } = rows[index].image;
    expect(name).toBe(run.rows[index].item);
    dataset.read([index], values);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "png", width: 12, height: 12 });
    const pixels = await sharp(bytes).toColourspace("b-w").raw().toBuffer();
    expect([...pixels]).toEqual(Array.from(values, (value) => Math.round(255 * value)));
  }
});

test("colours stay where they are", async () => {
  const colours = [1, 0.2, 0];
  const image = { channels: 3, height: 12, width: 12 };
  const coloured: Dataset = {
    ...dataset,
    image,
    read: (_, target) => target.set(Float32Array.from({ length: 432 }, (_, at) => colours[Math.floor(at / 144)])),
  };
  const file = join(folder, "coloured.parquet");
  await exportParquet({ ...run, images: coloured }, file);
  const [row] = await readRows(file);
  expect([...(await sharp(row.image.bytes).raw().toBuffer()).subarray(0, 3)]).toEqual([255, 51, 0]);
});

test("types are as other programs expect them, and the images are known as such", async () => {
  const { schema, key_value_metadata } = await parquetMetadataAsync(await asyncBufferFromFile(path));
  expect(schema.map(({ name, type, converted_type }) => [name, converted_type ?? type])).toEqual([
    ["root", undefined],
    ["item", "UTF8"],
    ["cluster", "INT32"],
    ["score", "FLOAT"],
    ["secondCluster", "INT32"],
    ["margin", "FLOAT"],
    ["label", "UTF8"],
    ["features", "LIST"],
    ["list", undefined],
    ["element", "FLOAT"],
    ["image", undefined],
    ["bytes", "BYTE_ARRAY"],
    ["path", "UTF8"],
  ]);
  expect(key_value_metadata).toEqual([{ key: "huggingface", value: expect.stringContaining('"image"') }]);
});

test("a map gives each row its place; labels that nobody knows have no column", async () => {
  const file = join(folder, "mapped.parquet");
  const map = Float32Array.from({ length: 2 * count }, (_, at) => at / 4);
  await exportParquet({ ...run, rows: run.rows.map((row) => ({ ...row, label: undefined })) }, file, { map });
  const rows = await readRows(file);
  expect(rows.flatMap(({ x, y }) => [x, y])).toEqual([...map]);
  expect("label" in rows[0]).toBe(false);
  await expect(exportParquet(run, file, { map: map.subarray(1) })).rejects.toThrow(
    "a map of 2199 numbers: give two for each of the 1100 images",
  );
});

test("how well images belong has columns where it is known", async () => {
  const file = join(folder, "belonging.parquet");
  const known = run.rows.map((row, image) => ({ ...row, belonging: -image / 4, none: image > 1090 }));
  await exportParquet({ ...run, rows: known }, file);
  const rows = await readRows(file);
  expect(rows.map(({ belonging, none }) => [belonging, none])).toEqual(
    known.map(({ belonging, none }) => [belonging, none]),
  );
  expect("none" in (await readRows(join(folder, "mapped.parquet")))[0]).toBe(false);
});

test("stopped half-way, there is no file", async () => {
  const stop = new AbortController();
  const stopping: Dataset = {
    ...dataset,
    read: (indices, target) => {
      if (indices[0] === 1050) stop.abort();
      dataset.read(indices, target);
    },
  };
  const stopped = exportParquet({ ...run, images: stopping }, join(folder, "stopped", "a.parquet"), stop);
  await expect(stopped).rejects.toThrow("aborted");
  expect(readdirSync(join(folder, "stopped"))).toEqual([]);
});

test("what people have decided is in columns of its own; what they put aside is in no cluster", async () => {
  const file = join(folder, "decided.parquet");
  const rows = run.rows.map((row, index) => ({
    ...row,
    ...(index === 0 ? { cluster: -1, by: "person" as const } : { name: "“été”\n", by: "model" as const }),
    modelCluster: row.cluster,
  }));
  await exportParquet({ ...run, rows }, file);
  const [first, second] = await readRows(file);
  expect([first.cluster, first.name, first.by, first.modelCluster]).toEqual([
    null,
    null,
    "person",
    run.rows[0].cluster,
  ]);
  expect([second.cluster, second.name, second.by]).toEqual([run.rows[1].cluster, "“été”\n", "model"]);
});
